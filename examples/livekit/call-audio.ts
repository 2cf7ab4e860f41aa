/**
 * The audio of a call for LiveKit Agents, in the place of a room: what the caller says is the input of a session, and
 * what the agent says its output. Both are PCM16 over the socket of the call, in the service's own words (dialect
 * `native`). Nothing here knows a model, so it serves any.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { stream, voice } from '@livekit/agents'
import { AudioFrame } from '@livekit/rtc-node'
import { WebSocket } from 'ws'

/** The setting `voice` asks for this rate, both ways. LiveKit converts what a model speaks at another. */
const RATE_HZ = 24_000
/** The service takes no longer message. */
const MOST_BYTES = 65_536
/** our choice: models speak faster than they are heard; the service keeps 60 s, and takes 500 messages a second. */
const MOST_AHEAD_MS = 2_000

/** What the caller says. */
export class CallInput extends voice.AudioInput {
  readonly #frames = stream.createStreamChannel<AudioFrame>()
  #isAttached = false

  constructor(call: WebSocket) {
    super()
    this.multiStream.addInputStream(this.#frames.stream())
    call.on('message', (data: Buffer, isBinary) => {
      if (isBinary && this.#isAttached) this.#hear(data)
    })
    call.on('close', () => void this.#frames.close())
  }

  /** A session that does not listen, or is over, must not find what was said meanwhile. */
  override setAttached(attached: boolean): void {
    this.#isAttached = attached
  }

  #hear(data: Buffer): void {
    // A copy: the message is a part of a larger buffer, and the plugin gives the whole buffer of a frame to the model.
    const samples = new Int16Array(Uint8Array.from(data).buffer)
    void this.#frames.write(new AudioFrame(samples, RATE_HZ, 1, samples.length))
  }
}

/** Words up to one `flush`. LiveKit waits to be told when they began and ended to be heard. */
interface Segment {
  /** The names of the marks behind its first frame and its last one. */
  readonly begins: string
  readonly ends: string
  sentMs: number
  /** The `clear` that dropped what was not heard of it; null while none did. */
  clear: string | null
}

/** What the agent says. */
export class CallOutput extends voice.AudioOutput {
  readonly #call: WebSocket
  /** Those whose end is still to be told, the oldest first. */
  #segments: Segment[] = []
  /** The one that the next frame belongs to; null before its first. */
  #open: Segment | null = null
  #count = 0
  /** True while a person has taken the call over: what the agent says is dropped, and no mark comes back. */
  #isTaken = false
  /** When all that was sent will have been heard, in ms since the epoch. */
  #heardAt = 0

  constructor(call: WebSocket) {
    super(RATE_HZ, undefined, { pause: true })
    this.#call = call
    call.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) this.#read(JSON.parse(String(data)))
    })
    call.on('close', () => this.#abandon())
  }

  /** Whether the caller hears what is sent. */
  get #isOurs(): boolean {
    return this.#call.readyState === WebSocket.OPEN && !this.#isTaken
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    if (!this.#isOurs) return
    const counted = super.captureFrame(frame)
    const bytes = Buffer.from(frame.data.buffer, frame.data.byteOffset, frame.data.byteLength)
    for (let at = 0; at < bytes.length; at += MOST_BYTES) this.#call.send(bytes.subarray(at, at + MOST_BYTES))
    this.#open ??= this.#begin()
    const ms = (frame.samplesPerChannel / RATE_HZ) * 1_000
    this.#open.sentMs += ms
    this.#heardAt = Math.max(this.#heardAt, Date.now()) + ms
    await counted
    // No longer than the frame at hand: a session that is interrupted meanwhile waits for it.
    if (this.#heardAt - Date.now() > MOST_AHEAD_MS) await wait(ms)
  }

  #begin(): Segment {
    const segment = { begins: `begins-${++this.#count}`, ends: `ends-${this.#count}`, sentMs: 0, clear: null }
    this.#segments.push(segment)
    this.#send({ type: 'mark', name: segment.begins })
    return segment
  }

  override flush(): void {
    super.flush()
    if (this.#open) this.#send({ type: 'mark', name: this.#open.ends })
    this.#open = null
  }

  /** The caller interrupts: what waits to be heard is dropped. `cleared` says how much that was. */
  override clearBuffer(): void {
    this.flush()
    const dropped = this.#segments.filter(({ clear }) => clear === null)
    if (dropped.length === 0) return
    const id = `clear-${++this.#count}`
    for (const segment of dropped) segment.clear = id
    this.#heardAt = 0
    this.#send({ type: 'clear', id })
  }

  /** LiveKit holds its words while it does not know whether a sound interrupts them. */
  override pause(): void {
    this.#send({ type: 'pause' })
  }

  override resume(): void {
    this.#send({ type: 'resume' })
  }

  #send(message: object): void {
    if (this.#isOurs) this.#call.send(JSON.stringify(message))
  }

  #read(message: { type: string; [field: string]: any }): void {
    // Marks of what was dropped come back, too; `cleared` behind them tells more.
    if (message.type === 'mark' && message['status'] === 'played') this.#played(message['name'])
    if (message.type === 'cleared') this.#cut(message['id'], message['discardedMs'])
    if (message.type !== 'takeover') return
    this.#isTaken = message['by'] === 'person'
    if (this.#isTaken) this.#abandon()
  }

  #played(mark: string): void {
    if (this.#segments.some(({ begins }) => begins === mark)) this.onPlaybackStarted(Date.now())
    const whole = this.#segments.find(({ ends }) => ends === mark)
    if (whole) this.#finish(whole, whole.sentMs, false)
  }

  /** What was dropped is the end of all that was sent, so the last segment is the first to miss it. */
  #cut(id: string, discardedMs: number): void {
    const cut = this.#segments.filter(({ clear }) => clear === id)
    let keptMs = cut.reduce((sum, { sentMs }) => sum + sentMs, -discardedMs)
    for (const segment of cut) {
      const heardMs = Math.min(Math.max(keptMs, 0), segment.sentMs)
      this.#finish(segment, heardMs, true)
      keptMs -= heardMs
    }
  }

  /** Nothing comes back of what was sent, and LiveKit waits for the end of each segment. */
  #abandon(): void {
    this.#open = null
    for (const segment of this.#segments) this.#finish(segment, 0, true)
  }

  #finish(segment: Segment, heardMs: number, interrupted: boolean): void {
    this.#segments = this.#segments.filter((one) => one !== segment)
    this.onPlaybackFinished({ playbackPosition: heardMs / 1_000, interrupted })
  }
}
