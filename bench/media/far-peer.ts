import { RTCPeerConnection, RTCRtpCodecParameters, RtpHeader } from 'werift'

/** A phone that neither codes nor decodes: it sends ready packets and sees what arrives. */
export interface FarPeer {
  answer(sdpOffer: string): Promise<string>
  send(packet: Uint8Array): void
  /** Bytes of the audio payload that arrived. */
  onPacket(listener: (payloadBytes: number) => void): void
  readonly packets: number
  readonly missing: number
  resetCounts(): void
}

export function openFarPeer(): FarPeer {
  const peer = new RTCPeerConnection({
    codecs: { audio: [new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 })], video: [] },
    headerExtensions: { audio: [], video: [] },
    iceServers: [],
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
    iceInterfaceAddresses: { udp4: '127.0.0.1' },
    bundlePolicy: 'max-bundle',
  })
  const transceiver = peer.addTransceiver('audio', { direction: 'sendrecv' })
  const header = new RtpHeader({ ssrc: transceiver.sender.ssrc, payloadType: 111 })
  let listener: (payloadBytes: number) => void = () => {}
  let counts = { packets: 0, missing: 0 }
  let expected: number | null = null
  return {
    async answer(sdp) {
      await peer.setRemoteDescription({ type: 'offer', sdp })
      await peer.setLocalDescription(await peer.createAnswer())
      transceiver.dtlsTransport.onRtp.subscribe((packet) => {
        counts.packets++
        if (expected !== null) counts.missing += (packet.header.sequenceNumber - expected) & 0xffff
        expected = (packet.header.sequenceNumber + 1) & 0xffff
        listener(packet.payload.length)
      })
      return peer.localDescription?.sdp ?? ''
    },
    send(packet) {
      if (transceiver.dtlsTransport.state !== 'connected') return
      header.sequenceNumber = (header.sequenceNumber + 1) & 0xffff
      header.timestamp = (header.timestamp + 960) >>> 0
      void transceiver.dtlsTransport.sendRtp(Buffer.from(packet), header)
    },
    onPacket(on) {
      listener = on
    },
    get packets() {
      return counts.packets
    },
    get missing() {
      return counts.missing
    },
    resetCounts() {
      counts = { packets: 0, missing: 0 }
    },
  }
}
