import type { TenantId } from '../../domain/ids.ts'
import type { TemplatesPort } from '../../ports/official/templates.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { UpstreamDeps } from './upstream.ts'

export interface AccountPortDeps extends Pick<UpstreamDeps, 'official' | 'officialOf'> {
  readonly numbers: Pick<NumberStore, 'list'>
}

/** Templates upstream, asked for in the name of one of the tenant's numbers of the account, one with a good token before others; null without any. */
export async function portOfAccount({ numbers, official, officialOf }: AccountPortDeps, tenantId: TenantId, accountId: string): Promise<TemplatesPort | null> {
  const ofAccount = (await numbers.list(tenantId)).filter((number) => number.official?.accountId === accountId)
  const number = ofAccount.find((one) => one.official?.isTokenValid) ?? ofAccount[0]
  const credentials = number ? await official.credentials(tenantId, number.id) : null
  return credentials ? officialOf(credentials).templates : null
}
