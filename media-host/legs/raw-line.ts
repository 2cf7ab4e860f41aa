import type { Clock } from '../../src/ports/clock.ts'
import type { LegSocket, LegSocketListener } from './leg-socket.ts'
import { readEngineMessage } from './raw-messages.ts'
import type { EngineStats } from './raw-messages.ts'

/** The longest message in bytes ([engines.pcm16.3]). */
export const MAX_MESSAGE_BYTES = 65_536
/** Our choice, as for realtime sockets: most messages of the other side in a second. */
export const MAX_MESSAGES_PER_SECOND = 500
/**
 * Our choice, as for realtime sockets: bytes of the longest text. An engine sends digits and statistics, a few a
 * second; a hundred texts cost 2 % of a core at most.
 */
export const MAX_TEXT_BYTES = 4_096
export const MAX_TEXTS_PER_SECOND = 100
/**
 * Our choice: most bytes that wait for a slow reader, 0.7 s at 48 kHz. Further frames are dropped, so that waiting
 * audio is never old.
 */
export const MAX_WAITING_BYTES = 65_536
/** Our choice: a reader that is too slow for this many ms is cut off, and may come back. */
export const SLOW_MS = 10_000
/**
 * Our choice: a sender that paces its audio sends something every 20 ms; after this many silent ms another socket may
 * take its place.
 */
const SILENT_MS = 1_000
/**
 * Our choice, as for realtime sockets: the ms between pings, and after which a socket without a frame of any kind is
 * closed.
 */
const PING_MS = 20_000
const DEAD_MS = 60_000

/** Close codes; those of realtime sockets where they mean the same ([realtime.closing.11] and on). */
export const LEG_CLOSE = {
  done: 1000,
  dead: 1001,
  oddLength: 1003,
  badJson: 1007,
  tooBig: 1009,
  slow: 4408,
  replaced: 4409,
  rate: 4429,
} as const

export interface RawLineEvents {
  /** The callee owns the samples. */
  samples(samples: Int16Array): void
  digit(digit: string, durationMs: number): void
  stats(stats: EngineStats): void
  /** The other side says that its audio is over. */
  ended(): void
  /** Called once when the socket is gone, unless the line was ended here. */
  gone(): void
}

/** One socket of a raw audio leg, with the rules for it. */
export class RawLine implements LegSocketListener {
  readonly #socket: LegSocket
  readonly #clock: Clock
  readonly #events: RawLineEvents
  #heardAtMs: number
  #pingedAtMs: number
  #slowSinceMs: number | null = null
  #second = { startedAtMs: 0, messages: 0, texts: 0 }
  #isOver = false

  constructor(socket: LegSocket, clock: Clock, events: RawLineEvents) {
    this.#socket = socket
    this.#clock = clock
    this.#events = events
    this.#heardAtMs = clock.monotonicMs()
    this.#pingedAtMs = this.#heardAtMs
  }

  get isSilent(): boolean {
    return this.#clock.monotonicMs() - this.#heardAtMs >= SILENT_MS
  }

  /** Sends samples. False when the reader is too slow and the frame was dropped. */
  sendSamples(samples: Int16Array): boolean {
    if (this.#isOver) return false
    if (this.#socket.bufferedBytes > MAX_WAITING_BYTES) {
      this.#slowSinceMs ??= this.#clock.monotonicMs()
      if (this.#clock.monotonicMs() - this.#slowSinceMs >= SLOW_MS) this.#breach(LEG_CLOSE.slow, 'SLOW_CONSUMER')
      return false
    }
    this.#slowSinceMs = null
    this.#socket.sendBinary(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
    return true
  }

  /** Sends a text, even to a slow reader, because texts are small and rare. */
  sendMessage(message: object): void {
    if (!this.#isOver) this.#socket.sendText(JSON.stringify(message))
  }

  /** Called every 20 ms. */
  slot(): void {
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - this.#heardAtMs >= DEAD_MS) return this.#breach(LEG_CLOSE.dead, 'no frame for 60 s')
    if (nowMs - this.#pingedAtMs < PING_MS) return
    this.#pingedAtMs = nowMs
    this.#socket.ping()
  }

  message(bytes: Uint8Array, isBinary: boolean): void {
    this.alive()
    if (this.#isOver) return
    if (!this.#hasRoom(isBinary)) return this.#breach(LEG_CLOSE.rate, 'RATE_EXCEEDED')
    if (bytes.length > (isBinary ? MAX_MESSAGE_BYTES : MAX_TEXT_BYTES))
      return this.#breach(LEG_CLOSE.tooBig, 'MESSAGE_TOO_BIG')
    if (!isBinary) return this.#read(Buffer.from(bytes).toString())
    if (bytes.length % 2 !== 0) return this.#breach(LEG_CLOSE.oddLength, 'ODD_LENGTH')
    // Samples are little-endian on the wire and in memory, on every machine that Node supports.
    const samples = new Int16Array(bytes.length / 2)
    new Uint8Array(samples.buffer).set(bytes)
    this.#events.samples(samples)
  }

  alive(): void {
    this.#heardAtMs = this.#clock.monotonicMs()
  }

  drain(): void {
    // The next slot looks at the waiting bytes.
  }

  closed(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#events.gone()
  }

  /** Ends this line, because another socket carries the leg now. */
  replace(): void {
    this.#isOver = true
    this.#socket.end(LEG_CLOSE.replaced, 'REPLACED')
  }

  /** Ends the leg: sends `ended` and closes. */
  end(reason: string): void {
    this.sendMessage({ type: 'ended', reason })
    this.#isOver = true
    this.#socket.end(LEG_CLOSE.done, 'ended')
  }

  #read(text: string): void {
    const message = readEngineMessage(text)
    if (!message) return this.#breach(LEG_CLOSE.badJson, 'BAD_JSON')
    if (message.type === 'dtmf') this.#events.digit(message.digit, message.durationMs)
    if (message.type === 'stats') this.#events.stats(message.stats)
    if (message.type === 'ended') this.#events.ended()
  }

  #hasRoom(isBinary: boolean): boolean {
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - this.#second.startedAtMs >= 1_000) this.#second = { startedAtMs: nowMs, messages: 0, texts: 0 }
    this.#second.messages++
    if (!isBinary) this.#second.texts++
    return this.#second.messages <= MAX_MESSAGES_PER_SECOND && this.#second.texts <= MAX_TEXTS_PER_SECOND
  }

  #breach(code: number, reason: string): void {
    this.#socket.end(code, reason)
    this.closed()
  }
}
