import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from 'werift'
import type { RTCRtpTransceiver } from 'werift'
import type { Teardown } from './audio-legs.ts'

/** An Opus packet of 20 ms of silence (RFC 6716 section 3.1: one CELT frame, full band). */
const SILENT_PACKET = Buffer.from([0xf8, 0xff, 0xfe])

/** A WebRTC end as the library makes it, on loopback, with nothing of ours in it. */
export class StockPeer {
  /** Packets that came through its encryption. */
  heard = 0
  readonly #connection: RTCPeerConnection
  readonly #track = new MediaStreamTrack({ kind: 'audio' })
  #sequence = 0

  constructor(t: Teardown) {
    this.#connection = new RTCPeerConnection({
      codecs: {
        audio: [
          new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111, parameters: 'minptime=10;useinbandfec=1' }),
          new RTCRtpCodecParameters({ mimeType: 'audio/telephone-event', clockRate: 8_000, payloadType: 126, parameters: '0-15' }),
        ],
        video: [],
      },
      iceServers: [], iceUseIpv4: false, iceUseIpv6: false, iceAdditionalHostAddresses: ['127.0.0.1'], iceInterfaceAddresses: { udp4: '127.0.0.1' },
    })
    t.teardown(() => void this.#connection.close().catch(() => {}))
  }

  get state(): string {
    return this.#connection.connectionState
  }

  async offer(): Promise<string> {
    this.#listen(this.#connection.addTransceiver(this.#track))
    await this.#connection.setLocalDescription(await this.#connection.createOffer())
    return this.#connection.localDescription?.sdp ?? ''
  }

  async answer(offer: string): Promise<string> {
    await this.#connection.setRemoteDescription({ type: 'offer', sdp: offer })
    const [transceiver] = this.#connection.getTransceivers()
    if (!transceiver) throw new Error('the offer has no section')
    await transceiver.sender.replaceTrack(this.#track)
    transceiver.setDirection('sendrecv')
    this.#listen(transceiver)
    await this.#connection.setLocalDescription(await this.#connection.createAnswer())
    return this.#connection.localDescription?.sdp ?? ''
  }

  connect(answer: string): Promise<void> {
    return this.#connection.setRemoteDescription({ type: 'answer', sdp: answer })
  }

  /** Says 20 ms of nothing. */
  say(): void {
    const sequenceNumber = this.#sequence++
    this.#track.writeRtp(new RtpPacket(new RtpHeader({ sequenceNumber, timestamp: sequenceNumber * 960, payloadType: 111 }), SILENT_PACKET))
  }

  /** It asks no public server for its address. */
  #listen({ dtlsTransport }: RTCRtpTransceiver): void {
    delete (dtlsTransport.iceTransport.connection as { stunServer?: unknown }).stunServer
    dtlsTransport.onRtp.subscribe(() => void this.heard++)
  }
}
