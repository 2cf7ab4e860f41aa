import type { Playable } from './playable.ts'
import type { PlaybackId } from '../../src/domain/ids.ts'
import type { RateHz } from '../audio/frame.ts'

/** Ticks of Opus' 48 kHz clock in one ms. Every rate divides that clock, so lengths at mixed rates add up exactly. */
export const UNITS_PER_MS = 48

/** With more ms of queued socket audio the client is told to pause ([realtime.server-messages.5]). */
export const HIGH_MS = 30_000
/** With fewer ms the client is told to go on. */
export const LOW_MS = 15_000
/** With more ms the newest audio is refused. */
export const MAX_QUEUED_MS = 60_000

/** The fill level of the queue with socket audio, as its client is told. */
export type BufferState = 'ok' | 'pause' | 'full'

/** A file in the queue. `playable` is null until its source has been opened. */
export interface QueuedFile {
  readonly playbackId: PlaybackId
  readonly mediaUrl: string
  readonly hangupAfterPlay: boolean
  readonly playable: Playable | null
}

export interface AudioItem {
  readonly kind: 'audio'
  samples: Int16Array
  /** Samples that were handed out. */
  offset: number
  readonly rateHz: RateHz
}

/** An Opus packet of a client, sent as it is. */
export interface PacketItem {
  readonly kind: 'packet'
  readonly packet: Uint8Array
  /** How many slots it lasts, 1 to 3. */
  readonly slots: number
}

export interface FileItem {
  readonly kind: 'file'
  readonly file: QueuedFile
  /** Packets that were handed out. */
  sent: number
  /** Slots of silence that remain before `FINISHED` is told. */
  tailSlots: number
}

export type PlayoutItem =
  | AudioItem
  | PacketItem
  | FileItem
  | { readonly kind: 'mark'; readonly name: string | number; readonly payload?: unknown }
  | { readonly kind: 'digits'; readonly digits: string }
  | { readonly kind: 'hangup'; readonly reason: string | null }
  /** The end of a padded tail: the frame before it is filled with zeros. */
  | { readonly kind: 'flush' }

/** True for an item that is neither audio nor a file. */
export function isWord({ kind }: PlayoutItem): boolean {
  return kind !== 'audio' && kind !== 'packet' && kind !== 'file'
}

/** What was dropped from the queue. */
export interface Cleared {
  readonly discardedMs: number
  readonly playedMs: number
  readonly marks: (string | number)[]
  /** Events to tell before `cleared`. */
  readonly events: PlayoutEvent[]
}

/** An event of a slot, told after its frame was handed to the leg. */
export type PlayoutEvent =
  | {
      readonly kind: 'mark'
      readonly name: string | number
      readonly status: 'played' | 'cleared'
      readonly playedMs: number
      readonly payload?: unknown
    }
  | { readonly kind: 'drained'; readonly playedMs: number }
  | { readonly kind: 'buffer'; readonly state: BufferState; readonly queuedMs: number; readonly droppedMs: number }
  | {
      readonly kind: 'file'
      readonly status: 'PLAYING' | 'FINISHED' | 'FAILED'
      readonly file: QueuedFile
      readonly error?: string
    }
  | { readonly kind: 'digits'; readonly digits: string }
  | { readonly kind: 'hangup'; readonly reason: string | null }

export function unitsOf(samples: number, rateHz: RateHz): number {
  return samples * ((UNITS_PER_MS * 1_000) / rateHz)
}

/**
 * Counts the samples at the head of the queue that can fill a frame of `need`. Marks do not interrupt audio; another
 * rate, a file, digits or a flush do. `isOpenEnd` says that more may still follow the counted samples.
 */
export function countReady(
  items: readonly PlayoutItem[],
  rateHz: RateHz,
  need: number,
): { samples: number; isOpenEnd: boolean } {
  let samples = 0
  for (const item of items) {
    if (item.kind === 'mark') continue
    if (item.kind !== 'audio' || item.rateHz !== rateHz) return { samples, isOpenEnd: false }
    samples += item.samples.length - item.offset
    if (samples >= need) return { samples: need, isOpenEnd: false }
  }
  return { samples, isOpenEnd: true }
}

/** Our choice: chunks with fewer samples are joined, so that tiny messages do not make a long list. */
const JOIN_BELOW_SAMPLES = 960

/** Appends samples, joining small neighbours of one rate. */
export function appendAudio(items: PlayoutItem[], samples: Int16Array, rateHz: RateHz): void {
  const last = items.at(-1)
  const isJoinable =
    last?.kind === 'audio'
    && last.rateHz === rateHz
    && last.offset === 0
    && last.samples.length + samples.length <= JOIN_BELOW_SAMPLES
  if (!isJoinable) {
    items.push({ kind: 'audio', samples, offset: 0, rateHz })
    return
  }
  const joined = new Int16Array(last.samples.length + samples.length)
  joined.set(last.samples)
  joined.set(samples, last.samples.length)
  last.samples = joined
}

/** Copies the next `count` samples, over marks, without taking them; `countReady` says that they are there. */
export function peek(items: readonly PlayoutItem[], count: number): Int16Array {
  const peeked = new Int16Array(count)
  let filled = 0
  for (const item of items) {
    if (item.kind !== 'audio') continue
    const part = item.samples.subarray(item.offset, item.offset + count - filled)
    peeked.set(part, filled)
    filled += part.length
    if (filled === count) break
  }
  return peeked
}
