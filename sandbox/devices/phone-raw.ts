import { WebSocket } from 'ws'
import { describeMedia, readDescription } from '../../src/domain/call-media.ts'
import type { Pcm16Media, Pcm16RateHz } from '../../src/domain/call-media.ts'
import { DigitReader } from './phone-dtmf.ts'
import type { PhoneLeg, PhoneLegEvents } from './phone-leg.ts'
import {
  FRAME_SAMPLES,
  OPUS_CLOCK_HZ,
  openOpusReader,
  openOpusWriter,
  type OpusReader,
  type OpusWriter,
} from './phone-opus.ts'

/** our choice: rate that a phone offers; telephone networks of today carry as much. */
const OFFERED_RATE_HZ = 16_000
/** A socket that dropped may come back for 10 s ([engines.pcm16.6]). */
const COME_BACK_MS = 10_000
const REDIAL_MS = 250
const HANDSHAKE_MS = 5_000
const LOST_REPORT_MS = 1_500
const SLOTS_PER_SECOND = 50

interface Codec {
  readonly rateHz: Pcm16RateHz
  /** Decodes what the phone says. */
  readonly reader: OpusReader
  /** Encodes what it hears. */
  readonly writer: OpusWriter
}

/**
 * A phone whose engine has audio of its own ([engines.pcm16.1]): the phone speaks Opus as always, and the engine
 * converts it. It connects to the address that the far end names.
 */
class RawLeg implements PhoneLeg {
  readonly eventClockHz = OPUS_CLOCK_HZ
  readonly #events: PhoneLegEvents
  readonly #pressed = new DigitReader()
  #codec: Codec | null = null
  #target: { readonly url: string; readonly token: string } | null = null
  #socket: WebSocket | null = null
  #awaySinceMs: number | null = null
  #redialMs = REDIAL_MS
  #held = new Int16Array(0)
  #timestamp = 0
  #isClosed = false

  constructor(events: PhoneLegEvents) {
    this.#events = events
  }

  get isConnected(): boolean {
    return !this.#isClosed && this.#socket?.readyState === WebSocket.OPEN
  }

  async offer(): Promise<string> {
    await this.#open(OFFERED_RATE_HZ)
    return describeMedia({ kind: 'pcm16', rateHz: OFFERED_RATE_HZ })
  }

  async answer(offer: string): Promise<string> {
    const { rateHz } = await this.#reach(offer)
    return describeMedia({ kind: 'pcm16', rateHz })
  }

  async connect(answer: string): Promise<void> {
    await this.#reach(answer)
  }

  sendAudio(payload: Uint8Array): void {
    const samples = this.#codec?.reader.decode(payload)
    if (samples) this.#send(samples)
  }

  sendEvent(payload: Uint8Array, timestamp: number): void {
    const digit = this.#pressed.read(payload, timestamp, OPUS_CLOCK_HZ)
    if (digit && this.isConnected) this.#socket?.send(JSON.stringify({ type: 'dtmf', ...digit }))
  }

  /** Samples are the time here, so a slot of digits is sent as silence. */
  passSlot(): void {
    if (this.#codec) this.#send(new Int16Array(this.#codec.rateHz / SLOTS_PER_SECOND))
  }

  impair(): boolean {
    // A socket loses nothing.
    return false
  }

  async changeAddress(): Promise<boolean> {
    return false
  }

  drop(awayMs: number): boolean {
    if (!this.isConnected) return false
    this.#redialMs = awayMs
    this.#socket?.terminate()
    return true
  }

  renumber(): null {
    return null
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#socket?.close(1000)
    this.#codec?.reader.close()
    this.#codec?.writer.close()
  }

  async #open(rateHz: Pcm16RateHz): Promise<void> {
    const [reader, writer] = await Promise.all([openOpusReader(rateHz), openOpusWriter(rateHz)])
    if (this.#codec || this.#isClosed) {
      reader.close()
      writer.close()
    } else {
      this.#codec = { rateHz, reader, writer }
    }
  }

  async #reach(description: string): Promise<Pcm16Media> {
    const media = readDescription(description)
    if (media?.kind !== 'pcm16' || media.url === undefined || media.token === undefined)
      throw new Error('The far end names no address')
    if (this.#codec && this.#codec.rateHz !== media.rateHz) throw new Error('The far end has another rate')
    await this.#open(media.rateHz)
    this.#target = { url: media.url, token: media.token }
    this.#dial()
    return media
  }

  #dial(): void {
    if (this.#isClosed || !this.#target) return
    const { url, token } = this.#target
    const socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: HANDSHAKE_MS,
      perMessageDeflate: false,
    })
    this.#socket = socket
    socket.on('error', () => socket.terminate())
    socket.on('open', () => {
      this.#awaySinceMs = null
    })
    socket.on('message', (data, isBinary) => {
      if (this.#isClosed || this.#socket !== socket) return
      if (isBinary) this.#hear(data as Buffer)
      else this.#read(String(data))
    })
    socket.on('close', (code) => this.#dropped(code))
  }

  #dropped(code: number): void {
    if (this.#isClosed) return
    this.#awaySinceMs ??= performance.now()
    if (code !== 1000 && performance.now() - this.#awaySinceMs < COME_BACK_MS) {
      setTimeout(() => this.#dial(), this.#redialMs).unref()
      this.#redialMs = REDIAL_MS
      return
    }
    this.close()
    // The far end closes its audio before its signalling tells of the end and the reason.
    setTimeout(() => this.#events.lost(), LOST_REPORT_MS).unref()
  }

  #send(samples: Int16Array): void {
    if (this.isConnected) this.#socket?.send(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
  }

  /** Hears raw audio of any even length, and makes packets of 20 ms from it. */
  #hear(bytes: Buffer): void {
    const codec = this.#codec
    if (!codec) return
    const frame = codec.rateHz / SLOTS_PER_SECOND
    const held = new Int16Array(this.#held.length + Math.floor(bytes.length / 2))
    held.set(this.#held)
    new Uint8Array(held.buffer, this.#held.length * 2).set(bytes.subarray(0, (held.length - this.#held.length) * 2))
    let at = 0
    for (; at + frame <= held.length; at += frame) {
      const packet = codec.writer.encode(held.slice(at, at + frame))
      if (packet) this.#events.audio(packet, this.#timestamp >>> 0)
      this.#timestamp += FRAME_SAMPLES
    }
    this.#held = held.slice(at)
  }

  #read(text: string): void {
    const message: unknown = JSON.parse(text)
    if (typeof message !== 'object' || message === null || !('type' in message)) return
    if (message.type === 'clear') this.#held = new Int16Array(0)
    if (message.type === 'dtmf' && 'digit' in message && 'durationMs' in message) {
      this.#events.digit({ digit: String(message.digit), durationMs: Number(message.durationMs) })
    }
  }
}

/** Opens the raw audio end of a phone. */
export function openRawPhoneLeg(events: PhoneLegEvents): PhoneLeg {
  return new RawLeg(events)
}
