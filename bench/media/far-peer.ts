import { RTCPeerConnection, RTCRtpCodecParameters, RtpHeader } from 'werift'

/** The parts of an RTP header that are not encrypted (RFC 3711 section 3.1), which are all that this phone reads. */
const SEQUENCE_AT = 2
const HEADER_BYTES = 12
/** The longest authentication tag after the payload, in bytes (RFC 7714 section 5.2, RFC 3711 section 5.2). */
const TAG_BYTES = 16
/** RTCP packet types, which RTP does not use in the second byte (RFC 5761 section 4). */
const isRtcp = (second: number): boolean => second >= 192 && second <= 223

/** A phone that neither codes nor decrypts: it sends ready packets and counts what arrives. */
export interface FarPeer {
  answer(sdpOffer: string): Promise<string>
  send(packet: Uint8Array): void
  /** Bytes of the audio payload that arrived; the authentication tag may be included. */
  onPacket(listener: (payloadBytes: number) => void): void
  readonly packets: number
  readonly missing: number
  resetCounts(): void
}

export function openFarPeer(): FarPeer {
  const peer = new RTCPeerConnection({
    codecs: {
      audio: [new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 })],
      video: [],
    },
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
  function count(packet: Buffer): void {
    if (packet.length < HEADER_BYTES || (packet[0] ?? 0) >> 6 !== 2 || isRtcp(packet[1] ?? 0)) return
    const sequence = packet.readUInt16BE(SEQUENCE_AT)
    counts.packets++
    if (expected !== null) counts.missing += (sequence - expected) & 0xffff
    expected = (sequence + 1) & 0xffff
    listener(Math.max(0, packet.length - HEADER_BYTES - TAG_BYTES))
  }
  return {
    async answer(sdp) {
      await peer.setRemoteDescription({ type: 'offer', sdp })
      await peer.setLocalDescription(await peer.createAnswer())
      const dtls = transceiver.dtlsTransport
      dtls.onStateChange.subscribe((state) => {
        if (state !== 'connected') return
        // This listener replaces the stack, which would decrypt and copy every packet at a higher cost than the host's.
        const { onData } = dtls.iceTransport.connection
        onData.allUnsubscribe()
        onData.subscribe(count)
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
