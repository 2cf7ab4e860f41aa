import type { CallId } from '../../src/domain/ids.ts'
import { describeMedia, readDescription } from '../../src/domain/call-media.ts'
import type { Pcm16Media } from '../../src/domain/call-media.ts'
import type { Clock, Timer } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import type { OutgoingFrame, RateHz } from '../audio/frame.ts'
import type { OpusCodec } from '../audio/opus.ts'
import type { HeardPacket } from '../audio/packet-feed.ts'
import { samplesPerSlot } from '../audio/pcm.ts'
import { UnusableDescription } from './leg.ts'
import type { Leg, LegEvents, LegStats, OpenLeg } from './leg.ts'
import type { LegSocket, LegSocketListener, LegSockets, SocketLeg } from './leg-socket.ts'
import { RawLine } from './raw-line.ts'
import { RawStream } from './raw-stream.ts'

/**
 * Our choice: wideband, which speech services take, with a third of the bytes of 48 kHz. An engine that calls us
 * chooses its own rate.
 */
const OFFERED_RATE_HZ = 16_000
/** [engines.pcm16.6]: a socket that drops may come back within 10 s; otherwise the leg is lost. */
export const COME_BACK_MS = 10_000

export interface RawLegParts {
  readonly opus: OpusCodec
  readonly clock: Clock
  readonly log: Log
  readonly sockets: LegSockets
}

/** The other side's description is not of a raw audio leg, or does not fit ours. */
export class UnusableMedia extends Error {}

/** Makes raw audio legs ([engines.pcm16.3]): headerless samples over a WebSocket. */
export function createRawAudioLegs(parts: RawLegParts): OpenLeg {
  return (events, callId) => new RawAudioLeg(parts, events, callId)
}

/** Samples over a sequence of WebSockets: frames in and messages out, messages in and samples out. */
class RawAudioLeg implements Leg, SocketLeg {
  readonly callId: CallId
  readonly packets = null
  readonly #parts: RawLegParts
  readonly #events: LegEvents
  #stream: RawStream | null = null
  #line: RawLine | null = null
  #awayTimer: Timer | null = null
  #isFlowing = false
  #isClosed = false
  #isLost = false

  constructor(parts: RawLegParts, events: LegEvents, callId: CallId) {
    this.#parts = parts
    this.#events = events
    this.callId = callId
  }

  get isOpen(): boolean {
    return this.#line !== null
  }

  get isFlowing(): boolean {
    return this.#isFlowing
  }

  get isSendingDigits(): boolean {
    return this.#stream?.digits.isBusy ?? false
  }

  get takesSocket(): boolean {
    return !this.#isClosed && !this.#isLost && (this.#line === null || this.#line.isSilent)
  }

  async offer(): Promise<string> {
    this.#begin(OFFERED_RATE_HZ)
    return describeMedia({ kind: 'pcm16', ...this.#parts.sockets.expect(this), rateHz: OFFERED_RATE_HZ })
  }

  async answer(description: string): Promise<string> {
    const { rateHz, url, token } = readRaw(description)
    this.#begin(rateHz)
    if (url === undefined || token === undefined)
      return describeMedia({ kind: 'pcm16', ...this.#parts.sockets.expect(this), rateHz })
    this.#parts.sockets.dial(this, url, token)
    return describeMedia({ kind: 'pcm16', rateHz })
  }

  /** Takes the answer. Only its rate is checked, which must be ours, because the offer already named the address. */
  async connect(description: string): Promise<void> {
    if (readRaw(description).rateHz !== this.#stream?.rateHz)
      throw new UnusableMedia('the answer has another rate than the offer')
  }

  attach(socket: LegSocket): LegSocketListener {
    const line = new RawLine(socket, this.#parts.clock, {
      samples: (samples) => this.#hear(samples),
      digit: (digit, durationMs) => this.#events.digit(digit, durationMs),
      stats: (stats) => this.#stream?.note(stats),
      ended: () => this.#lose('ENGINE_ENDED'),
      gone: () => this.#drop(line),
    })
    if (this.#isClosed || this.#isLost) {
      line.end('closed')
      return line
    }
    this.#awayTimer?.cancel()
    this.#line?.replace()
    this.#line = line
    return line
  }

  update(): void {
    throw new UnusableDescription('comes again, while raw audio has nothing to change')
  }

  send(frame: OutgoingFrame): void {
    if (this.#line && this.#stream) this.#stream.send(frame, this.#line)
  }

  skip(): void {
    // Raw audio has no timestamp to move: the other side plays by its own clock.
  }

  clear(): void {
    this.#line?.sendMessage({ type: 'clear' })
  }

  receive(ratesHz: readonly RateHz[], packets: HeardPacket[] | null = null): Int16Array[] {
    this.#line?.slot()
    return this.#stream && !this.#isClosed
      ? this.#stream.receive(ratesHz, packets)
      : ratesHz.map((rateHz) => new Int16Array(samplesPerSlot(rateHz)))
  }

  sendDigits(digits: string): boolean {
    return this.#stream?.digits.queue(digits) ?? false
  }

  stats(): LegStats {
    return (
      this.#stream?.stats() ?? {
        rttMs: null,
        jitterMs: 0,
        lost: 0,
        concealedMs: 0,
        fecRecovered: 0,
        sentFrames: 0,
        receivedFrames: 0,
      }
    )
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#end('closed')
  }

  #begin(rateHz: RateHz): void {
    this.#stream ??= new RawStream(this.#parts.opus, rateHz)
  }

  #hear(samples: Int16Array): void {
    if (this.#isClosed || samples.length === 0) return
    this.#stream?.hear(samples)
    if (this.#isFlowing) return
    this.#isFlowing = true
    this.#events.flowing()
  }

  #drop(line: RawLine): void {
    if (this.#line !== line) return
    this.#line = null
    if (!this.#isClosed && !this.#isLost)
      this.#awayTimer = this.#parts.clock.after(COME_BACK_MS, () => this.#lose('SOCKET_LOST'))
  }

  #lose(reason: string): void {
    if (this.#isClosed || this.#isLost) return
    this.#isLost = true
    this.#end('lost')
    this.#parts.log.info({ callId: this.callId }, 'a raw audio leg was lost')
    this.#events.lost(reason)
  }

  #end(reason: string): void {
    this.#awayTimer?.cancel()
    this.#parts.sockets.forget(this)
    const line = this.#line
    this.#line = null
    line?.end(reason)
    this.#stream?.close()
  }
}

function readRaw(description: string): Pcm16Media {
  const media = readDescription(description)
  if (media?.kind !== 'pcm16') throw new UnusableMedia('not a description of raw audio')
  return media
}
