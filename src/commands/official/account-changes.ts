import { ASIDE_TRIES, failureCode, isOwnFault } from '../../domain/set-aside.ts'
import type { OfficialAccountEvent } from '../../ports/official/changes.ts'
import type { AccountChange, AccountLane } from '../../ports/stores/account-change-store.ts'
import { hastenCalling } from './hasten-calling.ts'
import type { OfficialPorts } from './ports.ts'

/** Our choice: changes of an account that are taken at a time. */
const TAKEN = 20
/** Our choice: for so long an account is its taker's; what a killed one, or one that failed, left goes on after it. */
const LEASE_MS = 60_000
/**
 * Our choice: after so long no further change of the account is begun. One whose upstream is slow waits for its lease
 * then, a third of which it works at most: the rest of the time is other accounts'.
 */
const TURN_MS = 20_000
/** Our choice: a change that failed for a reason of its own is tried again after it. */
const RETRY_MS = 10_000
/** Our choice: clocks of upstream and of nodes differ by less. */
const MOST_AHEAD_MS = 24 * 3_600_000

/**
 * Works off what waits for the account that waits longest, one taker an account, in the order it was told. Answers
 * whether there may be more. `isWanted`: asked between changes; what is left then goes on when the lease is over.
 */
export async function workOffAccount(ports: OfficialPorts, isWanted: () => boolean): Promise<boolean> {
  const lane = await ports.accountChanges.take(TAKEN, LEASE_MS)
  if (!lane) return false
  await workOffLane(ports, lane, isWanted).catch((error: unknown) => {
    // Its lease brings it back; until then nothing newer of the account overtakes it.
    ports.log.warn({ error: String(error) }, 'a change of an account was not worked off')
  })
  return true
}

/** Each change is settled once what it led to is stored: a crash in between repeats it, and loses nothing. */
async function workOffLane(ports: OfficialPorts, lane: AccountLane, isWanted: () => boolean): Promise<void> {
  const untilMs = ports.clock.monotonicMs() + TURN_MS
  for (const change of lane.changes) {
    if (!isWanted() || ports.clock.monotonicMs() >= untilMs) return
    if (!(await workOff(ports, lane, change))) return
  }
}

/** False: it is tried again, before what follows it. One that fails for a reason of its own is set aside in the end. */
async function workOff(ports: OfficialPorts, lane: AccountLane, change: AccountChange): Promise<boolean> {
  try {
    for (const event of ports.readEvents(change.field, change.value)) await apply(ports, lane, change, event)
    await ports.accountChanges.settle(change.position)
    return true
  } catch (error) {
    if (!isOwnFault(error)) throw error
    const { position, field } = change
    const tries = await ports.accountChanges.failed(position, RETRY_MS)
    const reason = failureCode(error)
    ports.log.error(
      { accountId: lane.accountId, position, field, tries, reason },
      'a change of an account was not worked off',
    )
    if (tries < ASIDE_TRIES) return false
    await ports.setAside.accountChange(position, { reason, tries })
    return true
  }
}

/** Applied twice, an event does no more than once. */
async function apply(
  ports: OfficialPorts,
  { tenantId, accountId }: AccountLane,
  change: AccountChange,
  event: OfficialAccountEvent,
): Promise<void> {
  switch (event.type) {
    case 'limitsMayHaveRisen':
      return hastenCalling(ports, tenantId, accountId)
    case 'templateTold': {
      const { kind, ref, value } = event
      return ports.templateTold({ tenantId, accountId, kind, ref, value, at: toldAt(change) })
    }
    case 'flowTold':
      return ports.flowTold({ tenantId, accountId, news: event.news, at: toldAt(change) })
  }
}

/** A time far ahead would make all that is told until then old, in every tenant that has the account. */
function toldAt({ at, receivedAt }: AccountChange): Date {
  return at === null || at.getTime() > receivedAt.getTime() + MOST_AHEAD_MS ? receivedAt : at
}
