import type { TenantId } from '../../domain/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { OfficialAccountEvent, ReadAccountEvents } from '../../ports/official/changes.ts'
import type { AccountChangeStore, AccountLane } from '../../ports/stores/account-change-store.ts'

export interface AccountChangesDeps {
  readonly changes: AccountChangeStore
  readonly readEvents: ReadAccountEvents
  /** Tries at once what numbers of the account wait for. */
  readonly hastenCalling: (tenantId: TenantId, accountId: string) => Promise<void>
  readonly log: Log
}

/** Our choice: accounts that a turn works on side by side. */
const LANES = 4
/** Our choice: changes of an account that are taken at a time. */
const TAKEN = 20
/** Our choice: for so long an account is its taker's; what a killed one, or one that failed, left goes on after it. */
const LEASE_MS = 60_000

/** Works off what waits for accounts, one taker an account, in the order it was told. Answers whether there may be more. */
export async function workOffAccounts(deps: AccountChangesDeps): Promise<boolean> {
  const taken = await Promise.all(Array.from({ length: LANES }, () => workOffOne(deps)))
  return taken.includes(true)
}

async function workOffOne(deps: AccountChangesDeps): Promise<boolean> {
  const lane = await deps.changes.take(TAKEN, LEASE_MS)
  if (!lane) return false
  await workOffLane(deps, lane).catch((error: unknown) => {
    // Its lease brings it back; until then nothing newer of the account overtakes it.
    deps.log.warn({ error: String(error) }, 'a change of an account was not worked off')
  })
  return true
}

/** Each change is settled once what it led to is stored: a crash in between repeats it, and loses nothing. */
async function workOffLane(deps: AccountChangesDeps, lane: AccountLane): Promise<void> {
  for (const { position, field, value } of lane.changes) {
    for (const event of deps.readEvents(field, value)) await apply(deps, lane, event)
    await deps.changes.settle(position)
  }
}

/** Applied twice, an event does no more than once. */
async function apply({ hastenCalling }: AccountChangesDeps, { tenantId, accountId }: AccountLane, event: OfficialAccountEvent): Promise<void> {
  switch (event.type) {
    case 'limitsMayHaveRisen':
      return hastenCalling(tenantId, accountId)
  }
}
