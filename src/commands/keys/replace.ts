import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { IssuedKey } from '../../ports/stores/key-store.ts'
import type { KeyPorts } from './ports.ts'

/**
 * Replaces the default key of a number; the old one is refused at once ([keys.routes.2], [keys.routes.6]). Refusal:
 * NUMBER_NOT_FOUND.
 */
export async function replaceKey(
  { keys, revokeCallers }: KeyPorts,
  tenantId: TenantId,
  numberId: NumberId,
): Promise<Outcome<IssuedKey>> {
  const key = await keys.rotateNumberKey(tenantId, numberId)
  if (!key) return fail(refuse('NUMBER_NOT_FOUND', 'No such number in this account'))
  await revokeCallers(numberId)
  return succeed(key)
}
