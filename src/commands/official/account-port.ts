import type { TenantId } from '../../domain/ids.ts'
import type { OfficialNumber, OfficialOf } from '../../ports/official/number.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { OfficialStore } from '../../ports/stores/official-store.ts'

export interface AccountPortDeps {
  readonly numbers: Pick<NumberStore, 'list'>
  readonly official: Pick<OfficialStore, 'credentials'>
  readonly officialOf: OfficialOf
}

/**
 * Upstream, asked in the name of one of the tenant's numbers of the account, one with a good token before others; null
 * without any.
 */
export async function upstreamOfAccount(
  { numbers, official, officialOf }: AccountPortDeps,
  tenantId: TenantId,
  accountId: string,
): Promise<OfficialNumber | null> {
  const ofAccount = (await numbers.list(tenantId)).filter((number) => number.official?.accountId === accountId)
  const number = ofAccount.find((one) => one.official?.isTokenValid) ?? ofAccount[0]
  const credentials = number ? await official.credentials(tenantId, number.id) : null
  return credentials ? officialOf(credentials) : null
}
