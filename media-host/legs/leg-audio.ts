import { randomInt } from 'node:crypto'
import type { OutgoingFrame, RateHz } from '../audio/frame.ts'
import { IncomingAudio } from '../audio/incoming-audio.ts'
import type { OpusCodec } from '../audio/opus.ts'
import type { HeardPacket } from '../audio/packet-feed.ts'
import { OutgoingAudio } from '../audio/outgoing-audio.ts'
import { samplesPerSlot } from '../audio/pcm.ts'
import { DigitReceiver } from '../audio/telephone-event.ts'
import type { Leg, LegEvents, LegPackets, LegStats } from './leg.ts'
import { middleOfNtp, ntpTimestamp, roundTripMs } from './rtcp-clock.ts'
import type { AgreedTypes, LegTransport, OpenTransport, PeerReport, RtpIn } from './transport.ts'

/**
 * Sender reports go out every 2 s: often enough for a round trip in each stats interval, and far below the RTCP share
 * of RFC 3550 section 6.2.
 */
const REPORT_SLOTS = 100

/**
 * The audio of a leg, whatever transport carries its packets: frames in and Opus packets out, packets in and samples
 * out, digits both ways.
 */
export class LegAudio implements Leg {
  readonly #events: LegEvents
  readonly #transport: LegTransport
  readonly #incoming: IncomingAudio
  readonly #outgoing: OutgoingAudio
  readonly #digits: DigitReceiver
  readonly packets: LegPackets
  #types: AgreedTypes | null = null
  #sent: Uint8Array | null = null
  #isFlowing = false
  #isToldFlowing = false
  #isClosed = false
  #isLost = false
  #octets = 0
  #packets = 0
  #slots = 0
  #rttMs: number | null = null

  constructor(opus: OpusCodec, events: LegEvents, openTransport: OpenTransport) {
    this.#events = events
    this.#incoming = new IncomingAudio(opus)
    this.#outgoing = new OutgoingAudio(opus, { sequence: randomInt(0x8000), timestamp: randomInt(0x1_0000_0000) })
    this.#digits = new DigitReceiver((digit, durationMs) => events.digit(digit, durationMs))
    const sentLast = (): Uint8Array | null => this.#sent
    this.packets = {
      get sent() {
        return sentLast()
      },
      heard: () => this.#incoming.slot(),
    }
    this.#transport = openTransport({
      agreed: (types) => {
        this.#types = types
      },
      packet: (packet) => this.#hear(packet),
      report: (report) => this.#hearReport(report),
      lost: (reason) => this.#lose(reason),
    })
  }

  get isOpen(): boolean {
    return this.#types !== null && !this.#isClosed && this.#transport.isOpen
  }

  get isFlowing(): boolean {
    return this.#isFlowing
  }

  get isSendingDigits(): boolean {
    return this.#outgoing.isSendingDigits
  }

  offer(): Promise<string> {
    return this.#transport.offer()
  }

  answer(sdpOffer: string): Promise<string> {
    return this.#transport.answer(sdpOffer)
  }

  connect(sdpAnswer: string): Promise<void> {
    return this.#transport.connect(sdpAnswer)
  }

  update(description: string): void {
    this.#transport.update(description)
  }

  send(frame: OutgoingFrame): void {
    this.#sent = null
    if (!this.#types || !this.isOpen) return
    // A peer that sends nothing counts as flowing when packets can be sent; its consent check shows later whether it is
    // still there.
    if (this.#types.isPeerSilent) this.#tellFlowing()
    const packet = this.#outgoing.next(frame, this.#types)
    if (packet) {
      if (packet.payloadType === this.#types.opus) this.#sent = packet.payload
      this.#packets++
      this.#octets += packet.payload.length
      this.#transport.send(packet)
    }
    if (++this.#slots % REPORT_SLOTS === REPORT_SLOTS / 4) this.#report()
  }

  clear(): void {
    // Nothing to drop: a WebRTC peer holds no more than its jitter buffer.
  }

  skip(slots: number): void {
    if (this.#transport.isOpen) this.#outgoing.skip(slots)
  }

  receive(ratesHz: readonly RateHz[], packets: HeardPacket[] | null = null, mayCut = false): Int16Array[] {
    if (this.#isClosed) return ratesHz.map((rateHz) => new Int16Array(samplesPerSlot(rateHz)))
    this.#digits.tick()
    return this.#incoming.receive(ratesHz, packets, mayCut)
  }

  sendDigits(digits: string): boolean {
    return this.#types?.event ? this.#outgoing.queueDigits(digits) : false
  }

  stats(): LegStats {
    const { jitterMs, lost, concealedMs, fecRecovered, received } = this.#incoming.stats()
    return {
      rttMs: this.#rttMs,
      jitterMs,
      lost,
      concealedMs,
      fecRecovered,
      sentFrames: this.#outgoing.sentFrames,
      receivedFrames: received,
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#incoming.close()
    this.#transport.close()
  }

  #hear(packet: RtpIn): void {
    if (this.#isClosed) return
    this.#isFlowing = true
    this.#tellFlowing()
    if (packet.payloadType === this.#types?.opus) return this.#incoming.push(packet)
    this.#incoming.skip(packet.ssrc, packet.sequence)
    const clockHz = this.#types?.eventClocks.get(packet.payloadType)
    if (clockHz !== undefined) this.#digits.push({ ...packet, clockHz })
  }

  #tellFlowing(): void {
    if (this.#isToldFlowing) return
    this.#isToldFlowing = true
    this.#events.flowing()
  }

  #report(): void {
    this.#transport.report({
      ntp: ntpTimestamp(wallMs()),
      rtpTimestamp: this.#outgoing.timestamp,
      packets: this.#packets >>> 0,
      octets: this.#octets >>> 0,
    })
  }

  #hearReport({ lastReport, delay, lost }: PeerReport): void {
    this.#rttMs = roundTripMs(middleOfNtp(ntpTimestamp(wallMs())), lastReport, delay) ?? this.#rttMs
    this.#outgoing.reportLoss(lost)
  }

  #lose(reason: string): void {
    if (this.#isClosed || this.#isLost) return
    this.#isLost = true
    this.#events.lost(reason)
  }
}

/** Wall-clock time that never steps, because reports compare only times of one process. */
function wallMs(): number {
  return performance.timeOrigin + performance.now()
}
