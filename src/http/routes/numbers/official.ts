import type { NumberCommands } from '../../../commands/numbers/numbers.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { sentSettings } from './settings-patch.ts'

/** Connects an OFFICIAL number ([official.create.1]). */
export function connectNumber(numbers: NumberCommands): Route {
  return route({
    method: 'post',
    path: '/v1/numbers/official',
    name: 'createOfficialNumber',
    group: 'Numbers',
    access: { by: ['key', 'grant', 'session'], of: 'tenant' },
    permission: 'numbers:manage',
    isIdempotent: true,
    summary: 'Connect a number of the official platform',
    description:
      'Checks token and ids upstream, subscribes the app to the account with `webhookUrl` and `verifyToken`, and tries to enable calling; what calling still waits for is retried by itself. Without `officialAppSecret` no webhook can be verified, so none is taken.',
    body: schema.officialInput,
    bodyExample: example.CREATE_OFFICIAL,
    answer: {
      status: 201,
      description: 'The number, its default key, and its webhook',
      schema: schema.createdOfficialNumber,
      example: example.CREATED_OFFICIAL,
    },
    refusals: [
      'OFFICIAL_CREDENTIALS_REJECTED',
      'OFFICIAL_ERROR',
      'OFFICIAL_THROTTLED',
      'NUMBER_ALREADY_EXISTS',
      'NUMBER_LIMIT_EXCEEDED',
      'BUSY',
    ],
    async handle({ caller, body }) {
      const { number, key, webhookUrl, verifyToken } = unwrap(
        await numbers.connectOfficial({
          tenantId: caller.tenantId,
          name: body.name,
          number: body.number,
          settings: sentSettings(body.settings),
          retention: body,
          credentials: {
            phoneId: body.officialPhoneId,
            accountId: body.officialAccountId,
            accessToken: body.officialAccessToken,
            appId: body.officialAppId ?? null,
            appSecret: body.officialAppSecret ?? null,
          },
        }),
      )
      return { status: 201, body: present.presentCreatedOfficial(number, key, webhookUrl, verifyToken) }
    },
  })
}
