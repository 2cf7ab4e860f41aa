import { randomInt } from 'node:crypto'
import { isRegistered } from '../devices/behaviours.ts'
import { readUser, type Acted } from './call-book.ts'
import { isCallingEnabled, readCalling, writeCalling } from './calling-settings.ts'
import { GraphError, invalid, unknownObject } from './graph-error.ts'
import type { OfficialMedia } from './media-shelf.ts'
import type { Multipart } from './multipart.ts'
import { page, presentAccount, presentPhone } from './phone-fields.ts'
import type { OfficialPlatform } from './platform.ts'
import type { OfficialAccount, OfficialNumber } from './registry.ts'
import { challenge } from './webhook-post.ts'

/** A request past the token. */
export interface GraphRequest {
  readonly method: string
  /** Behind the version. */
  readonly id: string
  /** What is asked of the object; empty for itself. */
  readonly edge: string
  /** Without its query. */
  readonly url: string
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
  readonly form: Multipart | null
  /** Accounts that the token opens. */
  readonly accounts: ReadonlySet<string>
}

interface Asked<T> extends GraphRequest {
  readonly platform: OfficialPlatform
  readonly on: T
}

type Answer = Acted | Promise<Acted>
const DONE: Acted = { body: { success: true } }
/** Callbacks are at most this long. */
const MAX_CALLBACK_LENGTH = 200

const NUMBER_ROUTES: Readonly<Record<string, (asked: Asked<OfficialNumber>) => Answer>> = {
  'GET ': ({ platform, on, query }) => ({ body: presentPhone(on, platform.registry, query.get('fields')) }),
  'POST ': async ({ on, body }) => {
    const { webhook_configuration: wanted } = body
    if (typeof wanted !== 'object' || wanted === null) throw invalid('webhook_configuration: is the only thing that can be set')
    on.webhookUrl = await verifiedCallback({ ...wanted })
    return DONE
  },
  'GET settings': ({ on, query }) => ({ body: { calling: readCalling(on, query.get('include_sip_credentials') === 'true') } }),
  'POST settings': ({ platform, on, body }) => {
    const isAnnounced = writeCalling(on, body, platform.registry)
    return { ...DONE, ...(isAnnounced ? { after: () => platform.announceSettings(on) } : {}) }
  },
  'POST calls': ({ platform, on, body }) => {
    if (body['messaging_product'] !== 'whatsapp') throw invalid('The parameter messaging_product is required')
    return platform.calls.act(on, body)
  },
  'GET call_permissions': ({ platform, on, query }) => {
    const user = readUser(query.get('user_wa_id') ?? '')
    if (!isCallingEnabled(on)) throw new GraphError(138000, { details: 'Calling is not enabled for this phone number' })
    // Somebody who cannot be called has not permitted it: no error.
    if (!isRegistered(user)) return { body: { messaging_product: 'whatsapp', permission: { status: 'no_permission' }, actions: [] } }
    return { body: platform.permissions.present(on, user) }
  },
  'POST media': ({ platform, on, form }) => {
    if (!form) throw new GraphError(100, { message: '(#100) The parameter file is required.' })
    return { body: { id: platform.messaging.media.upload(on, form) } }
  },
  'POST messages': ({ platform, on, body }) => platform.messaging.messages.act(on, body),
}

const ACCOUNT_ROUTES: Readonly<Record<string, (asked: Asked<OfficialAccount>) => Answer>> = {
  'GET ': ({ on, query }) => ({ body: presentAccount(on, query.get('fields')) }),
  'GET phone_numbers': ({ platform, on, query, url }) => {
    const numbers = platform.registry.numbersOf(on).map((number) => presentPhone(number, platform.registry, query.get('fields')))
    return { body: page(numbers, query, url) }
  },
  'GET subscribed_apps': ({ platform, on }) => ({ body: { data: subscribedApps(platform, on) } }),
  'POST subscribed_apps': async ({ on, body }) => {
    const overrideUrl = await verifiedCallback(body)
    on.subscription = { overrideUrl }
    return DONE
  },
  'DELETE subscribed_apps': ({ on }) => {
    on.subscription = null
    return DONE
  },
}

const MEDIA_ROUTES: Readonly<Record<string, (asked: Asked<OfficialMedia>) => Answer>> = {
  'GET ': ({ platform, on, url }) => {
    const { id, mimeType, sha256, sizeBytes } = on
    return { body: { messaging_product: 'whatsapp', url: platform.messaging.media.urlOf(on, new URL(url).origin), mime_type: mimeType, sha256, file_size: sizeBytes, id } }
  },
  'DELETE ': ({ platform, on }) => {
    platform.messaging.media.delete(on)
    return DONE
  },
}

function subscribedApps({ registry }: OfficialPlatform, account: OfficialAccount): object[] {
  if (!account.subscription) return []
  const { id } = registry.app(account)
  const { overrideUrl } = account.subscription
  return [{
    whatsapp_business_api_data: { id, link: `https://sandbox.invalid/apps/${id}`, name: 'Sandbox app' },
    ...(overrideUrl === null ? {} : { override_callback_uri: overrideUrl }),
  }]
}

/** The override asked for, once it passed the challenge; null when none was asked for. */
async function verifiedCallback(body: Readonly<Record<string, unknown>>): Promise<string | null> {
  const { override_callback_uri: url, verify_token: token } = body
  if (url === undefined || url === '') return null
  if (typeof url !== 'string' || url.length > MAX_CALLBACK_LENGTH || !/^https?:\/\//.test(url)) throw invalid('override_callback_uri: has to be a URL of at most 200 characters')
  if (typeof token !== 'string' || token === '') throw invalid('verify_token: is required with override_callback_uri')
  const failure = await challenge(url, token, String(randomInt(1e9, 2e9)))
  if (failure !== null) throw new GraphError(2200, { message: `(#2200) Callback verification failed with the following errors: ${failure}` })
  return url
}

/** Answers a request on an object that the token opens; anything else does not exist (100/33). */
export async function answerGraph(platform: OfficialPlatform, request: GraphRequest): Promise<Acted> {
  const { id, edge, method, accounts } = request
  const { registry } = platform
  const [number, account] = [registry.number(id), registry.account(id)]
  const key = `${method} ${edge}`
  const onNumber = number && accounts.has(number.accountId) ? NUMBER_ROUTES[key] : undefined
  if (number && onNumber) return await onNumber({ ...request, platform, on: number })
  const onAccount = account && accounts.has(account.id) ? ACCOUNT_ROUTES[key] : undefined
  if (account && onAccount) return await onAccount({ ...request, platform, on: account })
  const media = findMedia(platform, request)
  const onMedia = media ? MEDIA_ROUTES[key] : undefined
  if (media && onMedia) return await onMedia({ ...request, platform, on: media })
  throw unknownObject(method, id)
}

/** A media that the token opens; null when `phone_number_id` is given and is not its owner's. */
function findMedia({ registry, messaging }: OfficialPlatform, { id, query, accounts }: GraphRequest): OfficialMedia | null {
  const media = messaging.media.find(id)
  const owner = media && registry.number(media.phoneId)
  if (!owner || !accounts.has(owner.accountId)) return null
  const asked = query.get('phone_number_id')
  return asked === null || asked === owner.phoneId ? media : null
}
