import { fail, refuse, succeed, type Outcome, type Refusal } from '../../domain/errors.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { AdAccess } from '../../ports/stores/ad-store.ts'
import { readOutcome, type ReadWords, type ShownNo } from '../official/read-outcome.ts'
import type { AdPorts } from './ports.ts'

/**
 * Keeps the token of an advertiser once upstream has shown which ad accounts it sees ([referrals.routes.3]). Refusals:
 * AD_ACCESS_REJECTED, OFFICIAL_THROTTLED, OFFICIAL_ERROR, NUMBER_NOT_FOUND.
 */
export async function shareAdAccess(
  { ads, adsOf }: AdPorts,
  { id, tenantId }: Pick<ChannelNumber, 'id' | 'tenantId'>,
  accessToken: string,
): Promise<Outcome<AdAccess>> {
  const read = readOutcome(await adsOf({ ownerId: id, accessToken, appSecret: null }).accounts(), WORDS)
  if (!read.ok) return read
  if (read.value.length === 0)
    return fail(
      rejected('The token reaches no ad account: assign one to its owner, and give the token ads_read', {
        upstreamCode: null,
        upstreamMessage: null,
      }),
    )
  const access = await ads.share(tenantId, id, accessToken, read.value)
  return access ? succeed(access) : fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
}

const WORDS: ReadWords = {
  rejected: (no) => rejected(`The official platform refused the token: ${no.upstreamMessage}`, no),
  throttled: 'The official platform throttles this token. Try again later.',
  failed: 'The official platform did not answer as it should.',
}

function rejected(
  message: string,
  details: ShownNo | { readonly upstreamCode: null; readonly upstreamMessage: null },
): Refusal {
  return refuse('AD_ACCESS_REJECTED', message, details)
}
