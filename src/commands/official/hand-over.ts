import type { TenantId } from '../../domain/ids.ts'
import { webhookUrlOf } from '../../domain/official.ts'
import type { OfficialPorts } from './ports.ts'

/**
 * The number that took the account's webhooks is removed, so another number of the tenant takes them. Best effort,
 * never rejects.
 */
export async function handOver(ports: OfficialPorts, tenantId: TenantId, accountId: string): Promise<void> {
  try {
    await subscribeHeir(ports, tenantId, accountId)
  } catch (error) {
    ports.log.warn({ error: String(error) }, 'webhooks of an account were not handed over')
  }
}

async function subscribeHeir(
  { numbers, inbound, official, officialOf, baseUrl, log }: OfficialPorts,
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
