import type { Playable } from './playable.ts'
import type { PlaybackId } from '../../src/domain/ids.ts'
import type { RateHz } from '../audio/frame.ts'

/** Ticks of Opus' own clock: every rate divides it, so lengths of mixed rates add up exactly. */
export const UNITS_PER_MS = 48

/** Queued socket audio above this tells the client to pause ([realtime.server-messages.5]). */
export const HIGH_MS = 30_000
/** Below this it may go on. */
export const LOW_MS = 15_000
/** Above this the newest audio is refused. */
export const MAX_QUEUED_MS = 60_000

/** How full the queue is with socket audio, as its client is told. */
export type BufferState = 'ok' | 'pause' | 'full'

/** A file waiting in the queue; `playable` is null until its source has been opened. */
export interface QueuedFile {
  readonly playbackId: PlaybackId
  readonly mediaUrl: string
  readonly hangupAfterPlay: boolean
  readonly playable: Playable | null
}

export interface AudioItem {
  readonly kind: 'audio'
  samples: Int16Array
  /** Samples already handed on. */
  offset: number
  readonly rateHz: RateHz
}

export interface FileItem {
  readonly kind: 'file'
  readonly file: QueuedFile
  /** Packets already handed on. */
  sent: number
  /** Slots of silence still to pass before `FINISHED` is told. */
  tailSlots: number
}

export type PlayoutItem =
  | AudioItem
  | FileItem
  | { readonly kind: 'mark'; readonly name: string | number; readonly payload?: unknown }
  | { readonly kind: 'digits'; readonly digits: string }
  | { readonly kind: 'hangup'; readonly reason: string | null }
  /** End of a padded tail: the frame before it is filled with zeros. */
  | { readonly kind: 'flush' }

/** True of what is neither audio nor a file. */
export function isWord({ kind }: PlayoutItem): boolean {
  return kind !== 'audio' && kind !== 'file'
}

/** What came of a slot, to be told after its frame was handed to the leg. */
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
 * Counts the samples that can fill a frame of `need` from the head of the queue. Marks do not
 * interrupt audio; another rate, a file, digits or a flush do. `isOpenEnd` says that more may
 * still come behind what was counted.
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

/** Our choice: chunks below this many samples are joined, so that tiny messages do not become a long list. */
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
