import { randomBytes } from 'node:crypto'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import { newId } from '../../../domain/ids.ts'
import { DEFAULT_SETTINGS, mergeSettings } from '../../../domain/number.ts'
import type { ChannelNumber } from '../../../domain/number.ts'
import type { OfficialCredentials, OfficialHealth } from '../../../ports/official-platform.ts'
import type { CallerCache } from '../../caller-cache.ts'
import type { HttpDeps } from '../../deps.ts'
import { credentialsOf, unwrapOfficial } from '../../official-parts.ts'
import type { OfficialParts } from '../../official-parts.ts'
import { unwrap } from '../../outcome.ts'
import { route } from '../../route.ts'
import type { Route } from '../../route.ts'
import * as present from './present.ts'
import { mergeRetention } from './retention.ts'
import * as schema from './schema.ts'
import { sentSettings } from './settings-patch.ts'

type Deps = Pick<HttpDeps, 'numbers' | 'official' | 'directory' | 'log' | 'baseUrl'> & { readonly callers: CallerCache }

/** Our choice: 192 bits, in characters that any form takes. */
const VERIFY_TOKEN_BYTES = 24
const EXAMPLE = {
  name: 'Front desk', number: '+1 555 000 1111', officialPhoneId: '106540352242922', officialAccountId: '102290129340398',
  officialAccessToken: 'EAAB...', officialAppId: '2050', officialAppSecret: '0123456789abcdef0123456789abcdef',
}

/** Where upstream delivers what happens on the number. */
export function webhookUrlOf(baseUrl: string, numberId: string): string {
  return `${baseUrl}/webhooks/official/${numberId}`
}

/** Connects a number of the official platform (contract 3). */
export function createOfficial(deps: Deps): Route {
  const { official, baseUrl } = deps
  return route({
    method: 'post', path: '/v1/numbers/official', name: 'createOfficialNumber', group: 'Numbers', access: 'tenant', isIdempotent: true,
    summary: 'Connect a number of the official platform',
    description: 'Checks token and ids upstream, subscribes the app to the account with `webhookUrl` and `verifyToken`, and tries to enable calling; what calling still waits for is retried by itself. Without `officialAppSecret` no webhook can be verified, so none is taken.',
    body: schema.officialInput, bodyExample: EXAMPLE,
    answer: { status: 201, description: 'The number, its default key, and its webhook', schema: schema.createdOfficialNumber },
    refusals: ['OFFICIAL_CREDENTIALS_REJECTED', 'OFFICIAL_ERROR', 'OFFICIAL_THROTTLED', 'NUMBER_ALREADY_EXISTS', 'NUMBER_LIMIT_EXCEEDED', 'BUSY'],
    async handle({ caller, body }) {
      const credentials: OfficialCredentials = {
        phoneId: body.officialPhoneId, accountId: body.officialAccountId, accessToken: body.officialAccessToken,
        appId: body.officialAppId ?? null, appSecret: body.officialAppSecret ?? null,
      }
      const health = unwrap(await official.platform.readHealth(credentials))
      requireSameNumber(health, body.number)
      const verifyToken = randomBytes(VERIFY_TOKEN_BYTES).toString('base64url')
      // The row comes first: upstream verifies the callback while it is being subscribed.
      const { number, key } = unwrap(await official.store.create({
        id: newId('num'), tenantId: caller.tenantId, name: body.name, number: body.number, credentials, verifyToken, health,
        settings: mergeSettings(DEFAULT_SETTINGS, sentSettings(body.settings)),
        ...mergeRetention({ piiMode: 'STORE_INDEFINITE', piiRetentionDays: null }, body),
      }))
      const webhookUrl = webhookUrlOf(baseUrl, number.id)
      await subscribe(deps, number, credentials, webhookUrl, verifyToken)
      await official.upkeep.enable(caller.tenantId, number.id, credentials)
      const opened = await official.store.opened(caller.tenantId, number.id)
      wake(deps, number)
      return { status: 201, body: present.presentCreatedOfficial(opened ?? number, key, webhookUrl, verifyToken) }
    },
  })
}

/** A phone id of another number would send and call in its name. */
function requireSameNumber(health: OfficialHealth, digits: string): void {
  if (health.number === digits) return
  throw new RefusalError(refuse('OFFICIAL_CREDENTIALS_REJECTED', 'The phone id stands for another number than the one given', {
    upstreamCode: null, upstreamMessage: `The phone number of this id is +${health.number}`,
  }))
}

/** Upstream refusing takes the number back: one that hears nothing is of no use. Should even that fail, the retries of calling subscribe again. */
async function subscribe({ official, numbers, callers }: Deps, number: ChannelNumber, credentials: OfficialCredentials, url: string, token: string): Promise<void> {
  const subscribed = await official.platform.subscribe(credentials, url, token)
  if (subscribed.ok) return
  await numbers.remove(number.tenantId, number.id)
  await callers.revoke(number.id)
  throw new RefusalError(subscribed.error)
}

/** Starts the number, so that it hears at once what upstream says of it. */
function wake({ directory, log }: Deps, { id }: ChannelNumber): void {
  directory.receive(id).catch((error: unknown) => log.warn({ numberId: id, error: String(error) }, 'a new number was not started'))
}

/**
 * Reads upstream now and stores it. Our choice: a token that upstream refuses is what the caller wanted to know, and
 * shows as a number that cannot send; any other failure is the answer.
 */
export async function refreshed(official: OfficialParts, number: ChannelNumber): Promise<ChannelNumber> {
  const credentials = await credentialsOf(official, number)
  const [health, settings] = await Promise.all([official.platform.readHealth(credentials), official.platform.readCallSettings(credentials)])
  await official.upkeep.marksStored()
  const known = await official.store.save(number.tenantId, number.id, {
    ...(health.ok ? { health: health.value, isTokenValid: true } : {}),
    ...(settings.ok ? callingOf(settings.value, number) : {}),
  })
  if (!known) throw new RefusalError(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
  return health.ok || known.official?.isTokenValid === false ? known : unwrapOfficial(official, health).then(() => known)
}

/** Calling may have been switched on or off elsewhere. What waits for a tier or a field goes on waiting. */
function callingOf(settings: Readonly<Record<string, unknown>>, { official }: ChannelNumber) {
  if (settings['status'] === 'ENABLED') return { callingStatus: 'ENABLED', callingRetry: null } as const
  return official?.callingStatus === 'ENABLED' ? { callingStatus: 'NOT_ENABLED' } as const : {}
}
