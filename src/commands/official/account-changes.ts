import type { TenantId } from '../../domain/ids.ts'
import { ASIDE_TRIES, failureCode, isOwnFault } from '../../domain/set-aside.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { OfficialAccountEvent, ReadAccountEvents } from '../../ports/official/changes.ts'
import type { AccountChange, AccountChangeStore, AccountLane } from '../../ports/stores/account-change-store.ts'
import type { SetAsideStore } from '../../ports/stores/set-aside-store.ts'

/** Of what is told of an account. */
interface Told {
  /** Whom it was told; the account may be of others too. */
  readonly tenantId: TenantId
  readonly accountId: string
  /** When upstream told it; when it came, where upstream does not say, or says a day to come. */
  readonly at: Date
}

/** What upstream told of a template of an account. */
export interface TemplateTold
  extends Told, Omit<Extract<OfficialAccountEvent, { readonly type: 'templateTold' }>, 'type'> {}

/** What upstream told of a Flow of an account. */
export interface FlowTold extends Told, Omit<Extract<OfficialAccountEvent, { readonly type: 'flowTold' }>, 'type'> {}

export interface AccountChangesDeps {
  readonly changes: AccountChangeStore
  readonly readEvents: ReadAccountEvents
  /** Tries at once what numbers of the account wait for. */
  readonly hastenCalling: (tenantId: TenantId, accountId: string) => Promise<void>
  /** Applies what upstream told of a template, in every tenant that has the account. Once it answers, it is stored. */
  readonly templateTold: (told: TemplateTold) => Promise<void>
  /** The same of a Flow. */
  readonly flowTold: (told: FlowTold) => Promise<void>
  readonly setAside: Pick<SetAsideStore, 'accountChange'>
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Log
}

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
export async function workOffAccount(deps: AccountChangesDeps, isWanted: () => boolean): Promise<boolean> {
  const lane = await deps.changes.take(TAKEN, LEASE_MS)
  if (!lane) return false
  await workOffLane(deps, lane, isWanted).catch((error: unknown) => {
    // Its lease brings it back; until then nothing newer of the account overtakes it.
    deps.log.warn({ error: String(error) }, 'a change of an account was not worked off')
  })
  return true
}

/** Each change is settled once what it led to is stored: a crash in between repeats it, and loses nothing. */
async function workOffLane(deps: AccountChangesDeps, lane: AccountLane, isWanted: () => boolean): Promise<void> {
  const untilMs = deps.clock.monotonicMs() + TURN_MS
  for (const change of lane.changes) {
    if (!isWanted() || deps.clock.monotonicMs() >= untilMs) return
    if (!(await workOff(deps, lane, change))) return
  }
}

/** False: it is tried again, before what follows it. One that fails for a reason of its own is set aside in the end. */
async function workOff(deps: AccountChangesDeps, lane: AccountLane, change: AccountChange): Promise<boolean> {
  try {
    for (const event of deps.readEvents(change.field, change.value)) await apply(deps, lane, change, event)
    await deps.changes.settle(change.position)
    return true
  } catch (error) {
    if (!isOwnFault(error)) throw error
    const { position, field } = change
    const tries = await deps.changes.failed(position, RETRY_MS)
    const reason = failureCode(error)
    deps.log.error(
      { accountId: lane.accountId, position, field, tries, reason },
      'a change of an account was not worked off',
    )
    if (tries < ASIDE_TRIES) return false
    await deps.setAside.accountChange(position, { reason, tries })
    return true
  }
}

/** Applied twice, an event does no more than once. */
async function apply(
  deps: AccountChangesDeps,
  { tenantId, accountId }: AccountLane,
  change: AccountChange,
  event: OfficialAccountEvent,
): Promise<void> {
  switch (event.type) {
    case 'limitsMayHaveRisen':
      return deps.hastenCalling(tenantId, accountId)
    case 'templateTold': {
      const { kind, ref, value } = event
      return deps.templateTold({ tenantId, accountId, kind, ref, value, at: toldAt(change) })
    }
    case 'flowTold':
      return deps.flowTold({ tenantId, accountId, news: event.news, at: toldAt(change) })
  }
}

/** A time far ahead would make all that is told until then old, in every tenant that has the account. */
function toldAt({ at, receivedAt }: AccountChange): Date {
  return at === null || at.getTime() > receivedAt.getTime() + MOST_AHEAD_MS ? receivedAt : at
}
