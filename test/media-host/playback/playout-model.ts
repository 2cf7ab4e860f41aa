import { HELD, SILENCE } from '../../../media-host/audio/frame.ts'
import type { OutgoingFrame, RateHz } from '../../../media-host/audio/frame.ts'
import type { BufferState, Cleared, PlayoutEvent, QueuedFile } from '../../../media-host/playback/playout-items.ts'

const UNITS_PER_MS = 48
const SLOT_MS = 20
const SLOT_UNITS = SLOT_MS * UNITS_PER_MS
/** What the contract says ([realtime.server-messages.5]), in ms. */
const [PAUSE_OVER_MS, OK_UNDER_MS, FULL_OVER_MS] = [30_000, 15_000, 60_000]
/** Slots of silence behind a file that ends the call, and slots in which audio is late once the queue ran dry. */
const [TAIL_SLOTS, LATE_SLOTS] = [10, 10]

type Sound = { readonly kind: 'sound'; readonly rateHz: RateHz; samples: Int16Array }
type Packet = { readonly kind: 'packet'; readonly packet: Uint8Array; readonly slots: number }
type FileItem = { readonly kind: 'file'; readonly file: QueuedFile; sent: number; tailSlots: number }
type Item =
  | Sound
  | Packet
  | FileItem
  | { readonly kind: 'mark'; readonly name: string }
  | { readonly kind: 'digits'; readonly digits: string }
  | { readonly kind: 'hangup'; readonly reason: string }
  | { readonly kind: 'flush' }

/** The length of a second is the same at every rate: 48,000 units. */
function unitsOf(item: Item): number {
  if (item.kind === 'sound') return (item.samples.length * 48_000) / item.rateHz
  return item.kind === 'packet' ? item.slots * SLOT_UNITS : 0
}

/** What a call is promised of its playout queue: one list, of which each slot takes what comes first. */
export class PlayoutModel {
  /** What waits, in its order. */
  items: Item[] = []
  isPaused = false
  /** How many ms are gathered at most before an utterance starts. */
  prebufferMs = 0
  /** How often audio came late. */
  underruns = 0
  #state: BufferState = 'ok'
  #refusedUnits = 0
  /** Slots that the packet sent last still lasts. */
  #heldSlots = 0
  /** What was heard of the utterance. */
  #heardUnits = 0
  #isUtterance = false
  #isGathered = false
  #gatheringSlots = 0
  #hasTailWaited = false
  #slotsSinceDry = Infinity

  get isEmpty(): boolean {
    return this.items.length === 0 && this.#heldSlots === 0
  }

  /** Audio of a session that waits, in units of which a second has 48,000. */
  get queuedUnits(): number {
    return this.items.reduce((sum, item) => sum + unitsOf(item), 0)
  }

  /** The same in ms. */
  get queuedMs(): number {
    return msOf(this.queuedUnits)
  }

  /** How many things wait that are neither audio nor files. */
  get words(): number {
    return this.items.filter(({ kind }) => kind !== 'sound' && kind !== 'packet' && kind !== 'file').length
  }

  /** The files that wait or play. */
  get files(): QueuedFile[] {
    return this.items.flatMap((item) => (item.kind === 'file' ? [item.file] : []))
  }

  /** Adds samples or a packet. Answers what is told of the fill level. */
  pushAudio(item: Sound | Packet, isRefusable: boolean): PlayoutEvent | null {
    const queued = this.queuedUnits + unitsOf(item)
    if (isRefusable && queued > FULL_OVER_MS * UNITS_PER_MS) {
      this.#refusedUnits += unitsOf(item)
      return this.#changeTo('full')
    }
    if (this.isEmpty && this.#slotsSinceDry <= LATE_SLOTS) this.underruns++
    this.items.push(item)
    return this.#state === 'ok' && queued > PAUSE_OVER_MS * UNITS_PER_MS ? this.#changeTo('pause') : null
  }

  /** Adds a mark, or tells it at once when nothing is before it. */
  pushMark(name: string): PlayoutEvent | null {
    if (this.isEmpty) return this.#mark(name, 'played')
    this.items.push({ kind: 'mark', name })
    return null
  }

  pushFile(file: QueuedFile): void {
    this.items.push({ kind: 'file', file, sent: 0, tailSlots: file.hangupAfterPlay ? TAIL_SLOTS : 0 })
  }

  /** Ends the prebuffer, and pads what was said before. */
  flush(): void {
    if (!this.isEmpty && this.items.at(-1)?.kind !== 'flush') this.items.push({ kind: 'flush' })
  }

  /** Nothing of what was pushed is heard any more, and each of it is told its end now. */
  clear(): Cleared {
    const events: PlayoutEvent[] = []
    const marks: string[] = []
    let units = this.queuedUnits
    for (const item of this.items) {
      if (item.kind === 'mark') {
        marks.push(item.name)
        events.push(this.#mark(item.name, 'cleared'))
      }
      if (item.kind === 'file') {
        units += ((item.file.playable?.packets.length ?? 0) - item.sent) * SLOT_UNITS
        events.push({ kind: 'file', status: 'FAILED', file: item.file, error: 'CLEARED' })
      }
      if (item.kind === 'digits' || item.kind === 'hangup') events.push(item)
    }
    const playedMs = msOf(this.#heardUnits)
    this.items = []
    this.#heardUnits = 0
    this.#slotsSinceDry = Infinity
    this.#endUtterance()
    if (this.#state !== 'ok') events.push(this.#changeTo('ok'))
    return { discardedMs: msOf(units), playedMs, marks, events }
  }

  /** What a session sent is dropped without a word, because nobody is there to hear it. */
  dropSocketAudio(): void {
    this.items = this.items.filter(({ kind }) => kind === 'file' || kind === 'hangup')
    this.isPaused = false
    this.#state = 'ok'
  }

  removeFile(file: QueuedFile): void {
    this.items = this.items.filter((item) => item.kind !== 'file' || item.file !== file)
  }

  /** The frame of this slot, and what is told with it. */
  take(told: PlayoutEvent[]): OutgoingFrame {
    this.#slotsSinceDry++
    if (this.isPaused) return this.#heldSlots > 0 && this.#heldSlots-- > 0 ? HELD : SILENCE
    const frame = this.#frame(told)
    if (this.isEmpty && this.#isUtterance) {
      this.#endUtterance()
      this.#slotsSinceDry = 0
      told.push({ kind: 'drained', playedMs: msOf(this.#heardUnits) })
    }
    if (this.#state !== 'ok' && this.queuedUnits < OK_UNDER_MS * UNITS_PER_MS) told.push(this.#changeTo('ok'))
    return frame
  }

  #frame(told: PlayoutEvent[]): OutgoingFrame {
    if (this.#heldSlots > 0) {
      if (--this.#heldSlots === 0) this.#reach(told)
      return HELD
    }
    this.#reach(told)
    const [head] = this.items
    if (!head) return SILENCE
    if (head.kind === 'file') return this.#fileFrame(head, told)
    if (head.kind === 'digits') {
      this.items.shift()
      told.push(head)
      return SILENCE
    }
    if (this.#isGathering()) return SILENCE
    if (head.kind === 'packet') return this.#packetFrame(head, told)
    return head.kind === 'sound' ? this.#soundFrame(head.rateHz, told) : SILENCE
  }

  /** Tells the words that have nothing before them. */
  #reach(told: PlayoutEvent[]): void {
    for (let [head] = this.items; head; [head] = this.items) {
      if (head.kind === 'mark') told.push(this.#mark(head.name, 'played'))
      else if (head.kind === 'hangup') told.push(head)
      else if (head.kind !== 'flush') return
      this.items.shift()
    }
  }

  /** True while an utterance of a session waits for its prebuffer. */
  #isGathering(): boolean {
    this.#isGathered ||=
      this.queuedUnits >= this.prebufferMs * UNITS_PER_MS
      || this.#gatheringSlots * SLOT_MS >= this.prebufferMs
      || this.items.some(({ kind }) => kind === 'flush')
    if (!this.#isGathered) this.#gatheringSlots++
    return !this.#isGathered
  }

  #packetFrame({ packet, slots }: Packet, told: PlayoutEvent[]): OutgoingFrame {
    this.items.shift()
    this.#hear(slots * SLOT_UNITS)
    this.#heldSlots = slots - 1
    if (this.#heldSlots === 0) this.#reach(told)
    return { kind: 'opus', packet }
  }

  /** A frame is filled with what comes next at its rate, over marks. An end that is open waits one slot for more. */
  #soundFrame(rateHz: RateHz, told: PlayoutEvent[]): OutgoingFrame {
    const samples = new Int16Array(rateHz / 50)
    const end = this.items.findIndex(({ kind, ...item }) => {
      return kind !== 'mark' && (kind !== 'sound' || (item as Sound).rateHz !== rateHz)
    })
    const run = this.items.slice(0, end === -1 ? undefined : end)
    const ready = run.reduce((sum, item) => sum + (item.kind === 'sound' ? item.samples.length : 0), 0)
    if (end === -1 && ready < samples.length && !this.#hasTailWaited) {
      this.#hasTailWaited = true
      return SILENCE
    }
    this.#hasTailWaited = false
    for (let filled = 0; filled < Math.min(ready, samples.length);) {
      this.#reach(told)
      const [head] = this.items
      if (head?.kind !== 'sound') throw new Error('the model has lost its sound')
      const part = head.samples.subarray(0, samples.length - filled)
      samples.set(part, filled)
      filled += part.length
      head.samples = head.samples.subarray(part.length)
      this.#hear((part.length * 48_000) / rateHz)
      if (head.samples.length === 0) this.items.shift()
    }
    this.#reach(told)
    return { kind: 'pcm', samples, rateHz }
  }

  #fileFrame(item: FileItem, told: PlayoutEvent[]): OutgoingFrame {
    const { file } = item
    const packet = file.playable?.packets[item.sent]
    if (packet) {
      if (item.sent++ === 0) told.push({ kind: 'file', status: 'PLAYING', file })
      this.#hear(SLOT_UNITS)
      if (item.tailSlots === 0 && isComplete(item)) this.#endFile(item, told)
      return { kind: 'opus', packet }
    }
    if (!file.playable || file.playable.state === 'loading') return SILENCE
    if (file.playable.state === 'complete' && item.tailSlots-- > 0) return SILENCE
    this.#endFile(item, told)
    return this.#frame(told)
  }

  #endFile({ file }: FileItem, told: PlayoutEvent[]): void {
    const error = file.playable?.state === 'failed' ? (file.playable.error ?? '') : null
    told.push(
      error === null ? { kind: 'file', status: 'FINISHED', file } : { kind: 'file', status: 'FAILED', file, error },
    )
    this.items.shift()
    this.#reach(told)
  }

  #hear(units: number): void {
    if (!this.#isUtterance) this.#heardUnits = 0
    this.#isUtterance = true
    this.#heardUnits += units
  }

  #endUtterance(): void {
    this.#isUtterance = false
    this.#isGathered = false
    this.#gatheringSlots = 0
    this.#hasTailWaited = false
  }

  #mark(name: string, status: 'played' | 'cleared'): PlayoutEvent {
    return { kind: 'mark', name, status, playedMs: msOf(this.#heardUnits) }
  }

  #changeTo(state: BufferState): PlayoutEvent {
    this.#state = state
    return { kind: 'buffer', state, queuedMs: this.queuedMs, droppedMs: msOf(this.#refusedUnits) }
  }
}

function isComplete({ file, sent }: FileItem): boolean {
  return file.playable?.state === 'complete' && sent === file.playable.packets.length
}

function msOf(units: number): number {
  return Math.round(units / UNITS_PER_MS)
}
