import { z } from 'zod'
import type { AdAccount, PlatformAd } from '../official/ads/ad-book.ts'
import type { OfficialPlatform } from '../official/platform/platform.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type ControlAnswer, type ControlRequest, type Route } from './router.ts'

const id = z.string().regex(/^\d{1,30}$/)
const named = z.object({ id: id.optional(), name: z.string().min(1) })
const accountPatchSchema = z.object({
  /** False when the token of the account does not see its ads. */
  isShared: z.boolean().optional(),
  /** How long the answer about an ad of the account is held, ms. */
  nameDelayMs: z.int().min(0).max(600_000).optional(),
})
/** Body of `POST /control/official/ads`. */
const adSchema = accountPatchSchema.extend({
  adId: id.optional(),
  name: z.string().min(1),
  adset: named,
  campaign: named,
  adAccountId: z
    .string()
    .regex(/^(?:act_)?\d{1,30}$/)
    .optional(),
  /** Token that sees a new account, such as that of a number or a Page. */
  accessToken: z.string().min(1).optional(),
})

function presentAccount({ id: adAccountId, name, token, isShared, nameDelayMs }: AdAccount) {
  return { adAccountId, name, accessToken: token, isShared, nameDelayMs }
}

function presentAd({ leadAds: { ads } }: OfficialPlatform, { id: adId, name, adset, campaign, accountId }: PlatformAd) {
  const account = ads.account(accountId)
  return {
    adId,
    name,
    adset,
    campaign,
    adAccountId: accountId,
    accessToken: account?.token ?? null,
    isShared: account?.isShared ?? false,
    nameDelayMs: account?.nameDelayMs ?? 0,
  }
}

function put(official: OfficialPlatform, { body }: ControlRequest): ControlAnswer {
  const given = readBody(adSchema, body)
  const { ad, account } = official.leadAds.ads.put(given)
  official.leadAds.ads.patch(account, given)
  return json(201, presentAd(official, ad))
}

/** Routes that make ads, rename them, share their accounts and unshare them. */
export function adRoutes(official: OfficialPlatform): Route[] {
  const { ads } = official.leadAds
  return [
    { method: 'POST', path: '/control/official/ads', answer: (request) => put(official, request) },
    {
      method: 'GET',
      path: '/control/official/ads',
      answer: () =>
        json(200, {
          ads: ads.ads().map((ad) => presentAd(official, ad)),
          adAccounts: ads.accounts().map(presentAccount),
        }),
    },
    {
      method: 'PATCH',
      path: '/control/official/ad-accounts/:id',
      answer: ({ params, body }) => {
        const account = ads.account(params['id'] ?? '')
        if (!account) throw new ControlRefusal(404, 'AD_ACCOUNT_NOT_FOUND', 'There is no such account of ads')
        ads.patch(account, readBody(accountPatchSchema, body))
        return json(200, presentAccount(account))
      },
    },
  ]
}
