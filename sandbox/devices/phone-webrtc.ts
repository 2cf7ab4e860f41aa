import { randomInt } from 'node:crypto'
import {
  MediaStreamTrack,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  RtpHeader,
  RtpPacket,
  UdpTransport,
  type RTCRtpTransceiver,
} from 'werift'
import { endHandshake, mendTransport } from '../../src/process/rtp-stack.ts'
import { Impairment, type NetworkFaults } from './impairment.ts'
import type { PhoneLeg, PhoneLegEvents } from './phone-leg.ts'
import { OPUS_CLOCK_HZ } from './phone-opus.ts'

/** The only file of the sandbox that knows the RTP stack. */

const LOOPBACK = '127.0.0.1'
/** Payload types that browsers use; the far end may answer with its own. */
const OPUS_TYPE = 111
const EVENT_48K_TYPE = 110
const EVENT_8K_TYPE = 126

function codecs(): RTCRtpCodecParameters[] {
  return [
    new RTCRtpCodecParameters({
      mimeType: 'audio/opus',
      clockRate: OPUS_CLOCK_HZ,
      channels: 2,
      payloadType: OPUS_TYPE,
      parameters: 'minptime=10;useinbandfec=1',
    }),
    new RTCRtpCodecParameters({
      mimeType: 'audio/telephone-event',
      clockRate: OPUS_CLOCK_HZ,
      payloadType: EVENT_48K_TYPE,
      parameters: '0-16',
    }),
    new RTCRtpCodecParameters({
      mimeType: 'audio/telephone-event',
      clockRate: 8_000,
      payloadType: EVENT_8K_TYPE,
      parameters: '0-16',
    }),
  ]
}

/** Opens a connection on loopback only: the sandbox never opens a port that another machine could reach. */
function openConnection(isIceLite: boolean): RTCPeerConnection {
  return new RTCPeerConnection({
    iceLite: isIceLite,
    codecs: { audio: codecs() },
    iceServers: [],
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: [LOOPBACK],
    iceInterfaceAddresses: { udp4: LOOPBACK },
  })
}

/** True when a text may be an offer or answer for one Opus stream; the rest shows when it is applied. */
export function isAudioSdp(sdp: string): boolean {
  return /^v=0\r?\n/.test(sdp) && /^m=audio /m.test(sdp) && /^a=rtpmap:\d+ opus\/48000/im.test(sdp)
}

class WebRtcLeg implements PhoneLeg {
  readonly #connection: RTCPeerConnection
  readonly #track = new MediaStreamTrack({ kind: 'audio' })
  readonly #events: PhoneLegEvents
  readonly #outgoing = new Impairment()
  readonly #incoming = new Impairment()
  #transceiver: RTCRtpTransceiver | null = null
  #sequence = randomInt(0x8000)
  /** Of the description (RFC 8866 section 5.2). */
  #version = 1
  #isClosed = false
  /** Settles when no description is being made or applied. */
  #negotiated: Promise<unknown> = Promise.resolve()

  constructor(events: PhoneLegEvents, isIceLite: boolean) {
    this.#events = events
    this.#connection = openConnection(isIceLite)
    this.#connection.connectionStateChange.subscribe((state) => this.#follow(state))
  }

  get isConnected(): boolean {
    return !this.#isClosed && this.#connection.connectionState === 'connected'
  }

  get eventClockHz(): number | null {
    return this.#eventCodec()?.clockRate ?? null
  }

  offer(): Promise<string> {
    return this.#negotiate(async () => await this.#makeOffer())
  }

  answer(sdpOffer: string): Promise<string> {
    return this.#negotiate(async () => await this.#makeAnswer(sdpOffer))
  }

  async #makeOffer(): Promise<string> {
    this.#adopt(this.#connection.addTransceiver(this.#track, { direction: 'sendrecv' }))
    await this.#connection.setLocalDescription(await this.#connection.createOffer())
    return this.#localSdp()
  }

  async #makeAnswer(sdpOffer: string): Promise<string> {
    await this.#connection.setRemoteDescription({ type: 'offer', sdp: sdpOffer })
    const transceiver = this.#connection.getTransceivers().find(({ kind }) => kind === 'audio')
    if (!transceiver) throw new Error('The offer has no audio')
    await transceiver.sender.replaceTrack(this.#track)
    transceiver.setDirection('sendrecv')
    this.#adopt(transceiver)
    // RFC 8842 5.3: an active offer takes a passive answer; the RTP stack by itself would answer active to any.
    if (/^a=setup:active\s*$/m.test(sdpOffer)) transceiver.dtlsTransport.role = 'server'
    await this.#connection.setLocalDescription(await this.#connection.createAnswer())
    return this.#localSdp()
  }

  connect(sdpAnswer: string): Promise<void> {
    return this.#negotiate(async () => await this.#connection.setRemoteDescription({ type: 'answer', sdp: sdpAnswer }))
  }

  sendAudio(payload: Uint8Array, timestamp: number, isMarked: boolean): void {
    this.#send(payload, timestamp, isMarked)
  }

  sendEvent(payload: Uint8Array, timestamp: number, isMarked: boolean): void {
    const sender = this.#transceiver?.sender
    const [eventCodec, audioCodec] = [this.#eventCodec(), sender?.codec]
    if (!sender || !eventCodec || !audioCodec) return
    // The sender stamps its own codec's payload type on every packet, before anything asynchronous.
    sender.codec = eventCodec
    this.#send(payload, timestamp, isMarked)
    sender.codec = audioCodec
  }

  passSlot(): void {
    // Packets have timestamps, so a slot without a packet passes by itself.
  }

  impair(faults: NetworkFaults): boolean {
    this.#outgoing.set(faults)
    this.#incoming.set(faults)
    return true
  }

  async changeAddress(): Promise<boolean> {
    const socket = this.#socket()
    if (!this.isConnected || !socket) return false
    const fresh = await UdpTransport.init('udp4', { interfaceAddresses: { udp4: LOOPBACK } })
    if (!this.isConnected) {
      await fresh.close()
      return false
    }
    const before = socket.transport
    fresh.onData = before.onData
    socket.transport = fresh
    await before.close()
    return true
  }

  renumber(opusType: number | null): string | null {
    const sdp = this.#connection.localDescription?.sdp
    const { sender, receiver, codecs: known = [] } = this.#transceiver ?? {}
    const before = sender?.codec
    if (!sdp || !sender || !receiver || !before) return null
    const type = opusType ?? before.payloadType
    const codec = new RTCRtpCodecParameters({ ...before, payloadType: type })
    sender.codec = codec
    if (this.#transceiver) this.#transceiver.codecs = [codec, ...known]
    const { codecs } = receiver as unknown as { codecs: Record<number, RTCRtpCodecParameters> }
    codecs[type] = codec
    // The stack's description keeps the number that was agreed.
    const agreed = /^a=rtpmap:(\d+) opus\//im.exec(sdp)?.[1] ?? ''
    return sdp
      .replace(new RegExp(`^(m=audio .*) ${agreed}\\b`, 'm'), `$1 ${type}`)
      .replaceAll(new RegExp(`^(a=(?:rtpmap|fmtp|rtcp-fb)):${agreed} `, 'gm'), `$1:${type} `)
      .replace(/^(o=\S+ \S+) \d+/m, `$1 ${++this.#version}`)
  }

  drop(): boolean {
    // Packets have no connection that could drop.
    return false
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    // A connection closed while it gathers candidates would open its sockets afterwards, and leak them.
    void this.#negotiated
      .then(() => this.#connection.close())
      .catch(() => {})
      .finally(() => this.#transceiver && endHandshake(this.#transceiver.dtlsTransport))
  }

  #negotiate<T>(work: () => Promise<T>): Promise<T> {
    const running = work()
    this.#negotiated = running.catch(() => {})
    return running
  }

  #send(payload: Uint8Array, timestamp: number, marker: boolean): void {
    if (!this.isConnected) return
    this.#sequence = (this.#sequence + 1) & 0xffff
    const { sender } = this.#transceiver ?? {}
    const codec = sender?.codec
    const packet = new RtpPacket(
      new RtpHeader({ sequenceNumber: this.#sequence, timestamp: timestamp >>> 0, marker }),
      Buffer.from(payload),
    )
    this.#outgoing.pass(() => {
      if (!this.isConnected || !sender || !codec) return
      // A packet that is late goes out as what it was, whatever the sender sends by now.
      const present = sender.codec
      sender.codec = codec
      this.#track.writeRtp(packet)
      if (present) sender.codec = present
    })
  }

  #adopt(transceiver: RTCRtpTransceiver): void {
    this.#transceiver = transceiver
    mendTransport(transceiver.dtlsTransport)
    transceiver.onTrack.subscribe((track) => this.#listen(track))
    for (const track of transceiver.receiver.tracks) this.#listen(track)
  }

  #listen(track: MediaStreamTrack): void {
    track.onReceiveRtp.subscribe((packet) => this.#incoming.pass(() => this.#heard(packet)))
  }

  #heard({ header, payload }: RtpPacket): void {
    if (this.#isClosed) return
    const codec = this.#transceiver?.codecs.find(({ payloadType }) => payloadType === header.payloadType)
    if (codec?.name.toLowerCase() === 'opus') this.#events.audio(payload, header.timestamp)
    else if (codec?.name.toLowerCase() === 'telephone-event')
      this.#events.event(payload, header.timestamp, codec.clockRate)
  }

  /** The stack's socket, which keeps its credentials whatever port it is bound to. */
  #socket(): { transport: UdpTransport } | null {
    const nominated = this.#transceiver?.dtlsTransport.iceTransport.connection.nominated
    return (nominated?.protocol as { transport: UdpTransport } | undefined) ?? null
  }

  #follow(state: string): void {
    if (this.#isClosed) return
    if (state !== 'failed' && state !== 'closed') return
    this.close()
    this.#events.lost()
  }

  #eventCodec(): RTCRtpCodecParameters | undefined {
    return this.#transceiver?.codecs.find(({ name }) => name.toLowerCase() === 'telephone-event')
  }

  #localSdp(): string {
    const sdp = this.#connection.localDescription?.sdp
    if (!sdp) throw new Error('The connection has no description')
    return sdp
  }
}

/** Opens the RTP end of a phone. */
export function openWebRtcPhoneLeg(events: PhoneLegEvents): PhoneLeg {
  return new WebRtcLeg(events, false)
}

/** The same behind the official platform's server, which waits for the other end's checks (RFC 8445 section 2.5). */
export function openIceLitePhoneLeg(events: PhoneLegEvents): PhoneLeg {
  return new WebRtcLeg(events, true)
}
