import type { AdCommands } from '../../../commands/ads/ads.ts'
import type { AdAccess } from '../../../ports/stores/ad-store.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { deletedNumber, numberParams } from '../numbers/schema.ts'
import { SAMPLE } from '../samples.ts'
import * as schema from './schema.ts'

/** What the routes of ad accounts use. */
interface AdAccessDeps {
  readonly adCommands: AdCommands
}

const PATH = {
  path: '/v1/numbers/{id}/ad-access',
  group: 'Referrals',
  access: { by: ['key', 'grant', 'session'], of: 'pathNumber' },
  params: numberParams,
} as const
const SHARED = {
  shared: true,
  adAccounts: [{ id: 'act_120210000000000', name: 'Acme ads' }],
  checkedAt: SAMPLE.createdAt,
}
const NONE = { shared: false, adAccounts: [], checkedAt: null }

/**
 * Access to the ad accounts that the names of a number's ads are read with ([referrals.routes.3]). It serves both kinds
 * of number, because leads of both come from ads.
 */
export function adAccessRoutes({ adCommands: ads }: AdAccessDeps): Route[] {
  return [share(ads), read(ads), remove(ads)]
}

function share(ads: AdCommands): Route {
  return route({
    ...PATH,
    method: 'put',
    name: 'shareAdAccess',
    permission: 'numbers:manage',
    summary: 'Share ad accounts with a number',
    description: 'Ads of the last 90 days whose names were not to be had are asked for again, in the background.',
    body: schema.accessInput,
    bodyExample: { accessToken: 'EAAexampleTokenOfTheAdvertiser' },
    answer: { status: 200, description: 'What the token sees', schema: schema.access, example: SHARED },
    refusals: ['AD_ACCESS_REJECTED', 'OFFICIAL_ERROR', 'OFFICIAL_THROTTLED'],
    handle: async ({ number, body }) => ({
      status: 200,
      body: presentAccess(unwrap(await ads.shareAccess(number, body.accessToken))),
    }),
  })
}

function read(ads: AdCommands): Route {
  return route({
    ...PATH,
    method: 'get',
    name: 'getAdAccess',
    permission: 'ads:read',
    summary: 'Read whether ad accounts are shared with a number',
    answer: {
      status: 200,
      description: 'The accounts',
      schema: schema.access,
      examples: { Shared: SHARED, 'Not shared': NONE },
    },
    handle: async ({ number }) => ({ status: 200, body: presentAccess(await ads.access(number)) }),
  })
}

function remove(ads: AdCommands): Route {
  return route({
    ...PATH,
    method: 'delete',
    name: 'removeAdAccess',
    permission: 'numbers:manage',
    summary: 'Take the ad accounts of a number back',
    description: 'Names that are known stay. Nothing happens where none are shared.',
    answer: {
      status: 200,
      description: 'They are not shared any more',
      schema: deletedNumber,
      example: { deleted: true, id: SAMPLE.numberId },
    },
    async handle({ number }) {
      await ads.unshareAccess(number)
      return { status: 200, body: { deleted: true, id: number.id } }
    },
  })
}

function presentAccess(access: AdAccess | null) {
  if (access === null) return NONE
  return {
    shared: true,
    adAccounts: access.adAccounts.map(({ id, name }) => ({ id, name })),
    checkedAt: access.checkedAt.toISOString(),
  }
}
