import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { ASK_MS } from './asking.ts'

/** Our choice: rows that one turn takes. */
const TAKEN = 20
/** Our choice: waits before upstream is asked again, in ms; the last one repeats. */
const WAITS_MS = [5_000, 15_000, 30_000, 60_000, 300_000, 900_000]

interface AskedRow {
  readonly id: string
  readonly ask: { readonly kind: string } | null
  readonly askTries: number
}

interface SettleSteps<Row> {
  /** Takes rows whose ask nobody works on; each belongs to the caller for `leaseMs`. */
  take(limit: number, leaseMs: number): Promise<readonly Row[]>
  /** `open`: nobody can tell now what became of it. */
  settle(row: Row): Promise<'settled' | 'open'>
  /** Lets the row be taken again from `askedUntil` on. */
  postpone(row: Row, again: { readonly askedUntil: Date; readonly askTries: number }): Promise<unknown>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly what: 'template' | 'Flow'
}

/**
 * Finds out what became of requests whose answers were lost, or whose process is gone ([templates.create.9],
 * [templates.create.11], [flows.upstream.6]). Answers whether there may be more.
 */
export async function settleAskedRows<Row extends AskedRow>(
  steps: SettleSteps<Row>,
  isWanted: () => boolean,
): Promise<boolean> {
  const { take, log, what } = steps
  const rows = await take(TAKEN, ASK_MS)
  for (const row of rows) {
    if (!isWanted()) return false
    // A row that cannot be settled does not hold up the others: it is taken again after its lease.
    await settleOne(steps, row).catch((error: unknown) =>
      log.error({ id: row.id, error: String(error) }, `a request for a ${what} was not settled`),
    )
  }
  return rows.length === TAKEN
}

async function settleOne<Row extends AskedRow>(
  { settle, postpone, clock, log, what }: SettleSteps<Row>,
  row: Row,
): Promise<void> {
  if ((await settle(row)) === 'settled') return
  const waitMs = WAITS_MS[Math.min(row.askTries, WAITS_MS.length - 1)] ?? 0
  await postpone(row, { askedUntil: new Date(clock.now() + waitMs), askTries: row.askTries + 1 })
  log.warn(
    { id: row.id, ask: row.ask?.kind, tries: row.askTries + 1 },
    `what became of a request for a ${what} is not known yet`,
  )
}
