import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { CallingOutcome, OfficialCredentials, OfficialHealth, OfficialPlatform } from '../../ports/official-platform.ts'
import { isRefused, markOf, refusalOf } from './error-map.ts'
import type { GraphFailure } from './graph-error.ts'
import type { Graph } from './graph.ts'
import { fieldsOf } from './loose.ts'
import { readMedia } from './media-read.ts'
import { readPermission } from './permission.ts'

/** What health needs of a phone number; asking for fields that have gone would refuse the whole request. */
const PHONE_FIELDS = 'id,display_phone_number,verified_name,quality_rating,status,whatsapp_business_manager_messaging_limit'
/** Our choice: numbers of an account looked through for the one that is connected. */
const PAGE = 100
const PAGES = 20

/** Makes the official platform beyond calls in progress. */
export function createOfficialPlatform(graph: Graph): OfficialPlatform {
  return {
    readHealth: (credentials) => readHealth(graph, credentials),
    subscribe: (credentials, callbackUrl, verifyToken) => subscribe(graph, credentials, callbackUrl, verifyToken),
    enableCalling: (credentials) => enableCalling(graph, credentials),
    readCallSettings: (credentials) => readCallSettings(graph, credentials),
    async writeCallSettings(credentials, calling) {
      const written = await writeCalling(graph, credentials, calling)
      return written === null ? readCallSettings(graph, credentials) : fail(refusalOf(written))
    },
    async readCallPermission(credentials, to) {
      const answer = await graph.ask(credentials, {
        op: 'permission.read', method: 'GET', path: [credentials.phoneId, 'call_permissions'], query: { user_wa_id: to }, isRepeatable: true,
      })
      if (!answer.ok) return fail(refusalOf(answer.failure))
      const permission = readPermission(answer.body)
      return permission ? succeed(permission) : fail(unreadable('The answer holds no permission.'))
    },
    requestCallPermission: (credentials, to, text) => requestCallPermission(graph, credentials, to, text),
    readMedia: (credentials, mediaId) => readMedia(graph, credentials, mediaId),
  }
}

/** The phone and its account are asked side by side: webhooks of another account would never tell of this number. */
async function readHealth(graph: Graph, credentials: OfficialCredentials): Promise<Outcome<OfficialHealth>> {
  const [phone, belonging] = await Promise.all([
    graph.ask(credentials, { op: 'health.read', method: 'GET', path: [credentials.phoneId], query: { fields: PHONE_FIELDS }, isRepeatable: true }),
    readBelonging(graph, credentials),
  ])
  if (!phone.ok) return fail(credentialsRefusal(phone.failure))
  if (!belonging.ok) return belonging
  const number = digitsOf(phone.body['display_phone_number'])
  if (number === null) return fail(unreadable('The answer holds no phone number.'))
  return succeed({
    number,
    qualityRating: textOf(phone.body['quality_rating']),
    messagingLimitTier: textOf(phone.body['whatsapp_business_manager_messaging_limit']) ?? textOf(phone.body['messaging_limit_tier']),
    officialStatus: textOf(phone.body['status']),
  })
}

/** Refuses when the account has no such phone. */
async function readBelonging(graph: Graph, credentials: OfficialCredentials): Promise<Outcome<null>> {
  let after: string | null = null
  for (let page = 0; page < PAGES; page++) {
    const answer = await graph.ask(credentials, {
      op: 'phones.list', method: 'GET', path: [credentials.accountId, 'phone_numbers'],
      query: { fields: 'id', limit: String(PAGE), ...(after === null ? {} : { after }) }, isRepeatable: true,
    })
    if (!answer.ok) return fail(credentialsRefusal(answer.failure))
    const { data, paging } = answer.body
    if (!Array.isArray(data)) return fail(unreadable('The answer holds no list of phone numbers.'))
    if (data.some((phone) => String(fieldsOf(phone)?.['id']) === credentials.phoneId)) return succeed(null)
    // The last page has no `next`; a full one is followed all the same, since proxies of the API leave it out.
    const hasMore = data.length >= PAGE || textOf(fieldsOf(paging)?.['next']) !== null
    after = hasMore ? textOf(fieldsOf(fieldsOf(paging)?.['cursors'])?.['after']) : null
    if (after === null) break
  }
  return fail(refuse('OFFICIAL_CREDENTIALS_REJECTED', 'The phone id does not belong to the account id.', {
    upstreamCode: null, upstreamMessage: 'The account does not list this phone number.',
  }))
}

async function subscribe(graph: Graph, credentials: OfficialCredentials, callbackUrl: string, verifyToken: string): Promise<Outcome<null>> {
  const answer = await graph.ask(credentials, {
    op: 'webhooks.subscribe', method: 'POST', path: [credentials.accountId, 'subscribed_apps'],
    body: { override_callback_uri: callbackUrl, verify_token: verifyToken }, isRepeatable: true,
  })
  return answer.ok ? succeed(null) : fail(credentialsRefusal(answer.failure))
}

async function enableCalling(graph: Graph, credentials: OfficialCredentials): Promise<Outcome<CallingOutcome>> {
  const failure = await writeCalling(graph, credentials, { status: 'ENABLED' })
  if (failure === null) return succeed('ENABLED')
  const mark = markOf(failure)
  return mark === 'PENDING_TIER' || mark === 'PENDING_WEBHOOK' ? succeed(mark) : fail(refusalOf(failure))
}

/** Null when it is done. Setting the same twice does no harm. */
async function writeCalling(graph: Graph, credentials: OfficialCredentials, calling: Readonly<Record<string, unknown>>): Promise<GraphFailure | null> {
  const answer = await graph.ask(credentials, {
    op: 'settings.write', method: 'POST', path: [credentials.phoneId, 'settings'], body: { calling }, isRepeatable: true,
  })
  return answer.ok ? null : answer.failure
}

/** SIP is left out whole: its credentials never leave upstream (spec: Calls, settings). */
async function readCallSettings(graph: Graph, credentials: OfficialCredentials): Promise<Outcome<Readonly<Record<string, unknown>>>> {
  const answer = await graph.ask(credentials, { op: 'settings.read', method: 'GET', path: [credentials.phoneId, 'settings'], isRepeatable: true })
  if (!answer.ok) return fail(refusalOf(answer.failure))
  const { sip: _sip, ...calling } = fieldsOf(answer.body['calling']) ?? {}
  return succeed(calling)
}

/** Sent once: upstream has no idempotency key, and each request counts against a limit of one a day. */
async function requestCallPermission(graph: Graph, credentials: OfficialCredentials, to: string, text: string): Promise<Outcome<{ readonly messageId: string }>> {
  const answer = await graph.ask(credentials, {
    op: 'permission.request', method: 'POST', path: [credentials.phoneId, 'messages'], isRepeatable: false,
    body: {
      messaging_product: 'whatsapp', recipient_type: 'individual', to, type: 'interactive',
      interactive: { type: 'call_permission_request', action: { name: 'call_permission_request' }, body: { text } },
    },
  })
  if (!answer.ok) return fail(refusalOf(answer.failure))
  const messageId = messageIdOf(answer.body)
  return messageId === null ? fail(unreadable('The answer holds no message id.')) : succeed({ messageId })
}

/** The id in the answer to a message; null when there is none. */
export function messageIdOf(body: Readonly<Record<string, unknown>>): string | null {
  const list: unknown = body['messages']
  return Array.isArray(list) ? textOf(fieldsOf(list[0])?.['id']) : null
}

/** What upstream refuses while a number is being connected is a matter of its token and ids (contract 3). */
function credentialsRefusal(failure: GraphFailure): Refusal {
  const refusal = refusalOf(failure)
  if (!isRefused(failure)) return refusal
  return refuse('OFFICIAL_CREDENTIALS_REJECTED', `The official platform refused to connect the number: ${failure.message}`, refusal.details)
}

/** An answer without what was asked for. */
export function unreadable(reason: string): Refusal {
  return refuse('OFFICIAL_ERROR', 'The official platform gave an answer that cannot be read.', { upstreamCode: null, upstreamMessage: reason })
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function digitsOf(value: unknown): string | null {
  const digits = textOf(value)?.replaceAll(/\D/g, '') ?? ''
  return digits === '' ? null : digits
}
