import type { PlatformAd } from '../ads/ad-book.ts'
import { pickNested } from '../http/nested-fields.ts'
import type { ObjectKind } from './object.ts'

/** An ad, for a token that its account is shared with. */
export const ad: ObjectKind<PlatformAd> = {
  find({ leadAds: { ads } }, { id, opened }) {
    const found = ads.find(id)
    return found && opened.adAccounts.has(found.accountId) ? found : null
  },
  edges: {
    'GET ': async ({ platform, on, query }) => {
      const { id, name, adset, campaign, accountId } = on
      const body = pickNested(
        { id, name, adset, campaign, account_id: accountId.replace('act_', ''), status: 'ACTIVE' },
        query.get('fields'),
        ['id'],
        'Adgroup',
      )
      const delayMs = platform.leadAds.ads.account(accountId)?.nameDelayMs ?? 0
      if (delayMs > 0) await new Promise<void>((resolve) => platform.clock.after(delayMs, resolve))
      return { body }
    },
  },
}
