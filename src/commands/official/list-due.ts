import type { Outcome } from '../../domain/errors.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Log } from '../../ports/log.ts'

/** contract 10 and 11, Import. */
export const LIST_EVERY_MS = 3_600_000
/** Our choice: a listing that failed, or whose node died, is tried again after so long. */
const LEASE_MS = 300_000
/** Our choice: accounts of a turn. */
const TAKEN = 10

interface DueAccount {
  readonly tenantId: TenantId
  readonly accountId: string
}

interface DueSteps {
  /** Accounts whose time has come; each is this node's alone for `leaseMs`. */
  take(limit: number, leaseMs: number): Promise<readonly DueAccount[]>
  /** Null: no number of the tenant has the account any more. */
  list(account: DueAccount): Promise<Outcome<unknown> | null>
  readonly log: Log
  /** What is not listed where that fails. */
  readonly what: 'templates' | 'Flows'
}

/** Lists accounts whose time has come. Answers whether there may be more. */
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
      // Its lease brings it back.
      log.error({ accountId, error: String(error) }, `${what} of an account were not listed`)
    }
  }
  return due.length === TAKEN
}
