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
  /** Tries in a row before this one. */
  readonly triesBefore: number
}

/**
 * Enables calling of a number now, and plans the next try where that did not work (spec: Number calling enablement).
 */
export async function enableCalling(
  { officialOf, official, marksStored, log }: OfficialPorts,
  { tenantId, numberId, credentials, triesBefore }: EnableCallingInput,
): Promise<Outcome<CallingOutcome>> {
  const outcome = await officialOf(credentials).calling.enable()
  // What the answer said as a mark comes first, so that this plan is the one that stays.
  await marksStored()
  if (!outcome.ok) log.info({ numberId, code: outcome.error.code }, 'calling could not be enabled')
  const tries = triesBefore + 1
  const isEnabled = outcome.ok && outcome.value === 'ENABLED'
  // A failure says nothing of what the number waits for.
  const known = outcome.ok ? { callingStatus: outcome.value, isTokenValid: true } : {}
  await official.save(tenantId, numberId, {
    ...known,
    callingRetry: isEnabled ? null : { tries, inMs: callingRetryMs(tries) },
  })
  if (outcome.ok && triesBefore > 0) log.info({ numberId, callingStatus: outcome.value }, 'calling was tried again')
  return outcome
}

/** Our choice: numbers a round takes, tried one after another. */
const TAKEN = 20
/**
 * Our choice: for so long a taken number is this node's: longer than a round whose every request waits for its timeout.
 */
const LEASE_MS = 30 * 60_000

/** Makes the tries that are due, each by one node, for as long as they are wanted. */
export async function enableDueCalling(ports: OfficialPorts, isWanted: () => boolean): Promise<void> {
  for (const due of await ports.official.takeDueCalling(TAKEN, LEASE_MS)) {
    if (!isWanted()) return
    await tryAgain(ports, due).catch((error: unknown) => {
      // Its lease brings it back.
      ports.log.warn({ numberId: due.numberId, error: String(error) }, 'a due try to enable calling failed')
    })
  }
}

async function tryAgain(ports: OfficialPorts, due: DueCalling): Promise<void> {
  if (due.callingStatus !== 'PENDING_TIER') await subscribe(ports, due)
  await enableCalling(ports, { ...due, triesBefore: due.tries })
}

/** The field may be missing because the account is not subscribed, or lost its callback. */
async function subscribe(
  { officialOf, baseUrl, log }: OfficialPorts,
  { numberId, credentials, verifyToken }: DueCalling,
): Promise<void> {
  const subscribed = await officialOf(credentials).subscription.subscribe(webhookUrlOf(baseUrl, numberId), verifyToken)
  if (!subscribed.ok)
    log.info({ numberId, code: subscribed.error.code }, 'the account of a number could not be subscribed')
}
