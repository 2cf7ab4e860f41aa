import { fail, refuse, succeed } from '../../../domain/errors.ts'
import type { Outcome } from '../../../domain/errors.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { HealthPort, OfficialHealth, PhoneLimits } from '../../../ports/official/health.ts'
import type { Graph } from '../client/graph.ts'
import { credentialsRefusalOf, unreadable } from '../errors/error-map.ts'
import { fieldsOf } from '../values/loose.ts'

/** Fields of a phone that say how far and how fast it may send. */
const LIMIT_FIELDS = 'whatsapp_business_manager_messaging_limit,throughput,is_on_biz_app'
/** Fields read of a phone number; asking for fields that no longer exist would refuse the whole request. */
const PHONE_FIELDS = `id,display_phone_number,verified_name,quality_rating,status,${LIMIT_FIELDS}`
/** Our choice: numbers of an account searched for the one that is connected, as pages of this size. */
const PAGE = 100
const PAGES = 20

/** Reads the state of a number upstream. */
export function healthOps(graph: Graph, credentials: OfficialCredentials): HealthPort {
  return { read: () => readHealth(graph, credentials), readLimits: () => readLimits(graph, credentials) }
}

/** Reads the phone and its account side by side: webhooks of another account would never tell of this number. */
async function readHealth(graph: Graph, credentials: OfficialCredentials): Promise<Outcome<OfficialHealth>> {
  const [phone, belonging] = await Promise.all([
    graph.ask(credentials, {
      op: 'health.read',
      method: 'GET',
      path: [credentials.phoneId],
      query: { fields: PHONE_FIELDS },
      isRepeatable: true,
    }),
    readBelonging(graph, credentials),
  ])
  if (!phone.ok) return fail(credentialsRefusalOf(phone.failure))
  if (!belonging.ok) return belonging
  const number = digitsOf(phone.body['display_phone_number'])
  if (number === null) return fail(unreadable('The answer holds no phone number.'))
  return succeed({
    number,
    qualityRating: textOf(phone.body['quality_rating']),
    messagingLimitTier: tierOf(phone.body),
    officialStatus: textOf(phone.body['status']),
    perSecond: perSecondOf(phone.body),
  })
}

/** Upstream: 20 messages a second of a number that an app also uses, else by the level of its throughput. */
const OF_APP = 20
const BY_LEVEL: Readonly<Record<string, number>> = { STANDARD: 80, HIGH: 1_000 }

function perSecondOf({ throughput, is_on_biz_app: isOnApp }: Fields): number | null {
  if (isOnApp === true) return OF_APP
  return BY_LEVEL[textOf(fieldsOf(throughput)?.['level']) ?? ''] ?? null
}

function tierOf(phone: Fields): string | null {
  return textOf(phone['whatsapp_business_manager_messaging_limit']) ?? textOf(phone['messaging_limit_tier'])
}

async function readLimits(graph: Graph, credentials: OfficialCredentials): Promise<Outcome<readonly PhoneLimits[]>> {
  const limits: PhoneLimits[] = []
  const read = await eachPage(graph, credentials, `id,${LIMIT_FIELDS}`, (phones) => {
    for (const phone of phones)
      limits.push({ phoneId: String(phone['id']), messagingLimitTier: tierOf(phone), perSecond: perSecondOf(phone) })
    return false
  })
  return read.ok ? succeed(limits) : read
}

/** Refuses when the account does not have this phone. */
async function readBelonging(graph: Graph, credentials: OfficialCredentials): Promise<Outcome<null>> {
  const found = await eachPage(graph, credentials, 'id', (phones) =>
    phones.some(({ id }) => String(id) === credentials.phoneId),
  )
  if (!found.ok) return found
  if (found.value) return succeed(null)
  return fail(
    refuse('OFFICIAL_CREDENTIALS_REJECTED', 'The phone id does not belong to the account id.', {
      upstreamCode: null,
      upstreamMessage: 'The account does not list this phone number.',
    }),
  )
}

/** Reads the phones of the account page by page until `see` answers true; answers whether it did. */
async function eachPage(
  graph: Graph,
  credentials: OfficialCredentials,
  fields: string,
  see: (phones: readonly Fields[]) => boolean,
): Promise<Outcome<boolean>> {
  let after: string | null = null
  for (let page = 0; page < PAGES; page++) {
    const answer = await graph.ask(credentials, {
      op: 'phones.list',
      method: 'GET',
      path: [credentials.accountId, 'phone_numbers'],
      query: { fields, limit: String(PAGE), ...(after === null ? {} : { after }) },
      isRepeatable: true,
    })
    if (!answer.ok) return fail(credentialsRefusalOf(answer.failure))
    const { data, paging } = answer.body
    if (!Array.isArray(data)) return fail(unreadable('The answer holds no list of phone numbers.'))
    if (see(data.map((phone) => fieldsOf(phone) ?? {}))) return succeed(true)
    // The last page has no `next`; a full page is followed all the same, because proxies of the API leave `next` out.
    const hasMore = data.length >= PAGE || textOf(fieldsOf(paging)?.['next']) !== null
    after = hasMore ? textOf(fieldsOf(fieldsOf(paging)?.['cursors'])?.['after']) : null
    if (after === null) break
  }
  return succeed(false)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function digitsOf(value: unknown): string | null {
  const digits = textOf(value)?.replaceAll(/\D/g, '') ?? ''
  return digits === '' ? null : digits
}
