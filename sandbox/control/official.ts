import { z } from 'zod'
import { statusOptionsSchema } from '../official/messages/status-feed.ts'
import type { OfficialPlatform } from '../official/platform/platform.ts'
import type { OfficialAccount, OfficialNumber } from '../official/registry/registry.ts'
import {
  accountPatchSchema,
  accountSeedSchema,
  numberPatchSchema,
  numberSeedSchema,
} from '../official/registry/seeds.ts'
import { webhookOptionsSchema, type Change } from '../official/webhooks/webhooks.ts'
import { leadAdRoutes } from './lead-ads.ts'
import { echo } from './official-messages.ts'
import { findPage } from './pages.ts'
import { readNumber } from './read.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type Route } from './router.ts'

const changeSchema = z.object({
  accountId: z.string().optional(),
  phoneId: z.string().optional(),
  /** For a change of a Page, instead of the two above. */
  pageId: z.string().optional(),
  field: z.string().min(1),
  value: z.unknown(),
})
const permissionSchema = z.object({
  to: z.string(),
  response: z.enum(['accept', 'reject', 'revoke']),
  isPermanent: z.boolean().default(false),
})
const hideSchema = z.object({ userId: z.string().min(1).optional() })
const alsoSchema = z.object({ number: z.string() })
const changesSchema = z.object({ to: z.string(), number: z.string().optional(), userId: z.string().min(1).optional() })
const clockSchema = z.object({
  advanceMs: z
    .int()
    .min(0)
    .max(400 * 86_400_000),
})

function presentAccount({ registry }: OfficialPlatform, account: OfficialAccount) {
  const { secret, fields, callbackUrl } = registry.app(account)
  return {
    accountId: account.id,
    appId: account.appId,
    appSecret: secret,
    callbackUrl,
    isSubscribed: account.subscription !== null,
    hasPaymentButtons: account.hasPaymentButtons,
    marketingStatus: account.marketingStatus,
    overrideCallbackUrl: account.subscription?.overrideUrl ?? null,
    subscribedFields: [...fields],
    phoneIds: registry.numbersOf(account).map(({ phoneId }) => phoneId),
  }
}

function presentNumber({ registry }: OfficialPlatform, number: OfficialNumber) {
  const account = registry.accountOf(number)
  const { token, ...rest } = number
  return { ...rest, accessToken: token, appId: account.appId, appSecret: registry.app(account).secret }
}

function findAccount({ registry }: OfficialPlatform, id: string | undefined): OfficialAccount {
  const account = registry.account(id ?? '')
  if (!account) throw new ControlRefusal(404, 'ACCOUNT_NOT_FOUND', 'There is no such account')
  return account
}

/** Finds a number by its id or by its digits. */
function findNumber({ registry }: OfficialPlatform, phoneId: string = ''): OfficialNumber {
  const number = registry.number(phoneId) ?? registry.byDigits(phoneId.replace('+', ''))
  if (!number) throw new ControlRefusal(404, 'NUMBER_NOT_FOUND', 'There is no such official number')
  return number
}

function accountRoutes(official: OfficialPlatform): Route[] {
  const { registry } = official
  return [
    {
      method: 'POST',
      path: '/control/official/accounts',
      answer: ({ body }) => {
        const seed = readBody(accountSeedSchema, body)
        if (registry.account(seed.accountId ?? ''))
          throw new ControlRefusal(409, 'ACCOUNT_EXISTS', 'There is such an account already')
        return json(
          201,
          presentAccount(
            official,
            registry.addAccount({ accountId: seed.accountId, appId: seed.appId, appSecret: seed.appSecret }),
          ),
        )
      },
    },
    {
      method: 'GET',
      path: '/control/official/accounts',
      answer: () => json(200, { accounts: registry.accounts().map((account) => presentAccount(official, account)) }),
    },
    {
      method: 'PATCH',
      path: '/control/official/accounts/:accountId',
      answer: ({ params, body }) => {
        const account = findAccount(official, params['accountId'])
        const { subscribedFields, callbackUrl, isSubscribed, appSecret, hasPaymentButtons, marketingStatus } = readBody(
          accountPatchSchema,
          body,
        )
        const app = registry.app(account)
        if (subscribedFields) app.fields = new Set(subscribedFields)
        if (callbackUrl !== undefined) app.callbackUrl = callbackUrl
        if (appSecret !== undefined) app.secret = appSecret
        if (hasPaymentButtons !== undefined) account.hasPaymentButtons = hasPaymentButtons
        if (marketingStatus !== undefined) account.marketingStatus = marketingStatus
        if (isSubscribed !== undefined)
          account.subscription = isSubscribed ? (account.subscription ?? { overrideUrl: null }) : null
        return json(200, presentAccount(official, account))
      },
    },
  ]
}

function numberRoutes(official: OfficialPlatform): Route[] {
  const { registry } = official
  return [
    {
      method: 'POST',
      path: '/control/official/numbers',
      answer: ({ body }) => {
        const seed = readBody(numberSeedSchema, body)
        const number = readNumber(seed.number)
        if (registry.byDigits(number) || registry.number(seed.phoneId ?? ''))
          throw new ControlRefusal(409, 'NUMBER_EXISTS', 'There is such an official number already')
        return json(201, presentNumber(official, registry.addNumber({ ...seed, number })))
      },
    },
    {
      method: 'GET',
      path: '/control/official/numbers',
      answer: () => json(200, { numbers: registry.numbers().map((number) => presentNumber(official, number)) }),
    },
    {
      method: 'GET',
      path: '/control/official/numbers/:phoneId',
      answer: ({ params }) => json(200, presentNumber(official, findNumber(official, params['phoneId']))),
    },
    {
      method: 'PATCH',
      path: '/control/official/numbers/:phoneId',
      answer: ({ params, body }) => {
        const number = findNumber(official, params['phoneId'])
        official.numberChanges.patch(number, readBody(numberPatchSchema, body))
        return json(200, presentNumber(official, number))
      },
    },
  ]
}

function changeOf(
  official: OfficialPlatform,
  { accountId, phoneId, pageId, field, value }: z.infer<typeof changeSchema>,
): Change {
  if (pageId !== undefined)
    return { object: 'page', accountId: findPage(official, pageId).id, phoneId: null, field, value }
  const number = phoneId === undefined ? null : findNumber(official, phoneId)
  return {
    accountId: findAccount(official, number?.accountId ?? accountId).id,
    phoneId: number?.phoneId ?? null,
    field,
    value,
  }
}

function webhookRoutes(official: OfficialPlatform): Route[] {
  const { webhooks } = official
  return [
    {
      method: 'POST',
      path: '/control/official/webhooks',
      answer: ({ body }) => {
        webhooks.configure(readBody(webhookOptionsSchema, body))
        return json(200, webhooks.options)
      },
    },
    {
      method: 'GET',
      path: '/control/official/webhooks',
      answer: () => json(200, { options: webhooks.options, deliveries: webhooks.deliveries() }),
    },
    {
      method: 'POST',
      path: '/control/official/webhooks/send',
      answer: ({ body }) => {
        const isSent = webhooks.send(changeOf(official, readBody(changeSchema, body)))
        if (!isSent)
          throw new ControlRefusal(409, 'NOT_SUBSCRIBED', 'Nobody is subscribed to this field of the account')
        return json(202, { isSent })
      },
    },
  ]
}

function statusRoutes(official: OfficialPlatform): Route[] {
  const { statuses } = official.messaging
  return [
    {
      method: 'POST',
      path: '/control/official/statuses',
      answer: ({ body }) => {
        const options = readBody(statusOptionsSchema, body)
        statuses.configure(options, null)
        return json(200, options)
      },
    },
    {
      method: 'POST',
      path: '/control/official/numbers/:phoneId/statuses',
      answer: ({ params, body }) => {
        const options = readBody(statusOptionsSchema, body)
        statuses.configure(options, findNumber(official, params['phoneId']))
        return json(200, options)
      },
    },
    {
      method: 'POST',
      path: '/control/official/numbers/:phoneId/echoes',
      answer: ({ params, body, origin }) => echo(official, findNumber(official, params['phoneId']), body, origin),
    },
  ]
}

/** Routes that play the official platform: what it holds, what it posts, what time it is there, what users permit. */
export function officialRoutes(official: OfficialPlatform): Route[] {
  return [
    ...accountRoutes(official),
    ...numberRoutes(official),
    ...webhookRoutes(official),
    ...statusRoutes(official),
    ...leadAdRoutes(official),
    {
      method: 'POST',
      path: '/control/official/clock',
      answer: ({ body }) => {
        official.clock.advance(readBody(clockSchema, body).advanceMs)
        return json(200, { now: new Date(official.clock.now()).toISOString() })
      },
    },
    {
      method: 'POST',
      path: '/control/peers/:peer/hide',
      answer: ({ params, body }) =>
        json(200, { userId: official.names.hide(readNumber(params['peer']), readBody(hideSchema, body).userId) }),
    },
    {
      method: 'POST',
      path: '/control/peers/:peer/show',
      answer: ({ params }) => json(200, { userId: official.names.show(readNumber(params['peer'])) }),
    },
    {
      method: 'POST',
      path: '/control/peers/:peer/also',
      answer({ params, body }) {
        official.names.also(readNumber(params['peer']), readNumber(readBody(alsoSchema, body).number))
        return json(200, {})
      },
    },
    {
      method: 'POST',
      path: '/control/peers/:peer/changes',
      answer({ params, body }) {
        const { to, number: digits, userId } = readBody(changesSchema, body)
        const number = official.registry.byDigits(readNumber(to))
        if (!number) throw new ControlRefusal(404, 'NUMBER_NOT_FOUND', 'There is no such official number')
        const changed = official.names.change(readNumber(params['peer']), {
          ...(digits === undefined ? {} : { number: readNumber(digits) }),
          ...(userId === undefined ? {} : { userId }),
        })
        official.messaging.users.change(number, changed)
        return json(200, changed)
      },
    },
    {
      method: 'POST',
      path: '/control/peers/:peer/permissions',
      answer: ({ params, body }) => {
        const { to, response, isPermanent } = readBody(permissionSchema, body)
        const user = readNumber(params['peer'])
        const number = official.registry.byDigits(readNumber(to))
        if (!number) throw new ControlRefusal(404, 'NUMBER_NOT_FOUND', 'There is no such official number')
        const requestId = official.permissions.pending(number, user)
        official.messaging.users.answerPermission(
          number,
          user,
          response === 'accept' ? { response, isPermanent } : { response },
          { requestId },
        )
        return json(200, official.permissions.present(number, user))
      },
    },
  ]
}
