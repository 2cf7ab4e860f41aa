import type { Outcome } from '../../domain/errors.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import { callingRetryMs, webhookUrlOf } from '../../domain/official.ts'
import type { CallingOutcome } from '../../ports/official/calling.ts'
import type { OfficialCredentials } from '../../ports/official/credentials.ts'
import type { DueCalling } from '../../ports/stores/official-store.ts'
import type { OfficialPorts } from './ports.ts'

export interface EnableCallingInput {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly credentials: OfficialCredentials
  /** Failed tries in a row before this one. */
  readonly triesBefore: number
}

/**
 * Enables calling of a number now ([official.calling.3]); when that fails, plans the next try ([official.calling.1],
 * [official.calling.2]).
 */
export async function enableCalling(
  { officialOf, official, marksStored, log }: OfficialPorts,
  { tenantId, numberId, credentials, triesBefore }: EnableCallingInput,
): Promise<Outcome<CallingOutcome>> {
  const outcome = await officialOf(credentials).calling.enable()
  // The marks that the answer led to are stored first, so that this plan is the one that stays.
  await marksStored()
  if (!outcome.ok) log.info({ numberId, code: outcome.error.code }, 'calling could not be enabled')
  const tries = triesBefore + 1
  const isEnabled = outcome.ok && outcome.value === 'ENABLED'
  // A failure does not tell what the number waits for, so the status stays.
  const known = outcome.ok ? { callingStatus: outcome.value, isTokenValid: true } : {}
  await official.save(tenantId, numberId, {
    ...known,
    callingRetry: isEnabled ? null : { tries, inMs: callingRetryMs(tries) },
  })
  if (outcome.ok && triesBefore > 0)
    log.info({ numberId, callingStatus: outcome.value }, 'enabling calling was tried again, and upstream answered')
  return outcome
}

/** Our choice: numbers that one turn takes, tried one after another. */
const TAKEN = 20
/** Our choice: a taken number belongs to this node for so long, longer than a turn in which every request times out. */
const LEASE_MS = 30 * 60_000

/** Makes the tries that are due, each on one node, while `isWanted` answers true. */
export async function enableDueCalling(ports: OfficialPorts, isWanted: () => boolean): Promise<void> {
  for (const due of await ports.official.takeDueCalling(TAKEN, LEASE_MS)) {
    if (!isWanted()) return
    await tryAgain(ports, due).catch((error: unknown) => {
      // Once its lease has run out, the number is tried again.
      ports.log.warn({ numberId: due.numberId, error: String(error) }, 'a due try to enable calling failed')
    })
  }
}

async function tryAgain(ports: OfficialPorts, due: DueCalling): Promise<void> {
  if (due.callingStatus !== 'PENDING_TIER') await subscribe(ports, due)
  await enableCalling(ports, { ...due, triesBefore: due.tries })
}

/**
 * Subscribes the account again: the calls field may be missing because the account is not subscribed or lost its
 * callback.
 */
async function subscribe(
  { officialOf, baseUrl, log }: OfficialPorts,
  { numberId, credentials, verifyToken }: DueCalling,
): Promise<void> {
  const subscribed = await officialOf(credentials).subscription.subscribe(webhookUrlOf(baseUrl, numberId), verifyToken)
  if (!subscribed.ok)
    log.info({ numberId, code: subscribed.error.code }, 'the account of a number could not be subscribed')
}
