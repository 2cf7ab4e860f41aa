import test from 'ava'
import { connectOfficial, placeOfficial, permit, TEXT_OFFER, type OfficialNumber } from '../helpers/official-service.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

const USER = '5511990001'
let service: Service
let number: OfficialNumber

test.before(async () => {
  service = await joinService()
  number = await connectOfficial(service)
})

interface Fault {
  readonly upstream: number
  readonly http: number
  readonly status: number
  readonly code: string
  readonly marks?: string
}

/**
 * [calls.upstream-codes.1] [calls.upstream-codes.2] [calls.upstream-codes.3] [calls.upstream-codes.4]
 * [calls.upstream-codes.5] [calls.upstream-codes.6] [calls.upstream-codes.7] [calls.upstream-codes.8]
 * [calls.upstream-codes.9] [calls.upstream-codes.10] [calls.states.9]
 * and other answers that the upstream may give.
 */
const FAULTS: readonly Fault[] = [
  { upstream: 138006, http: 401, status: 403, code: 'OFFICIAL_CALL_PERMISSION_REQUIRED' },
  { upstream: 138009, http: 400, status: 429, code: 'OFFICIAL_CALL_PERMISSION_REQUEST_LIMIT' },
  { upstream: 138012, http: 400, status: 429, code: 'OFFICIAL_CALL_LIMIT_REACHED' },
  { upstream: 131044, http: 400, status: 402, code: 'OFFICIAL_CALLING_PAYMENT_REQUIRED' },
  { upstream: 131047, http: 400, status: 422, code: 'OFFICIAL_OUTSIDE_24H_WINDOW' },
  { upstream: 100, http: 400, status: 422, code: 'OFFICIAL_ERROR' },
  { upstream: 131055, http: 400, status: 422, code: 'OFFICIAL_ERROR' },
  { upstream: 999999, http: 400, status: 422, code: 'OFFICIAL_ERROR' },
  { upstream: 138004, http: 500, status: 502, code: 'OFFICIAL_ERROR' },
  { upstream: 4, http: 400, status: 429, code: 'OFFICIAL_ERROR' },
  { upstream: 138000, http: 401, status: 409, code: 'OFFICIAL_CALLING_NOT_ENABLED', marks: 'NOT_ENABLED' },
  { upstream: 138015, http: 400, status: 409, code: 'OFFICIAL_CALLING_TIER_TOO_LOW', marks: 'PENDING_TIER' },
  { upstream: 138018, http: 400, status: 409, code: 'OFFICIAL_CALLING_PREREQUISITES_UNMET', marks: 'PENDING_WEBHOOK' },
]

async function fail(of: OfficialNumber, fault: object): Promise<void> {
  const { status, text } = await service.control('POST', '/faults', {
    match: { method: 'POST', path: `/official/v24.0/${of.phoneId}/calls` },
    ...fault,
  })
  if (status >= 300) throw new Error(text)
}

for (const { upstream, http, status, code, marks } of FAULTS) {
  test(`upstream ${upstream} reaches the caller as ${status} ${code}${marks ? ` and marks the number ${marks}` : ''}, and no call row survives`, async (t) => {
    // A fault that changes the number's state needs a number of its own.
    const own = await connectOfficial(service)
    await fail(own, {
      status: http,
      body: {
        error: {
          message: `(#${upstream}) said so`,
          type: 'OAuthException',
          code: upstream,
          error_data: { messaging_product: 'whatsapp', details: 'in detail' },
          fbtrace_id: 'x',
        },
      },
    })
    const reply = await service.api('POST', '/v1/calls', own.key, { to: `${USER}001`, sdp: TEXT_OFFER })
    t.deepEqual([reply.status, reply.body.code, reply.body.details.upstreamCode], [status, code, upstream])
    t.true(reply.body.details.upstreamMessage.includes('said so'))
    t.deepEqual((await service.api('GET', '/v1/calls', own.key)).body.calls, [])
    t.is((await service.api('GET', `/v1/numbers/${own.id}`, service.tenantKey)).body.calling.status, marks ?? 'ENABLED')
  })
}

test('an answer that is no error of the platform is 502', async (t) => {
  const own = await connectOfficial(service)
  await fail(own, { status: 503, body: { surprise: true } })
  const reply = await service.api('POST', '/v1/calls', own.key, { to: `${USER}001`, sdp: TEXT_OFFER })
  t.deepEqual([reply.status, reply.body.code], [502, 'OFFICIAL_ERROR'])
})

test('upstream cutting the connection is 502, is not repeated, and the next call succeeds', async (t) => {
  const own = await connectOfficial(service)
  await permit(service, own, `${USER}001`)
  await fail(own, { drop: true })
  const cut = await service.api('POST', '/v1/calls', own.key, { to: `${USER}001`, sdp: TEXT_OFFER })
  t.deepEqual([cut.status, cut.body.code], [502, 'OFFICIAL_ERROR'])
  const requests = (await service.control('GET', `/requests?path=/official/v24.0/${own.phoneId}/calls`)).body.requests
  t.is(requests.length, 1)
  const placed = await placeOfficial(service, own, `${USER}001`)
  await service.endCall(own, placed.id)
})

test("upstream's retry-after is kept by sends, and told to whoever asks", async (t) => {
  const own = await connectOfficial(service)
  const path = `/official/v24.0/${own.phoneId}/messages`
  await service.control('POST', '/faults', {
    match: { method: 'POST', path },
    error: '131016',
    headers: { 'retry-after': '4' },
  })
  await service.control('POST', `/peers/${USER}001/messages`, { to: own.digits, type: 'text', text: 'hello' })
  const sent = await service.api('POST', '/v1/messages/send', own.key, {
    destinationNumber: `${USER}001`,
    text: 'hello',
  })
  await until(
    'the message is sent',
    async () => (await service.api('GET', `/v1/messages/${sent.body.id}`, own.key)).body.status !== 'QUEUED',
  )
  const [first, second] = (await service.control('GET', `/requests?path=${path}`)).body.requests
  t.true(Date.parse(second.time) - Date.parse(first.time) >= 4_000)

  await service.control('POST', '/faults', {
    match: { path: `/official/v24.0/${own.phoneId}/settings` },
    status: 503,
    error: '4',
    headers: { 'retry-after': '90' },
  })
  const asked = await service.api('GET', '/v1/calls/settings', own.key)
  t.deepEqual([asked.status, asked.headers.get('retry-after')], [429, '90'])
})

test('a hanging upstream is 502 in its time, and reads that fail once are repeated', async (t) => {
  const own = await connectOfficial(service)
  await fail(own, { delayMs: 30_000 })
  const hung = await service.api('POST', '/v1/calls', own.key, { to: `${USER}001`, sdp: TEXT_OFFER })
  t.deepEqual([hung.status, hung.body.code], [502, 'OFFICIAL_ERROR'])
  await service.control('POST', '/faults', {
    match: { method: 'GET', path: `/official/v24.0/${number.phoneId}/settings` },
    status: 500,
    body: { error: { code: 2, message: 'temporarily', is_transient: true } },
  })
  t.is((await service.api('GET', '/v1/calls/settings', number.key)).status, 200)
})
