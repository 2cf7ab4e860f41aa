import type { Outcome } from '../../domain/errors.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Log } from '../../ports/log.ts'

/** Accounts are listed hourly [templates.import.1] [flows.upstream.7]. */
export const LIST_EVERY_MS = 3_600_000
/** Our choice: a listing that failed, or whose node died, is tried again after so long. */
const LEASE_MS = 300_000
/** Our choice: accounts that one turn takes. */
const TAKEN = 10

interface DueAccount {
  readonly tenantId: TenantId
  readonly accountId: string
}

interface DueSteps {
  /** Takes accounts whose listing is due; each belongs to this node for `leaseMs`. */
  take(limit: number, leaseMs: number): Promise<readonly DueAccount[]>
  /** Answers null when no number of the tenant has the account any more. */
  list(account: DueAccount): Promise<Outcome<unknown> | null>
  readonly log: Log
  /** What is listed, for the log. */
  readonly what: 'templates' | 'Flows'
}

/** Lists the accounts whose listing is due. Answers whether there may be more. */
export async function listDueAccounts({ take, list, log, what }: DueSteps, isWanted: () => boolean): Promise<boolean> {
  const due = await take(TAKEN, LEASE_MS)
  for (const account of due) {
    if (!isWanted()) return false
    const { accountId } = account
    try {
      const listed = await list(account)
      if (listed && !listed.ok)
        log.warn({ accountId, code: listed.error.code }, `${what} of an account were not listed`)
    } catch (error) {
      // Once its lease has run out, the account is listed again.
      log.error({ accountId, error: String(error) }, `${what} of an account were not listed`)
    }
  }
  return due.length === TAKEN
}
