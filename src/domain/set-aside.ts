import type { NumberId, TenantId } from './ids.ts'
import { StoreAway } from './store-away.ts'

/** The durable lines: what stands in one is worked off in order, or in parts of it. */
export const SET_ASIDE_LINES = [
  'changes',
  'account-changes',
  'device-events',
  'outbox',
  'deliveries',
  'errands',
  'lead-notices',
  'sends',
  'live-calls',
] as const
export type SetAsideLine = (typeof SET_ASIDE_LINES)[number]

/** Field of a change that holds what an engine told, when it is tried again: it came without one. */
export const HELD_EVENT = 'device_event'

/** An item that could not be worked off for a reason of its own. */
export interface SetAsideItem extends Fault {
  readonly line: SetAsideLine
  /** Which of its line, in the line's own words; an item is set aside once. */
  readonly item: string
  readonly tenantId: TenantId | null
  readonly numberId: NumberId | null
  readonly accountId: string | null
}

/** Why something failed for a reason of its own, and after how many tries. */
export interface Fault {
  /** An SQLSTATE, or the name of an error: never a text, which may quote a value. */
  readonly reason: string
  readonly tries: number
}

/**
 * Our choice: what fails and is not tried because somebody waits for it is tried so often, as its line does, then set
 * aside.
 */
export const ASIDE_TRIES = 3

const SQLSTATE = /^[0-9A-Z]{5}$/

/**
 * Classes of SQLSTATE that blame the values of a statement: cardinality, data, integrity, limits of the program. The
 * others (a table or a column that is not there, deadlocks, the server itself) would meet whatever comes next: that
 * waits.
 */
const OF_VALUES: ReadonlySet<string> = new Set(['21', '22', '23', '54'])

/**
 * True where what was tried is itself at fault, so that others of its line fare better: bad values, or something our
 * code throws at.
 */
export function isOwnFault(error: unknown): boolean {
  if (error instanceof StoreAway) return false
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code !== 'string' || !SQLSTATE.test(code) || OF_VALUES.has(code.slice(0, 2))
}

/** Why something failed, without what it failed with: a code of the database, or the name of the error. */
export function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'string' && (SQLSTATE.test(code) || /^[A-Z_]{1,64}$/.test(code))) return code
  return error.cause instanceof Error && error.cause !== error ? failureCode(error.cause) : error.name.slice(0, 64)
}
