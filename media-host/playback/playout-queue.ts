import { HELD, SILENCE, SLOT_MS } from '../audio/frame.ts'
import {
  appendAudio,
  countReady,
  peek,
  HIGH_MS,
  isWord,
  LOW_MS,
  MAX_QUEUED_MS,
  unitsOf,
  UNITS_PER_MS,
} from './playout-items.ts'
import { Drift } from './drift.ts'
import type { Steering } from './drift.ts'
import type { AudioItem, BufferState, Cleared, FileItem, PacketItem } from './playout-items.ts'
import type { PlayoutEvent, PlayoutItem, QueuedFile } from './playout-items.ts'
import type { OutgoingFrame, RateHz } from '../audio/frame.ts'

const SLOT_UNITS = SLOT_MS * UNITS_PER_MS
/**
 * Our choice: how many slots the call stays up after the last packet of a file that ends it, because a peer's jitter
 * buffer may hold 200 ms.
 */
const HANGUP_TAIL_SLOTS = 10
/** Our choice: audio that comes within 200 ms after the queue ran empty was late, and is no new utterance. */
const UNDERRUN_SLOTS = 10

/**
 * The audio that the peer is going to hear: socket audio, files, marks, digits and a hang-up in one order
 * ([realtime.client-messages.12] [realtime.client-messages.15]). Pure: time passes only by `take`, once for each slot
 * of 20 ms. Samples leave bit-exact, in whatever chunks they came.
 */
export class PlayoutQueue {
  #items: PlayoutItem[] = []
  #words = 0
  #queuedUnits = 0
  #droppedUnits = 0
  #playedUnits = 0
  #state: BufferState = 'ok'
  #prebufferMs = 0
  #isPaused = false
  /** True once the prebuffer of the current utterance was reached. */
  #isPlaying = false
  /** True when something was handed out since the queue was last empty. */
  #isUtterance = false
  #isTailWaited = false
  #waitedSlots = 0
  /** Slots that the packet sent last still lasts. */
  #heldSlots = 0
  /** Slots that passed since the queue ran empty. */
  #drySlots = UNDERRUN_SLOTS + 1
  #underruns = 0
  readonly #drift = new Drift()

  get queuedMs(): number {
    return Math.round(this.#queuedUnits / UNITS_PER_MS)
  }

  get underruns(): number {
    return this.#underruns
  }

  /** How the sender's clock differs from ours, and what was done about it. */
  get drift(): Pick<Drift, 'ppm' | 'trimmedMs'> {
    return this.#drift
  }

  get isEmpty(): boolean {
    return this.#items.length === 0 && this.#heldSlots === 0
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Waiting items without audio and files, such as marks and digits. */
  get words(): number {
    return this.#words
  }

  /** Files waiting or playing. */
  get files(): QueuedFile[] {
    return this.#items.flatMap((item) => (item.kind === 'file' ? [item.file] : []))
  }

  /** Sets how many ms of audio are gathered at most before an utterance starts. */
  setPrebuffer(ms: number): void {
    this.#prebufferMs = ms
    this.#drift.prebuffer(ms * UNITS_PER_MS)
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
  }

  /**
   * Queues socket audio. Answers the change of state it causes, or `full` each time audio is refused. A message that
   * does not fit is refused as a whole, so that queued audio stays contiguous. Audio that is not `isRefusable` is
   * always taken.
   */
  pushAudio(samples: Int16Array, rateHz: RateHz, isRefusable = true): PlayoutEvent | null {
    if (samples.length === 0) return null
    return this.#push(unitsOf(samples.length, rateHz), isRefusable, () => appendAudio(this.#items, samples, rateHz))
  }

  /** Queues an Opus packet of this many slots, 1 to 3, and owns it from here. Answers as `pushAudio` does. */
  pushPacket(packet: Uint8Array, slots: number): PlayoutEvent | null {
    return this.#push(slots * SLOT_UNITS, true, () => this.#items.push({ kind: 'packet', packet, slots }))
  }

  #push(units: number, isRefusable: boolean, append: () => void): PlayoutEvent | null {
    if (isRefusable && this.#queuedUnits + units > MAX_QUEUED_MS * UNITS_PER_MS) {
      this.#droppedUnits += units
      return this.#changeTo('full')
    }
    if (this.isEmpty && this.#drySlots <= UNDERRUN_SLOTS) {
      this.#underruns++
      this.#drift.ranDry()
    }
    append()
    this.#queuedUnits += units
    this.#drift.pushed(units)
    return this.#state === 'ok' && this.#queuedUnits > HIGH_MS * UNITS_PER_MS ? this.#changeTo('pause') : null
  }

  /** Queues a mark. A mark with nothing before it counts as reached at once, and is then answered. */
  pushMark(name: string | number, payload?: unknown): PlayoutEvent | null {
    if (this.isEmpty) return this.#mark(name, payload, 'played')
    this.#pushWord({ kind: 'mark', name, payload })
    return null
  }

  pushFile(file: QueuedFile): void {
    this.#drift.broken()
    this.#items.push({ kind: 'file', file, sent: 0, tailSlots: file.hangupAfterPlay ? HANGUP_TAIL_SLOTS : 0 })
  }

  pushDigits(digits: string): void {
    this.#pushWord({ kind: 'digits', digits })
  }

  pushHangup(reason: string | null): void {
    this.#pushWord({ kind: 'hangup', reason })
  }

  /** Ends the prebuffer, and pads the tail to a whole frame. */
  flush(): void {
    if (!this.isEmpty && this.#items.at(-1)?.kind !== 'flush') this.#pushWord({ kind: 'flush' })
  }

  /** Drops everything queued so far. Digits and a hang-up among it happen at once, because they must not get lost. */
  clear(): Cleared {
    const playedMs = this.#playedMs()
    const events: PlayoutEvent[] = []
    const marks: (string | number)[] = []
    let units = this.#queuedUnits
    for (const item of this.#items) {
      if (item.kind === 'mark') {
        marks.push(item.name)
        events.push(this.#mark(item.name, item.payload, 'cleared'))
      } else if (item.kind === 'file') {
        units += ((item.file.playable?.packets.length ?? 0) - item.sent) * SLOT_UNITS
        events.push({ kind: 'file', status: 'FAILED', file: item.file, error: 'CLEARED' })
      } else if (item.kind === 'digits') events.push({ kind: 'digits', digits: item.digits })
      else if (item.kind === 'hangup') events.push({ kind: 'hangup', reason: item.reason })
    }
    this.#items = []
    this.#words = 0
    this.#queuedUnits = 0
    this.#drift.broken()
    this.#endUtterance()
    this.#playedUnits = 0
    this.#drySlots = UNDERRUN_SLOTS + 1
    if (this.#state !== 'ok') events.push(this.#changeTo('ok'))
    return { discardedMs: Math.round(units / UNITS_PER_MS), playedMs, marks, events }
  }

  /** Drops the socket's audio and keeps the files, because its session did not come back. */
  dropSocketAudio(): void {
    this.#items = this.#items.filter((item) => item.kind === 'file' || item.kind === 'hangup')
    this.#words = this.#items.filter(isWord).length
    this.#queuedUnits = 0
    this.#drift.broken()
    this.#state = 'ok'
    this.#isPaused = false
  }

  /** Removes a file, for example because it could not be opened. */
  removeFile(file: QueuedFile): void {
    this.#items = this.#items.filter((item) => item.kind !== 'file' || item.file !== file)
  }

  /** The frame of this slot. `events` gets the events to tell once the leg has it. */
  take(events: PlayoutEvent[]): OutgoingFrame {
    this.#drift.slot(this.#queuedUnits)
    this.#drySlots++
    if (this.#isPaused) {
      this.#drift.broken()
      return this.#hold([]) ?? SILENCE
    }
    const frame = this.#hold(events) ?? this.#next(events)
    if (this.isEmpty && this.#isUtterance) events.push(this.#drained())
    if (this.#state !== 'ok' && this.#queuedUnits < LOW_MS * UNITS_PER_MS) events.push(this.#changeTo('ok'))
    return frame
  }

  #pushWord(word: PlayoutItem): void {
    this.#items.push(word)
    this.#words++
  }

  #shiftWord(): void {
    this.#items.shift()
    this.#words--
  }

  #next(events: PlayoutEvent[]): OutgoingFrame {
    for (;;) {
      this.#fireReached(events)
      const head = this.#items[0]
      if (head?.kind === 'digits') {
        this.#shiftWord()
        events.push({ kind: 'digits', digits: head.digits })
        return SILENCE
      }
      if (head?.kind === 'audio') return this.#audioFrame(head, events)
      if (head?.kind === 'packet') return this.#packetFrame(head, events)
      if (head?.kind !== 'file') return SILENCE
      const frame = this.#fileFrame(head, events)
      if (frame) return frame
    }
  }

  /** Tells the marks and other items at the head, because all before them was handed out. */
  #fireReached(events: PlayoutEvent[]): void {
    for (let head = this.#items[0]; head; head = this.#items[0]) {
      if (head.kind === 'mark') events.push(this.#mark(head.name, head.payload, 'played'))
      else if (head.kind === 'hangup') events.push({ kind: 'hangup', reason: head.reason })
      else if (head.kind !== 'flush') return
      this.#shiftWord()
    }
  }

  /** The frame of a slot in which the last packet lasts on; null in any other. */
  #hold(events: PlayoutEvent[]): OutgoingFrame | null {
    if (this.#heldSlots === 0) return null
    if (--this.#heldSlots === 0 && !this.#isPaused) this.#fireReached(events)
    return HELD
  }

  #packetFrame({ packet, slots }: PacketItem, events: PlayoutEvent[]): OutgoingFrame {
    if (!this.#isPlaying && !this.#mayStart()) {
      this.#waitedSlots++
      return SILENCE
    }
    this.#isPlaying = true
    this.#beginUtterance()
    this.#items.shift()
    this.#queuedUnits -= slots * SLOT_UNITS
    this.#playedUnits += slots * SLOT_UNITS
    this.#heldSlots = slots - 1
    if (this.#heldSlots === 0) this.#fireReached(events)
    return { kind: 'opus', packet }
  }

  #audioFrame(head: AudioItem, events: PlayoutEvent[]): OutgoingFrame {
    if (!this.#isPlaying && !this.#mayStart()) {
      this.#waitedSlots++
      return SILENCE
    }
    const need = (head.rateHz * SLOT_MS) / 1_000
    const ready = countReady(this.#items, head.rateHz, need)
    // A partial frame waits one slot for its rest, and then goes out padded.
    if (ready.isOpenEnd && !this.#isTailWaited) {
      this.#isTailWaited = true
      return SILENCE
    }
    this.#isTailWaited = false
    this.#isPlaying = true
    this.#beginUtterance()
    const steering = this.#steering(need, head.rateHz)
    // A frame more of silence, and what is queued stays for the next slot.
    if (steering === 'stretch') return { kind: 'pcm', samples: new Int16Array(need), rateHz: head.rateHz }
    if (steering === 'trim') this.#cut(need, need, head.rateHz, events)
    const samples = this.#cut(need, ready.samples, head.rateHz, events)
    this.#fireReached(events)
    return { kind: 'pcm', samples, rateHz: head.rateHz }
  }

  /** Only whole frames are stretched, and dropped only when there is another one for this slot. */
  #steering(need: number, rateHz: RateHz): Steering {
    const { owedSlots } = this.#drift
    const least = owedSlots > 0 ? 2 * need : need
    if (owedSlots === 0 || countReady(this.#items, rateHz, least).samples < least) return null
    return this.#drift.steer(peek(this.#items, need))
  }

  #mayStart(): boolean {
    return (
      this.#queuedUnits >= this.#prebufferMs * UNITS_PER_MS
      || this.#waitedSlots * SLOT_MS >= this.#prebufferMs
      || this.#items.some((item) => item.kind === 'flush')
    )
  }

  /** Cuts `count` samples off the head into a frame of `need`, and tells the marks among them. */
  #cut(need: number, count: number, rateHz: RateHz, events: PlayoutEvent[]): Int16Array {
    const frame = new Int16Array(need)
    let filled = 0
    while (filled < count) {
      const head = this.#items[0]
      if (head?.kind !== 'audio') {
        this.#fireReached(events)
        continue
      }
      const part = head.samples.subarray(head.offset, head.offset + count - filled)
      frame.set(part, filled)
      filled += part.length
      head.offset += part.length
      const units = unitsOf(part.length, rateHz)
      this.#queuedUnits -= units
      this.#playedUnits += units
      if (head.offset === head.samples.length) this.#items.shift()
    }
    return frame
  }

  /** The next frame of a file; null when the file is over and the slot is still free. */
  #fileFrame(item: FileItem, events: PlayoutEvent[]): OutgoingFrame | null {
    const { file } = item
    const { playable } = file
    if (!playable) return SILENCE
    const packet = playable.packets[item.sent]
    if (packet) {
      if (item.sent === 0) events.push({ kind: 'file', status: 'PLAYING', file })
      this.#beginUtterance()
      item.sent++
      this.#playedUnits += SLOT_UNITS
      const isLast = playable.state === 'complete' && item.sent === playable.packets.length
      if (isLast && item.tailSlots === 0) this.#finish(item, events)
      return { kind: 'opus', packet }
    }
    if (playable.state === 'loading') return SILENCE
    if (playable.state === 'complete' && item.tailSlots > 0) {
      item.tailSlots--
      return SILENCE
    }
    this.#finish(item, events)
    return null
  }

  #finish({ file }: FileItem, events: PlayoutEvent[]): void {
    const hasFailed = file.playable?.state === 'failed'
    events.push(
      hasFailed
        ? { kind: 'file', status: 'FAILED', file, error: file.playable?.error ?? 'MEDIA_UNSUPPORTED' }
        : { kind: 'file', status: 'FINISHED', file },
    )
    this.#items.shift()
    this.#fireReached(events)
  }

  #beginUtterance(): void {
    if (this.#isUtterance) return
    this.#isUtterance = true
    this.#playedUnits = 0
  }

  #drained(): PlayoutEvent {
    this.#endUtterance()
    this.#drySlots = 0
    return { kind: 'drained', playedMs: this.#playedMs() }
  }

  #endUtterance(): void {
    this.#isUtterance = false
    this.#isPlaying = false
    this.#isTailWaited = false
    this.#waitedSlots = 0
  }

  #playedMs(): number {
    return Math.round(this.#playedUnits / UNITS_PER_MS)
  }

  #mark(name: string | number, payload: unknown, status: 'played' | 'cleared'): PlayoutEvent {
    return { kind: 'mark', name, status, playedMs: this.#playedMs(), ...(payload === undefined ? {} : { payload }) }
  }

  #changeTo(state: BufferState): PlayoutEvent {
    this.#state = state
    return { kind: 'buffer', state, queuedMs: this.queuedMs, droppedMs: Math.round(this.#droppedUnits / UNITS_PER_MS) }
  }
}
