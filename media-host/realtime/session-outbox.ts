import type { Clock } from '../../src/ports/clock.ts'
import type { Connection } from './connection.ts'

/** Bytes handed to the network at a time (our choice). The rest waits here, where old audio can still be dropped. */
const WINDOW_BYTES = 65_536
/** Bytes of audio held for a slow client before its oldest frames are dropped (our choice: 8 s at 16 kHz). */
const HELD_AUDIO_BYTES = 262_144
/** [realtime.closing.11]: over 1 MiB unsent, or stalled for 10 s, closes with 4408. */
const MAX_UNSENT_BYTES = 1_048_576
const STALLED_MS = 10_000

type Held = { readonly audio: Uint8Array } | { readonly text: string }

/** Sends to one client in order, and bounds the memory of a client that does not read. */
export class Outbox {
  readonly #connection: Connection
  readonly #clock: Clock
  #held: Held[] = []
  #heldAudioBytes = 0
  #heldTextBytes = 0
  #sentBytes = 0
  #progressBytes = 0
  #progressAtMs: number
  #dropped = 0

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection
    this.#clock = clock
    this.#progressAtMs = clock.monotonicMs()
  }

  /** Audio frames dropped so far. */
  get droppedFrames(): number {
    return this.#dropped
  }

  text(text: string): void {
    if (this.#isOpen()) return this.#sendText(text)
    this.#held.push({ text })
    this.#heldTextBytes += text.length
  }

  /** Sends or holds audio; answers how many old frames were dropped. */
  audio(bytes: Uint8Array): number {
    if (this.#isOpen()) {
      this.#sendAudio(bytes)
      return 0
    }
    this.#held.push({ audio: bytes.slice() })
    this.#heldAudioBytes += bytes.length
    const before = this.#dropped
    while (this.#heldAudioBytes > HELD_AUDIO_BYTES) this.#dropOldest()
    return this.#dropped - before
  }

  /** Hands on waiting messages as far as the network takes them. */
  drain(): void {
    let sent = 0
    for (const item of this.#held) {
      if (this.#connection.bufferedBytes >= WINDOW_BYTES) break
      if ('text' in item) {
        this.#heldTextBytes -= item.text.length
        this.#sendText(item.text)
      } else {
        this.#heldAudioBytes -= item.audio.length
        this.#sendAudio(item.audio)
      }
      sent++
    }
    if (sent > 0) this.#held = this.#held.slice(sent)
  }

  /** True when the client reads too slowly; asked about once a second. */
  isTooSlow(): boolean {
    const { bufferedBytes } = this.#connection
    const nowMs = this.#clock.monotonicMs()
    const taken = this.#sentBytes - bufferedBytes
    if (bufferedBytes === 0 || taken > this.#progressBytes) this.#progressAtMs = nowMs
    this.#progressBytes = taken
    const unsent = bufferedBytes + this.#heldAudioBytes + this.#heldTextBytes
    return unsent > MAX_UNSENT_BYTES || nowMs - this.#progressAtMs >= STALLED_MS
  }

  #isOpen(): boolean {
    if (this.#held.length > 0) this.drain()
    return this.#held.length === 0 && this.#connection.bufferedBytes < WINDOW_BYTES
  }

  #sendText(text: string): void {
    this.#sentBytes += Buffer.byteLength(text)
    this.#connection.sendText(text)
  }

  #sendAudio(bytes: Uint8Array): void {
    this.#sentBytes += bytes.length
    this.#connection.sendBinary(bytes)
  }

  #dropOldest(): void {
    const at = this.#held.findIndex((item) => 'audio' in item)
    const [oldest] = at < 0 ? [] : this.#held.splice(at, 1)
    if (!oldest || !('audio' in oldest)) return
    this.#heldAudioBytes -= oldest.audio.length
    this.#dropped++
  }
}
