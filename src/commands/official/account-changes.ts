import { ASIDE_TRIES, failureCode, isOwnFault } from '../../domain/set-aside.ts'
import type { OfficialAccountEvent } from '../../ports/official/changes.ts'
import type { AccountChange, AccountLane } from '../../ports/stores/account-change-store.ts'
import { hastenCalling } from './hasten-calling.ts'
import type { OfficialPorts } from './ports.ts'
import { readLimits } from './read-limits.ts'

/** Our choice: changes of an account that are taken at once. */
const TAKEN = 20
/**
 * Our choice: an account belongs to its taker for so long. After it, what a killed or failed taker left is taken again.
 */
const LEASE_MS = 60_000
/**
 * Our choice: after so long no further change of the account is begun. An account whose upstream is slow then waits for
 * its lease, so it uses a third of the time and leaves the rest to other accounts.
 */
const TURN_MS = 20_000
/** Our choice: a change that failed for a reason of its own is tried again after so long. */
const RETRY_MS = 10_000
/** Our choice: the clocks of upstream and of the nodes differ by less than this. */
const MOST_AHEAD_MS = 24 * 3_600_000

/**
 * Works off the changes of the account that waits longest, in the order they were told; an account has one taker.
 * Answers whether there may be more. `isWanted` is asked between changes; what is left is taken again after the lease.
 */
export async function workOffAccount(ports: OfficialPorts, isWanted: () => boolean): Promise<boolean> {
  const lane = await ports.accountChanges.take(TAKEN, LEASE_MS)
  if (!lane) return false
  await workOffLane(ports, lane, isWanted).catch((error: unknown) => {
    // Once its lease has run out, the account is taken again; until then none of its newer changes overtakes this one.
    ports.log.warn({ error: String(error) }, 'a change of an account was not worked off')
  })
  return true
}

/** Each change is settled once its effects are stored, so a crash in between repeats it and loses nothing. */
async function workOffLane(ports: OfficialPorts, lane: AccountLane, isWanted: () => boolean): Promise<void> {
  const untilMs = ports.clock.monotonicMs() + TURN_MS
  const lastOfLimits = lane.changes.findLastIndex((change) => tellsOfLimits(ports, change))
  for (const [place, change] of lane.changes.entries()) {
    if (!isWanted() || ports.clock.monotonicMs() >= untilMs) return
    if (!(await workOff(ports, lane, change, place < lastOfLimits))) return
  }
}

function tellsOfLimits({ readEvents }: OfficialPorts, { field, value }: AccountChange): boolean {
  return readEvents(field, value).some(({ type }) => type === 'limitsMayHaveRisen')
}

/**
 * Answers false when the change is tried again, before those that follow it. `areLimitsRead` is true when a later
 * change of the account reads its limits anyway. A change that keeps failing for a reason of its own is set aside.
 */
async function workOff(
  ports: OfficialPorts,
  lane: AccountLane,
  change: AccountChange,
  areLimitsRead: boolean,
): Promise<boolean> {
  try {
    for (const event of ports.readEvents(change.field, change.value))
      await apply(ports, lane, { ...change, areLimitsRead }, event)
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

/** Applies an event. Applied twice, an event has the effect of once. */
async function apply(
  ports: OfficialPorts,
  { tenantId, accountId }: AccountLane,
  change: AccountChange & { readonly areLimitsRead: boolean },
  event: OfficialAccountEvent,
): Promise<void> {
  switch (event.type) {
    case 'limitsMayHaveRisen':
      await hastenCalling(ports, tenantId, accountId)
      // An account of many numbers is told once for each: the last change reads for all.
      return change.areLimitsRead ? undefined : readLimits(ports, tenantId, accountId)
    case 'templateTold': {
      const { kind, ref, value } = event
      return ports.templateTold({ tenantId, accountId, kind, ref, value, at: toldAt(change) })
    }
    case 'marketingSigned':
      return ports.marketingSigned({ tenantId, accountId: event.accountId ?? accountId })
    case 'flowTold':
      return ports.flowTold({ tenantId, accountId, news: event.news, at: toldAt(change) })
  }
}

/**
 * The time of a change. A time far ahead counts as the time of receipt: it would make everything told until then old,
 * in every tenant that has the account.
 */
function toldAt({ at, receivedAt }: AccountChange): Date {
  return at === null || at.getTime() > receivedAt.getTime() + MOST_AHEAD_MS ? receivedAt : at
}
