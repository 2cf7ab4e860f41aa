import type { Outcome } from '../../domain/errors.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Clock } from '../../ports/clock.ts'
import { readUntilCurrent } from './read-until-current.ts'

/**
 * What becomes of a row by news of it. `REREAD`: only upstream can tell what is true. `DOUBT`: the same, but the news
 * count when upstream cannot be read.
 */
export type NewsDecision = 'NONE' | 'CHANGE' | 'REMOVE' | 'REREAD' | 'DOUBT'

/** When news are applied to a row: at once, or after upstream was asked, and the row took over what it shows or not. */
export type NewsMoment = 'AT_ONCE' | 'READ' | 'UNREAD'

/** A row that upstream may be being asked about. */
interface AskedRow {
  readonly id: string
  readonly ask: unknown
  readonly updatedAt: Date
}

/**
 * Reads what upstream shows of the item that news are about, and has it merged, as `readAnew` of `applyNews` has it.
 * `merge` leaves alone the rows that `isKept` is true of; null stands for one that was removed meanwhile.
 */
export async function readForNews<Shown>(
  clock: Pick<Clock, 'now'>,
  read: () => Promise<Outcome<Shown | null>>,
  merge: (shown: Shown, isKept: (row: AskedRow | null) => boolean) => Promise<void>,
): Promise<ReadonlySet<string> | null> {
  const left = new Set<string>()
  const taken = await readUntilCurrent(clock, read, async (shown, isNewer) => {
    left.clear()
    const isKept = (row: AskedRow | null): boolean => {
      if (row && row.ask !== null) left.add(row.id)
      return (row === null || row.ask === null) && isNewer(row)
    }
    if (shown !== null) await merge(shown, isKept)
    return shown
  })
  return taken.ok && taken.value !== null ? left : null
}

interface NewsSteps<Row> {
  /** Every tenant that has the account. */
  readonly tenants: readonly TenantId[]
  /** Lists the rows that the news are about. */
  rows(): Promise<readonly Row[]>
  /** Whether a tenant without a row gets one from what upstream shows. */
  readonly isImported: boolean
  /** Decides on the row as it is now and writes; a row in doubt waits for UNREAD. Answers the decision. */
  apply(row: Row, moment: NewsMoment): Promise<NewsDecision>
  /**
   * Makes every tenant take over what upstream shows. Answers the ids of the rows that did not, because upstream is
   * being asked about them; null when upstream could not be read.
   */
  readAnew(): Promise<ReadonlySet<string> | null>
}

/**
 * Applies what a webhook tells of a template or a Flow in every tenant that has the account. What only upstream can
 * tell, and an item that is unknown, is read there; nothing in doubt is written before that
 * ([templates.account-changes.2], [flows.upstream.9]).
 */
export async function applyNews<Row extends { readonly id: string; readonly tenantId: TenantId }>(
  steps: NewsSteps<Row>,
): Promise<void> {
  const { tenants, isImported } = steps
  const rows = await steps.rows()
  const decisions = await Promise.all(rows.map((row) => steps.apply(row, 'AT_ONCE')))
  const isAsked = decisions.some((decided) => decided === 'REREAD' || decided === 'DOUBT')
  const isMissing = isImported && tenants.some((tenantId) => !rows.some((row) => row.tenantId === tenantId))
  if (!isAsked && !isMissing) return
  const left = await steps.readAnew()
  const doubted = rows.filter((_, index) => decisions[index] === 'DOUBT')
  await Promise.all(doubted.map((row) => steps.apply(row, left === null || left.has(row.id) ? 'UNREAD' : 'READ')))
  if (left === null) return
  // What was imported has the time of these news, so that older ones, told later, are known to be older.
  const imported = (await steps.rows()).filter(({ id }) => !rows.some((row) => row.id === id))
  await Promise.all(imported.map((row) => steps.apply(row, 'READ')))
}
