import type { TenantId } from '../../domain/ids.ts'
import type { OfficialNumber } from '../../ports/official/number.ts'
import type { OfficialPorts } from './ports.ts'

/**
 * The port of an account upstream, in the name of one of the tenant's numbers of the account, preferably one with a
 * valid token; null when there is none.
 */
export async function upstreamOfAccount(
  { numbers, official, officialOf }: Pick<OfficialPorts, 'numbers' | 'official' | 'officialOf'>,
  tenantId: TenantId,
  accountId: string,
): Promise<OfficialNumber | null> {
  const ofAccount = (await numbers.list(tenantId)).filter((number) => number.official?.accountId === accountId)
  const number = ofAccount.find((one) => one.official?.isTokenValid) ?? ofAccount[0]
  const credentials = number ? await official.credentials(tenantId, number.id) : null
  return credentials ? officialOf(credentials) : null
}
