import type { TenantId } from '../../domain/ids.ts'
import { webhookUrlOf } from '../../domain/official.ts'
import type { Log } from '../../ports/log.ts'
import type { OfficialOf } from '../../ports/official/number.ts'
import type { InboundStore } from '../../ports/stores/inbound-store.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { OfficialStore } from '../../ports/stores/official-store.ts'

export interface HandOverDeps {
  readonly numbers: Pick<NumberStore, 'list'>
  readonly inbound: Pick<InboundStore, 'findTarget'>
  readonly official: Pick<OfficialStore, 'credentials'>
  readonly officialOf: OfficialOf
  /** Public base of REST, where upstream delivers. */
  readonly baseUrl: string
  readonly log: Log
}

/**
 * The number that took the account's webhooks is gone: another one of the tenant takes them. Best effort, never
 * rejects.
 */
export async function handOver(deps: HandOverDeps, tenantId: TenantId, accountId: string): Promise<void> {
  try {
    await subscribeHeir(deps, tenantId, accountId)
  } catch (error) {
    deps.log.warn({ error: String(error) }, 'webhooks of an account were not handed over')
  }
}

async function subscribeHeir(
  { numbers, inbound, official, officialOf, baseUrl, log }: HandOverDeps,
  tenantId: TenantId,
  accountId: string,
): Promise<void> {
  const heir = (await numbers.list(tenantId)).find((number) => number.official?.accountId === accountId)
  if (!heir) return
  const [target, credentials] = await Promise.all([
    inbound.findTarget(heir.id),
    official.credentials(tenantId, heir.id),
  ])
  if (!target || !credentials) return
  const subscribed = await officialOf(credentials).subscription.subscribe(
    webhookUrlOf(baseUrl, heir.id),
    target.verifyToken,
  )
  if (!subscribed.ok)
    log.warn(
      { numberId: heir.id, code: subscribed.error.code },
      'webhooks of an account still go to a number that was removed',
    )
}
