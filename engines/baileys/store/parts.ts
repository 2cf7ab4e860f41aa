import type { Driver } from './driver.ts'
import type { Seal } from './seal.ts'
import type { Writer } from './writer.ts'

/** What each part of a number's store is made of. */
export interface Parts {
  readonly numberId: string
  readonly driver: Driver
  readonly writer: Writer
  readonly seal: Seal
  /** Ms since the epoch. */
  readonly now: () => number
}
