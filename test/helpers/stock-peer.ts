import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from 'werift'
import type { RTCDtlsTransport, RTCRtpTransceiver } from 'werift'
import { endHandshake } from '../../src/process/rtp-stack.ts'
import type { Teardown } from './audio-legs.ts'

/** An Opus packet of 20 ms of silence (RFC 6716 section 3.1: one CELT frame, full band). */
const SILENT_PACKET = Buffer.from([0xf8, 0xff, 0xfe])

/** Alert levels (RFC 5246 section 7.2). */
const FATAL = 2
const WARNING = 1
const BAD_CERTIFICATE = 42
const CLOSE_NOTIFY = 0

/** A DTLS 1.2 record (RFC 6347 section 4.1); by default an alert. */
export function dtlsRecord(content: Uint8Array, { type = 21, epoch = 0, sequence = 0 } = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt8(type, 0)
  header.writeUInt16BE(0xfefd, 1)
  header.writeUInt16BE(epoch, 3)
  header.writeUIntBE(sequence, 5, 6)
  header.writeUInt16BE(content.length, 11)
  return Buffer.concat([header, content])
}

/** A WebRTC end on loopback that consists of the library only, with no code of ours. */
export class StockPeer {
  /** Packets that were decrypted. */
  heard = 0
  /** Alerts that it sent in place of its part of the handshake. */
  refusals = 0
  readonly #connection: RTCPeerConnection
  readonly #track = new MediaStreamTrack({ kind: 'audio' })
  #sequence = 0
  #transport: RTCDtlsTransport | null = null
  #isRefusing = false

  constructor(t: Teardown) {
    this.#connection = new RTCPeerConnection({
      codecs: {
        audio: [
          new RTCRtpCodecParameters({
            mimeType: 'audio/opus',
            clockRate: 48_000,
            channels: 2,
            payloadType: 111,
            parameters: 'minptime=10;useinbandfec=1',
          }),
          new RTCRtpCodecParameters({
            mimeType: 'audio/telephone-event',
            clockRate: 8_000,
            payloadType: 126,
            parameters: '0-15',
          }),
        ],
        video: [],
      },
      iceServers: [],
      iceUseIpv4: false,
      iceUseIpv6: false,
      iceAdditionalHostAddresses: ['127.0.0.1'],
      iceInterfaceAddresses: { udp4: '127.0.0.1' },
    })
    t.teardown(() => this.#close())
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

  /** Sends 20 ms of silence. */
  say(): void {
    const sequenceNumber = this.#sequence++
    this.#track.writeRtp(
      new RtpPacket(
        new RtpHeader({ sequenceNumber, timestamp: sequenceNumber * 960, payloadType: 111 }),
        SILENT_PACKET,
      ),
    )
  }

  /** From now on answers every handshake message with a fatal alert, like an end that rejects a certificate. */
  refuseHandshake(): void {
    this.#isRefusing = true
  }

  /** Sends a close alert, which other stacks do and this library does not. */
  async sayFarewell(): Promise<void> {
    const dtls = this.#transport?.dtls
    if (!dtls) throw new Error('there was no handshake')
    const [epoch, sequence] = [1, dtls.dtls.recordSequenceNumber + 1]
    const record = {
      recordLayerHeader: {
        contentType: 21,
        protocolVersion: { major: 0xfe, minor: 0xfd },
        epoch,
        sequenceNumber: sequence,
        contentLen: 2,
      },
      fragment: Buffer.from([WARNING, CLOSE_NOTIFY]),
    }
    dtls.cipher.encryptPacket(record as never)
    await dtls.transport.send(dtlsRecord(record.fragment, { epoch, sequence }))
  }

  #refuse({ dtls }: RTCDtlsTransport): void {
    if (!dtls || !this.#isRefusing) return
    const alert = dtlsRecord(Uint8Array.of(FATAL, BAD_CERTIFICATE))
    dtls.transport.socket.onData = () => {
      this.refusals++
      void dtls.transport.send(alert)
    }
  }

  #close(): void {
    void this.#connection.close().catch(() => {})
    if (this.#transport) endHandshake(this.#transport)
  }

  /** It uses no public server to find its address. */
  #listen({ dtlsTransport }: RTCRtpTransceiver): void {
    this.#transport = dtlsTransport
    // The handshake object is created right after this event.
    dtlsTransport.onStateChange.subscribe((state) => {
      if (state === 'connecting') queueMicrotask(() => this.#refuse(dtlsTransport))
    })
    delete (dtlsTransport.iceTransport.connection as { stunServer?: unknown }).stunServer
    dtlsTransport.onRtp.subscribe(() => void this.heard++)
  }
}
