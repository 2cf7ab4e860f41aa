import type { Reader } from './driver.ts'
import type { Hold } from './hold.ts'
import type { Seal } from './seal.ts'
import type { ValueCache } from './value-cache.ts'
import type { HeldWriter } from './writer.ts'

/** What each part of a number's store is made of. */
export interface Parts {
  readonly numberId: string
  readonly hold: Hold
  readonly reader: Reader
  readonly writer: HeldWriter
  readonly seal: Seal
  /** What this hold read or wrote last. */
  readonly cache: ValueCache
  /** Ms since the epoch. */
  readonly now: () => number
}
