import { fail, refuse, succeed, type Outcome, type Refusal } from '../../domain/errors.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { AdAccount, AdsOf, UpstreamRead } from '../../ports/official/pages.ts'
import type { AdAccess, AdStore } from '../../ports/stores/ad-store.ts'

export interface ShareAccessDeps {
  readonly ads: Pick<AdStore, 'share'>
  readonly adsOf: AdsOf
}

/**
 * Keeps the token of somebody who may read ads, once upstream showed what accounts it sees (contract 13). Refusals: AD_ACCESS_REJECTED, OFFICIAL_THROTTLED,
 * OFFICIAL_ERROR, NUMBER_NOT_FOUND.
 */
export async function shareAdAccess({ ads, adsOf }: ShareAccessDeps, { id, tenantId }: Pick<ChannelNumber, 'id' | 'tenantId'>, accessToken: string): Promise<Outcome<AdAccess>> {
  const read = await adsOf({ ownerId: id, accessToken, appSecret: null }).accounts()
  if (read.kind !== 'read') return fail(refusalOf(read))
  if (read.value.length === 0) return fail(rejected('It sees no ad account: assign one to its owner, and give it ads_read', null))
  const access = await ads.share(tenantId, id, accessToken, read.value)
  return access ? succeed(access) : fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
}

function refusalOf(read: Exclude<UpstreamRead<readonly AdAccount[]>, { kind: 'read' }>): Refusal {
  const { upstreamCode, upstreamMessage } = read.no
  const details = { upstreamCode, upstreamMessage }
  switch (read.kind) {
    case 'refused':
    case 'token-dead':
      return rejected(`The official platform refused the token: ${upstreamMessage}`, details)
    case 'throttled':
      return refuse('OFFICIAL_THROTTLED', 'The official platform throttles this token. Try again later.', details, read.waitMs === null ? undefined : read.waitMs / 1000)
    case 'failed':
      return refuse('OFFICIAL_ERROR', 'The official platform did not answer as it should.', details)
  }
}

function rejected(message: string, details: { readonly upstreamCode: number | null, readonly upstreamMessage: string } | null): Refusal {
  return refuse('AD_ACCESS_REJECTED', message, details ?? { upstreamCode: null, upstreamMessage: null })
}
