import type { NumberId, TenantId } from '../../domain/ids.ts'
import { hasSameLimits } from '../../domain/official.ts'
import { failureCode } from '../../domain/set-aside.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import { upstreamOfAccount } from './account-port.ts'
import type { OfficialPorts } from './ports.ts'

/**
 * Reads the limits of all numbers of an account, a request for each hundred, and lets its sending actors go on by them.
 * Our choice: what cannot be read stays as it was known, until the next webhook or `refresh=1`.
 */
export async function readLimits(ports: OfficialPorts, tenantId: TenantId, accountId: string): Promise<void> {
  const upstream = await upstreamOfAccount(ports, tenantId, accountId)
  if (!upstream) return
  const read = await upstream.health.readLimits()
  if (!read.ok) {
    ports.log.warn({ accountId, code: read.error.code }, 'the limits of an account were not read')
    return
  }
  const changed = await ports.official.saveLimits(tenantId, accountId, read.value)
  await tellLimits(ports, tenantId, accountId, changed)
}

/** Tells a number that its limits are others now, where they are. */
export async function tellChange(ports: OfficialPorts, before: ChannelNumber, after: ChannelNumber): Promise<void> {
  if (!before.official || !after.official || hasSameLimits(before.official, after.official)) return
  await tellLimits(ports, after.tenantId, after.official.accountId, [after.id])
}

/**
 * Tells running numbers that their limits changed, one after another, and lets go what waited for a higher one. Never
 * rejects for a number that cannot be told: it reads its row when it next starts.
 */
async function tellLimits(
  { numbers, askApplySettings, queue, sendsQueued, log }: OfficialPorts,
  tenantId: TenantId,
  accountId: string,
  numberIds: readonly NumberId[],
): Promise<void> {
  for (const numberId of numberIds) {
    const number = await numbers.find(tenantId, numberId)
    if (!number) continue
    const { settings, official } = number
    const code = await askApplySettings(numberId, { settings, limits: official ?? null }).then(
      (told) => (told.ok ? null : told.error.code),
      failureCode,
    )
    if (code !== null) log.info({ numberId, code }, 'a number was not told of its limits')
  }
  for (const numberId of await queue.letGo(tenantId, accountId)) sendsQueued(numberId)
}
