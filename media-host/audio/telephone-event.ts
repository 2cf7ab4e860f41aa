import { SLOT_MS } from './frame.ts'

/** Digits as RFC 4733 telephone events: sending them one 20 ms slot at a time, and receiving them. */

const DIGITS = '0123456789*#ABCD'
/** `Leg.sendDigits` promises events of 100 ms with pauses of 60 ms, which every detector accepts. */
const EVENT_SLOTS = 5
const PAUSE_SLOTS = 3
/** RFC 4733 section 2.5.1.4: the last packet goes out three times. */
const END_COPIES = 3
/** RFC 4733 section 2.3.3: volume in -dBm0; 10 is the customary one. */
const VOLUME = 10
/** Our choice: most digits waiting at once, over two minutes of them. */
const MAX_QUEUED = 1_000
/** RFC 4733 section 2.5.2.2: an event without packets for three packet times has ended. */
const SILENT_SLOTS = 5
/**
 * RFC 4733 section 2.5.1.3: the longest segment of an event, in units of its clock. The next segment begins where it
 * ends.
 */
const LONGEST_SEGMENT = 0xffff
/** Our choice: most segments that may be lost completely, 11 s at 48 kHz. */
const MOST_MISSED = 8
/** Our choice: finished events that are remembered, so that late copies do not count as new ones. */
const KNOWN_EVENTS = 16

/**
 * A packet of an event. `startSlots` is how many slots ago the event began, because all its packets have that
 * timestamp.
 */
export interface EventPacket {
  readonly payload: Uint8Array
  readonly startSlots: number
  readonly isFirst: boolean
}

/** Sends digits, one slot at a time. */
export class DigitSender {
  #queue: number[] = []
  #slot = 0
  /** Slots of the current digit that a stalled process missed and that no left-out packet made up for. */
  #late = 0

  /** True while a digit or the pause after it is going out. */
  get isBusy(): boolean {
    return this.#queue.length > 0
  }

  /** Queues digits. False when one is not 0-9 * # A-D, none is given, or too many wait. */
  queue(digits: string): boolean {
    const events = [...digits.toUpperCase()].map((digit) => DIGITS.indexOf(digit))
    if (events.length === 0 || events.includes(-1) || this.#queue.length + events.length > MAX_QUEUED) return false
    this.#queue.push(...events)
    return true
  }

  /**
   * The packet of this slot, or null when none goes out; called only while busy. `clockHz` is the rate of the
   * negotiated telephone-event.
   */
  next(clockHz: number): EventPacket | null {
    const event = this.#queue[0]
    if (event === undefined) return null
    const slot = this.#slot
    const packet =
      slot < EVENT_SLOTS + END_COPIES - 1
        ? {
            payload: encode(event, slot >= EVENT_SLOTS - 1, Math.min(slot + 1, EVENT_SLOTS), clockHz),
            startSlots: slot + this.#late,
            isFirst: slot === 0,
          }
        : null
    this.#slot++
    if (this.#slot === EVENT_SLOTS + PAUSE_SLOTS) {
      this.#queue.shift()
      this.#slot = 0
      this.#late = 0
    }
    return packet
  }

  /**
   * Counts slots that a stalled process missed, so that the timestamp of an event under way stays right. Packets are
   * left out for them, but never all that mark its end, because a receiver may wait for one and lose the digit.
   */
  skip(slots: number): void {
    if (this.#slot === 0) return
    const last = this.#slot < EVENT_SLOTS ? EVENT_SLOTS - 1 : EVENT_SLOTS + PAUSE_SLOTS - 1
    const to = Math.min(this.#slot + slots, last)
    this.#late += slots - (to - this.#slot)
    this.#slot = to
  }
}

function encode(event: number, isEnd: boolean, slots: number, clockHz: number): Uint8Array {
  const duration = (slots * SLOT_MS * clockHz) / 1_000
  return Uint8Array.of(event, (isEnd ? 0x80 : 0) | VOLUME, duration >> 8, duration & 0xff)
}

/** A packet of a telephone event, with the numbers of its RTP header. */
export interface EventIn {
  readonly payload: Uint8Array
  readonly ssrc: number
  readonly timestamp: number
  readonly clockHz: number
}

/** An event as it was heard. */
interface HeardEvent {
  readonly ssrc: number
  readonly event: number
  readonly clockHz: number
  /** Timestamps of its segments, the latest last (RFC 4733 section 2.5.1.3). */
  readonly segments: number[]
  /** Lengths in units of the clock: of all segments but the last, and of the last. */
  unitsBefore: number
  duration: number
  silentSlots: number
  /** True when the end was marked by a packet, and not only missed. */
  isEnded: boolean
}

/**
 * Receives digits. Each event is reported once, at its end, however many of its packets were lost or late, and however
 * long it was.
 */
export class DigitReceiver {
  readonly #onDigit: (digit: string, durationMs: number) => void
  #open: HeardEvent | null = null
  /** Events that were reported, the latest last. */
  #known: HeardEvent[] = []

  constructor(onDigit: (digit: string, durationMs: number) => void) {
    this.#onDigit = onDigit
  }

  /** Takes a telephone-event packet. Malformed ones and events that are no digits are ignored. */
  push(packet: EventIn): void {
    const [event, flags, high, low] = packet.payload
    if (event === undefined || flags === undefined || high === undefined || low === undefined || event >= DIGITS.length)
      return
    if (this.#known.some((known) => isOf(known, packet, event))) return
    const open = this.#openFor(packet, event)
    if (!open) return
    open.silentSlots = 0
    // A copy of an earlier segment tells nothing new.
    if (open.segments.at(-1) !== packet.timestamp) return
    open.duration = Math.max(open.duration, (high << 8) | low)
    open.isEnded = (flags & 0x80) > 0
    if (open.isEnded) this.#report()
  }

  /** Call once a slot: ends an event whose last packets were lost. */
  tick(): void {
    if (this.#open && ++this.#open.silentSlots >= SILENT_SLOTS) this.#report()
  }

  /** The event under way, or the one that this packet begins; null for a packet of an earlier event. */
  #openFor(packet: EventIn, event: number): HeardEvent | null {
    const { ssrc, timestamp, clockHz } = packet
    if (this.#open) {
      if (isOf(this.#open, packet, event)) return this.#open
      const isEarlier = this.#open.ssrc === ssrc && ((timestamp - (this.#open.segments[0] ?? 0)) | 0) < 0
      if (isEarlier) return null
      this.#report()
    }
    this.#open = {
      ssrc,
      event,
      clockHz,
      segments: [timestamp],
      unitsBefore: 0,
      duration: 0,
      silentSlots: 0,
      isEnded: false,
    }
    return this.#open
  }

  #report(): void {
    const open = this.#open
    if (!open) return
    this.#open = null
    this.#known = [...this.#known, open].slice(-KNOWN_EVENTS)
    this.#onDigit(DIGITS.charAt(open.event), Math.round(((open.unitsBefore + open.duration) * 1_000) / open.clockHz))
  }
}

/** True when a packet belongs to this event. A packet that begins the next segment is added to it. */
function isOf(heard: HeardEvent, { ssrc, timestamp }: EventIn, event: number): boolean {
  if (heard.ssrc !== ssrc) return false
  if (heard.segments.includes(timestamp)) return true
  const units = (timestamp - (heard.segments.at(-1) ?? 0)) >>> 0
  const isNext = units === heard.duration || (units % LONGEST_SEGMENT === 0 && units <= MOST_MISSED * LONGEST_SEGMENT)
  if (!isNext || heard.isEnded || heard.event !== event) return false
  heard.segments.push(timestamp)
  heard.unitsBefore += units
  heard.duration = 0
  return true
}
