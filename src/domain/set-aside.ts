import type { NumberId, TenantId } from './ids.ts'
import { StoreAway } from './store-away.ts'

/** The durable lines whose items are worked off in order, or in an order within parts of the line. */
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

/**
 * The field of a change that holds an engine's event while it is tried again, since such an event comes without a
 * field.
 */
export const HELD_EVENT = 'device_event'

/** An item that failed for a reason of its own. */
export interface SetAsideItem extends Fault {
  readonly line: SetAsideLine
  /** Names the item within its line, in the line's own words; an item is set aside once. */
  readonly item: string
  readonly tenantId: TenantId | null
  readonly numberId: NumberId | null
  readonly accountId: string | null
}

/** Why something failed for a reason of its own, and after how many tries. */
export interface Fault {
  /** An SQLSTATE, or the name of an error: never the text of the error, which may quote a value. */
  readonly reason: string
  readonly tries: number
}

/** Our choice: tries of something that nobody waits for, as its line makes them, before it is set aside. */
export const ASIDE_TRIES = 3

const SQLSTATE = /^[0-9A-Z]{5}$/

/**
 * Classes of SQLSTATE that blame the values of a statement: cardinality, data, integrity, limits of the program. Any
 * other fault (a missing table or column, deadlocks, the server itself) would meet the next item as well, so the item
 * waits.
 */
const OF_VALUES: ReadonlySet<string> = new Set(['21', '22', '23', '54'])

/**
 * True when the item itself is at fault, so that others of its line fare better: bad values, or values at which the
 * service's own code throws.
 */
export function isOwnFault(error: unknown): boolean {
  if (error instanceof StoreAway) return false
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code !== 'string' || !SQLSTATE.test(code) || OF_VALUES.has(code.slice(0, 2))
}

/**
 * Names why something failed, without the values that it failed with: a code of the database, or the name of the error.
 */
export function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'string' && (SQLSTATE.test(code) || /^[A-Z_]{1,64}$/.test(code))) return code
  return error.cause instanceof Error && error.cause !== error ? failureCode(error.cause) : error.name.slice(0, 64)
}
