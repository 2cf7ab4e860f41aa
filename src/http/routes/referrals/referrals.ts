import type { ReferralSummary } from '../../../domain/referral.ts'
import type { NumberStore } from '../../../ports/stores/number-store.ts'
import type { ReferralStore } from '../../../ports/stores/referral-store.ts'
import { findNumber } from '../../middlewares/number-known.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { RANGE_CODES } from '../date-range.ts'
import { presentItem, presentNames } from '../messages/present.ts'
import { PAGE_CODES, pageOf, presentPaged } from '../paging.ts'
import * as example from './examples.ts'
import * as schema from './schema.ts'

export interface ReferralDeps {
  readonly referrals: ReferralStore
  readonly numbers: NumberStore
}

/** [referrals.summary.5]: the most ads in a summary. */
const SUMMARY_ADS = 200
const RANGE = 'startDate=2026-01-01&endDate=2030-01-31'
const OF_NUMBER = {
  group: 'Referrals',
  access: { by: ['key', 'grant', 'session'], of: 'number' },
  capability: 'referrals',
} as const

/**
 * Referrals of the key's number: the ads and posts that its conversations began with ([referrals.routes.1],
 * [referrals.routes.2]).
 */
export function referralRoutes(deps: ReferralDeps): Route[] {
  return [summary(deps), list(deps)]
}

function list({ referrals, numbers }: ReferralDeps): Route {
  return route({
    ...OF_NUMBER,
    method: 'get',
    path: '/v1/referrals',
    name: 'listReferrals',
    permission: 'chat:read',
    summary: 'List conversations that an ad or post began, newest first',
    description:
      'Each is the first message of its conversation. It stays listed, without what is of a person, when privacy withholds the message or has deleted it. Asking never has names looked up.',
    query: schema.listQuery,
    queryCodes: { ...RANGE_CODES, ...PAGE_CODES, sourceType: 'INVALID_SOURCE_TYPE' },
    queryExample: `sourceType=ad&${RANGE}`,
    answer: {
      status: 200,
      description: 'A page of messages with their referrals',
      schema: schema.referralPage,
      example: example.LIST,
    },
    async handle({ caller, number, query }) {
      const page = pageOf(query)
      const { startDate = null, endDate = null, sourceId = null, sourceType = null } = query
      const [row, { items, total }] = await Promise.all([
        findNumber(numbers, caller, number.id),
        referrals.list(number, { ...page, startDate, endDate, sourceId, sourceType }),
      ])
      return {
        status: 200,
        body: presentPaged(
          { referrals: items.map(presentItem) },
          total,
          page,
          row,
          items.some(({ isRedacted }) => isRedacted),
        ),
      }
    },
  })
}

function summary({ referrals }: ReferralDeps): Route {
  return route({
    ...OF_NUMBER,
    method: 'get',
    path: '/v1/referrals/summary',
    name: 'summarizeReferrals',
    permission: 'ads:read',
    summary: 'Count conversations by the ad or post that began them',
    description: `Most conversations first, at most ${SUMMARY_ADS} of them. Referrals without an id of an ad or post are listed, not counted here.`,
    query: schema.summaryQuery,
    queryCodes: RANGE_CODES,
    queryExample: RANGE,
    answer: { status: 200, description: 'Ads and posts', schema: schema.summary, example: example.SUMMARY },
    async handle({ number, query: { startDate = null, endDate = null } }) {
      const { ads, isTruncated } = await referrals.summary(number, { startDate, endDate }, SUMMARY_ADS)
      return {
        status: 200,
        body: {
          ads: ads.map(presentSummary),
          truncated: isTruncated,
          ...(isTruncated ? { notice: 'ADS_TRUNCATED' } : {}),
        },
      }
    },
  })
}

/** An ad or post with what it brought ([referrals.summary.1]). */
function presentSummary(ad: ReferralSummary) {
  const { sourceId, sourceType, conversations, messages, lastSourceUrl, lastHeadline, lastMessageAt } = ad
  return {
    sourceId,
    sourceType,
    conversations,
    messages,
    lastSourceUrl,
    lastHeadline,
    lastMessageAt: lastMessageAt.toISOString(),
    ...presentNames(ad),
  }
}
