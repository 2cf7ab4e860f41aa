import { randomInt } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { RTCDtlsTransport, RTCPeerConnection, RTCRtpCodecParameters, RtcpRrPacket, RtcpSenderInfo, RtcpSrPacket, RtpHeader } from 'werift'
import type { RTCPeerConnectionConfig, RTCRtpTransceiver, RtcpPacket, RtcpReceiverInfo, RtpPacket } from 'werift'
import type { Log } from '../src/ports/log.ts'
import { IncomingAudio } from './incoming-audio.ts'
import type { Leg, LegEvents, LegStats, OpenLeg, OutgoingFrame, RateHz } from './leg.ts'
import type { OpusCodec } from './opus.ts'
import { OutgoingAudio } from './outgoing-audio.ts'
import type { PayloadTypes, RtpOut } from './outgoing-audio.ts'
import { middleOfNtp, ntpTimestamp, roundTripMs } from './rtcp-clock.ts'
import { DigitReceiver } from './telephone-event.ts'

/** Sender reports go out every 2 s: often enough for a round trip per stats interval, far under the RTCP share of RFC 3550 section 6.2. */
const REPORT_SLOTS = 100

export interface WebRtcLegOptions {
  readonly opus: OpusCodec
  readonly log: Log
  /**
   * The one address to offer. A local one is also bound to ('127.0.0.1' for the sandbox); any other is announced
   * as it is, for hosts behind a one-to-one NAT. Unset: every address of the machine but loopback.
   */
  readonly iceAddress?: string
  /** UDP ports to use, first and last. Unset: any. */
  readonly portRange?: readonly [number, number]
}

/** The peer's session description cannot be used: no SDP, no Opus, no fingerprint. */
export class UnusableSdp extends Error {}

/** Makes WebRTC legs: all candidates inside the SDP, DTLS-SRTP, Opus mono with telephone events. */
export function createWebRtcLegs(options: WebRtcLegOptions): OpenLeg {
  // Made once for all legs, and now, so that the first call does not wait for it.
  RTCDtlsTransport.SetupCertificate().catch((error: unknown) => options.log.error({ name: nameOf(error) }, 'the DTLS certificate could not be made'))
  return (events) => new WebRtcLeg(options, events)
}

class WebRtcLeg implements Leg {
  readonly #log: Log
  readonly #events: LegEvents
  readonly #peer: RTCPeerConnection
  readonly #transceiver: RTCRtpTransceiver
  readonly #incoming: IncomingAudio
  readonly #outgoing: OutgoingAudio
  readonly #digits: DigitReceiver
  readonly #header: RtpHeader
  readonly #closing = Promise.withResolvers<never>()
  #types: PayloadTypes | null = null
  #eventClocks = new Map<number, number>()
  #isFlowing = false
  #isClosed = false
  #isLost = false
  #octets = 0
  #packets = 0
  #slots = 0
  #rttMs: number | null = null

  constructor(options: WebRtcLegOptions, events: LegEvents) {
    this.#log = options.log
    this.#events = events
    this.#incoming = new IncomingAudio(options.opus)
    this.#outgoing = new OutgoingAudio(options.opus, { sequence: randomInt(0x8000), timestamp: randomInt(0x1_0000_0000) })
    this.#digits = new DigitReceiver((digit, durationMs) => events.digit(digit, durationMs))
    this.#peer = new RTCPeerConnection(peerConfig(options))
    this.#transceiver = this.#peer.addTransceiver('audio', { direction: 'sendrecv' })
    this.#header = new RtpHeader({ ssrc: this.#transceiver.sender.ssrc, extension: false })
    this.#closing.promise.catch(() => {})
    this.#peer.connectionStateChange.subscribe((state) => this.#noteState(state))
  }

  get isFlowing(): boolean {
    return this.#isFlowing
  }

  get isSendingDigits(): boolean {
    return this.#outgoing.isSendingDigits
  }

  offer(): Promise<string> {
    return this.#unlessClosed(async () => this.#local(await this.#peer.createOffer()))
  }

  answer(sdpOffer: string): Promise<string> {
    return this.#unlessClosed(() => this.#answer(sdpOffer))
  }

  /** The first answer stands: a peer that answers again changes nothing. */
  async connect(sdpAnswer: string): Promise<void> {
    if (this.#types) return
    await this.#unlessClosed(() => this.#remote('answer', sdpAnswer))
    this.#startMedia()
  }

  send(frame: OutgoingFrame): void {
    const dtls = this.#transceiver.dtlsTransport
    if (!this.#types || this.#isClosed || dtls.state !== 'connected') return
    const packet = this.#outgoing.next(frame, this.#types)
    if (packet) this.#transmit(dtls, packet)
    if (++this.#slots % REPORT_SLOTS === REPORT_SLOTS / 4) this.#report(dtls)
  }

  skip(slots: number): void {
    if (this.#transceiver.dtlsTransport.state === 'connected') this.#outgoing.skip(slots)
  }

  receive(ratesHz: readonly RateHz[]): Int16Array[] {
    if (this.#isClosed) return ratesHz.map((rateHz) => new Int16Array(rateHz / 50))
    this.#digits.tick()
    return this.#incoming.receive(ratesHz)
  }

  sendDigits(digits: string): boolean {
    return this.#types?.event ? this.#outgoing.queueDigits(digits) : false
  }

  stats(): LegStats {
    const { jitterMs, lost, concealedMs, fecRecovered, received } = this.#incoming.stats()
    return { rttMs: this.#rttMs, jitterMs, lost, concealedMs, fecRecovered, sentFrames: this.#outgoing.sentFrames, receivedFrames: received }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#closing.reject(new Error('the leg was closed while negotiating'))
    this.#incoming.close()
    this.#peer.close().catch((error: unknown) => this.#log.warn({ name: nameOf(error) }, 'an RTP leg did not close cleanly'))
  }

  async #answer(sdpOffer: string): Promise<string> {
    await this.#remote('offer', sdpOffer)
    // RFC 8842 section 5.3: an active offerer is answered passive; werift would answer active to all.
    if (/^a=setup:active\r?$/m.test(sdpOffer)) this.#transceiver.dtlsTransport.role = 'server'
    const sdp = await this.#local(await this.#peer.createAnswer())
    this.#startMedia()
    return sdp
  }

  /** werift never settles a negotiation under way when it is closed; ours then rejects. */
  #unlessClosed<T>(negotiate: () => Promise<T>): Promise<T> {
    return Promise.race([negotiate(), this.#closing.promise])
  }

  async #local(description: { type: 'offer' | 'answer' | 'pranswer' | 'rollback', sdp: string }): Promise<string> {
    await this.#peer.setLocalDescription(description)
    const sdp = this.#peer.localDescription?.sdp
    if (!sdp) throw new Error('the leg was closed while negotiating')
    return withPacketTime(sdp)
  }

  async #remote(type: 'offer' | 'answer', sdp: string): Promise<void> {
    if (!/^v=0\r?$/m.test(sdp) || !/^m=audio /m.test(sdp)) throw new UnusableSdp('not an audio session description')
    if (!/^a=fingerprint:/m.test(sdp)) throw new UnusableSdp('no DTLS fingerprint')
    try {
      await this.#peer.setRemoteDescription({ type, sdp })
    } catch (error) {
      this.#log.info({ name: nameOf(error), type }, 'a session description was refused')
      throw new UnusableSdp('the session description does not fit', { cause: error })
    }
    this.#types = payloadTypes(this.#transceiver.codecs)
    if (!this.#types) throw new UnusableSdp('no Opus')
    this.#eventClocks = new Map(this.#transceiver.codecs.filter(isTelephoneEvent).map((codec) => [codec.payloadType, codec.clockRate]))
  }

  /** Listens below werift's router, which knows only sources named in the SDP and copies every packet. */
  #startMedia(): void {
    const dtls = this.#transceiver.dtlsTransport
    dtls.onRtp.subscribe((packet) => this.#hear(packet))
    dtls.onRtcp.subscribe((packet) => this.#hearReport(packet))
  }

  #hear({ header, payload }: RtpPacket): void {
    if (this.#isClosed) return
    if (!this.#isFlowing) {
      this.#isFlowing = true
      this.#events.flowing()
    }
    if (header.payloadType === this.#types?.opus) {
      this.#incoming.push({ ssrc: header.ssrc, sequence: header.sequenceNumber, timestamp: header.timestamp, payload, arrivedMs: performance.now() })
      return
    }
    this.#incoming.skip(header.ssrc, header.sequenceNumber)
    const clockHz = this.#eventClocks.get(header.payloadType)
    if (clockHz !== undefined) this.#digits.push(payload, header.timestamp, clockHz)
  }

  #transmit(dtls: RTCDtlsTransport, packet: RtpOut): void {
    const header = this.#header
    header.payloadType = packet.payloadType
    header.sequenceNumber = packet.sequence
    header.timestamp = packet.timestamp
    header.marker = packet.marker
    this.#packets++
    this.#octets += packet.payload.length
    // Encrypted before the first await inside, so that one header serves all packets.
    void dtls.sendRtp(asBuffer(packet.payload), header)
  }

  #report(dtls: RTCDtlsTransport): void {
    const senderInfo = new RtcpSenderInfo({
      ntpTimestamp: ntpTimestamp(wallMs()),
      rtpTimestamp: this.#outgoing.timestamp,
      packetCount: this.#packets >>> 0,
      octetCount: this.#octets >>> 0,
    })
    dtls.sendRtcp([new RtcpSrPacket({ ssrc: this.#header.ssrc, senderInfo })])
      .catch((error: unknown) => this.#log.debug({ name: nameOf(error) }, 'a sender report was not sent'))
  }

  #hearReport(packet: RtcpPacket): void {
    if (!(packet instanceof RtcpRrPacket || packet instanceof RtcpSrPacket)) return
    const mine = packet.reports.find((report): report is RtcpReceiverInfo => report.ssrc === this.#header.ssrc)
    if (!mine) return
    this.#rttMs = roundTripMs(middleOfNtp(ntpTimestamp(wallMs())), mine.lsr, mine.dlsr) ?? this.#rttMs
    this.#outgoing.reportLoss(mine.fractionLost / 256)
  }

  /** werift reports consent that ran out (RFC 7675, 30 s) as failed, and a DTLS close_notify as closed. */
  #noteState(state: string): void {
    if (this.#isClosed || this.#isLost || !(state === 'failed' || state === 'closed' || state === 'disconnected')) return
    this.#isLost = true
    this.#events.lost(state)
  }
}

function peerConfig(options: WebRtcLegOptions): RTCPeerConnectionConfig {
  return {
    codecs: { audio: offeredCodecs(), video: [] },
    headerExtensions: { audio: [], video: [] },
    iceServers: [],
    bundlePolicy: 'max-bundle',
    ...(options.portRange && { icePortRange: [options.portRange[0], options.portRange[1]] }),
    ...(options.iceAddress !== undefined && oneAddress(options.iceAddress)),
  }
}

/** werift skips loopback and adds every interface; naming an address therefore means switching its own search off. */
function oneAddress(address: string): RTCPeerConnectionConfig {
  const isLocal = Object.values(networkInterfaces()).some((list) => list?.some((entry) => entry.address === address))
  return {
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: [address],
    ...(isLocal && { iceInterfaceAddresses: isIPv6(address) ? { udp6: address } : { udp4: address } }),
  }
}

/** New objects each time: werift writes into them. Telephone events at both clocks that peers use (RFC 7587 section 7, RFC 4733). */
function offeredCodecs(): RTCRtpCodecParameters[] {
  return [
    new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111, parameters: 'minptime=10;useinbandfec=1' }),
    new RTCRtpCodecParameters({ mimeType: 'audio/telephone-event', clockRate: 48_000, payloadType: 110, parameters: '0-15' }),
    new RTCRtpCodecParameters({ mimeType: 'audio/telephone-event', clockRate: 8_000, payloadType: 126, parameters: '0-15' }),
  ]
}

function payloadTypes(codecs: readonly RTCRtpCodecParameters[]): PayloadTypes | null {
  const opus = codecs.find((codec) => codec.mimeType.toLowerCase() === 'audio/opus')
  if (!opus) return null
  const events = codecs.filter(isTelephoneEvent)
  const event = events.find((codec) => codec.clockRate === 48_000) ?? events[0]
  return { opus: opus.payloadType, event: event ? { type: event.payloadType, clockHz: event.clockRate } : null }
}

function isTelephoneEvent(codec: RTCRtpCodecParameters): boolean {
  return codec.mimeType.toLowerCase() === 'audio/telephone-event'
}

/** Adds the packet time we send with, which werift does not write (RFC 8866 section 6.4). */
function withPacketTime(sdp: string): string {
  return sdp.includes('a=ptime:') ? sdp : sdp.replace(/^a=rtpmap:/m, 'a=ptime:20\r\na=rtpmap:')
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Wall clock that never steps: reports compare times of one process only. */
function wallMs(): number {
  return performance.timeOrigin + performance.now()
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}
