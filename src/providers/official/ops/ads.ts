import type { Fields } from '../../../domain/json-fields.ts'
import type { AdAccount, AdNames, AdsCredentials, AdsPort } from '../../../ports/official/pages.ts'
import type { Graph } from '../client/graph.ts'
import { idIn, objectIn, textIn } from '../values/loose.ts'
import { signedAsks } from './signed-asks.ts'

const NAME_FIELDS = 'name,adset{id,name},campaign{id,name}'

/** Ads, over `/{ad}` and `/me/adaccounts`, with a token that may see them. */
export function adsOps(graph: Graph, { ownerId, accessToken, appSecret }: AdsCredentials): AdsPort {
  const asks = signedAsks(graph, { queue: `ads:${ownerId}`, accessToken, appSecret })
  return {
    names: (adId) =>
      asks.ask({ op: 'ad.read', method: 'GET', path: [adId], query: { fields: NAME_FIELDS } }, (body) => {
        const id = idIn(body)
        return id === null || id === adId ? { value: namesIn(body) } : null
      }),
    async accounts() {
      const read = await asks.page(
        { op: 'ads.accounts', path: ['me', 'adaccounts'], query: { fields: 'id,name' } },
        null,
        shownAccount,
      )
      return read.kind === 'read' ? { kind: 'read', value: read.value.items } : read
    },
  }
}

function namesIn(body: Fields): AdNames {
  const [adset, campaign] = [objectIn(body, 'adset'), objectIn(body, 'campaign')]
  return {
    adName: textIn(body, 'name'),
    adsetId: idIn(adset),
    adsetName: textIn(adset, 'name'),
    campaignId: idIn(campaign),
    campaignName: textIn(campaign, 'name'),
  }
}

/** An ad account; upstream writes `act_` before the digits. */
function shownAccount(fields: Fields): AdAccount | null {
  const id = textIn(fields, 'id')
  return id !== null && /^(?:act_)?\d{1,64}$/.test(id) ? { id, name: textIn(fields, 'name') } : null
}
