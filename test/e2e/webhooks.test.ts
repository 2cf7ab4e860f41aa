import test from 'ava'
import { logsOf, storedEvents } from '../helpers/receiver-ledger.ts'
import { acknowledge, answerWith, Receiver, verified } from '../helpers/receiver.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { HASTY, joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let receiver: Receiver

test.before(async () => {
  receiver = await Receiver.open()
  service = await joinService(HASTY)
})

test.after.always(async () => {
  await receiver?.close()
})

/** A number that declines every call, so each call is one call.ended event and needs no audio. */
async function quietNumber(): Promise<PairedNumber> {
  return await service.pairNumber({ rejectCall: true })
}

/** Lets a peer call the number; resolves to the upstream's id of the call. */
async function ring(number: PairedNumber): Promise<string> {
  const rung = await service.control('POST', '/peers/5511970001234/calls', { to: number.digits, audio: 'silence' })
  if (rung.status !== 201) throw new Error(`not rung: ${rung.text}`)
  return rung.body.callId
}

async function subscribe(number: PairedNumber, url: string, events: readonly string[] = ['call.ended']) {
  const made = await service.api('POST', '/v1/webhooks', number.key, { url, events })
  if (made.status !== 201) throw new Error(`no webhook: ${made.status} ${made.text}`)
  return made.body as { id: string; secret: string; active: boolean; events: string[] }
}

test('an event arrives signed and as it is stored, and its attempt is logged', async (t) => {
  const number = await quietNumber()
  const webhook = await subscribe(number, receiver.endpoint('/plain'))
  const externalCallId = await ring(number)
  const [arrival] = await receiver.until('/plain', 1)
  if (!arrival) return
  const envelope = verified(arrival, webhook.secret)
  t.deepEqual(
    envelope,
    (await storedEvents(service, number.key)).find((event) => event.event === 'call.ended'),
  )
  t.deepEqual(
    [envelope.data.externalCallId, envelope.data.status, envelope.channelNumberId],
    [externalCallId, 'REJECTED', number.id],
  )
  t.deepEqual([arrival.id, arrival.event, arrival.attempt], [envelope.id, 'call.ended', 1])
  t.is(arrival.headers['x-channel-number-id'], number.id)
  t.regex(String(arrival.headers['content-type']), /^application\/json/)
  t.throws(
    () => verified({ ...arrival, body: Buffer.concat([arrival.body, Buffer.from(' ')]) }, webhook.secret),
    undefined,
    'a changed body does not verify',
  )

  const [item] = await until('the attempt is logged', async () => {
    const logs = await logsOf(service, number.key, webhook.id)
    return logs.length > 0 ? logs : null
  })
  t.like(item, {
    webhookId: webhook.id,
    event: 'call.ended',
    status: 'SUCCESS',
    statusCode: 204,
    payload: arrival.body.toString(),
    response: '',
    eventId: envelope.id,
    attempt: 1,
  })
  t.true(Number.isInteger(item?.durationMs))
  t.true(Math.abs(Date.parse(item?.createdAt ?? '') - Date.now()) < 120_000)
  const shown = (await service.api('GET', `/v1/webhooks/${webhook.id}`, number.key)).body
  t.truthy(shown.lastTriggered)
  t.false('secret' in shown)
})

// [webhooks.object.5]
test('only events that a subscription covers are delivered, and an empty one delivers nothing', async (t) => {
  const number = await quietNumber()
  const paths = [
    ['/all', ['*']],
    ['/named', ['call.ended', 'messages']],
    ['/other', ['call.connected', 'lead.received']],
    ['/none', []],
  ] as const
  for (const [path, events] of paths) await subscribe(number, receiver.endpoint(path), events)
  await ring(number)
  await receiver.until('/all', 1, ({ event }) => event === 'call.ended')
  await ring(number)
  await receiver.until('/all', 2, ({ event }) => event === 'call.ended')
  await receiver.until('/named', 2)
  t.deepEqual(receiver.at('/other'), [])
  t.deepEqual(receiver.at('/none'), [])
})

// [webhooks.routes.7] [webhooks.delivery.4]
test('while a secret is replaced, the public verifier accepts the old one and the new one', async (t) => {
  const number = await quietNumber()
  const webhook = await subscribe(number, receiver.endpoint('/rotated'))
  const rotated = await service.api('POST', `/v1/webhooks/${webhook.id}/secret`, number.key)
  t.is(rotated.status, 200)
  t.not(rotated.body.secret, webhook.secret)
  await ring(number)
  const [arrival] = await receiver.until('/rotated', 1)
  if (!arrival) return
  t.is(verified(arrival, webhook.secret).id, arrival.id)
  t.is(verified(arrival, rotated.body.secret).id, arrival.id)
  t.throws(() => verified(arrival, `whsec_${Buffer.alloc(32, 7).toString('base64')}`))
  const again = await service.api('POST', `/v1/webhooks/${webhook.id}/secret`, number.key)
  await service.api('POST', `/v1/webhooks/${webhook.id}/test`, number.key)
  const [latest] = await receiver.until('/rotated', 1, ({ event }) => event === 'webhook.test')
  if (!latest) return
  t.notThrows(() => verified(latest, again.body.secret))
  t.throws(() => verified(latest, webhook.secret), undefined, 'the one before the previous signs no more')
})

for (const [how, path, stop] of [
  [
    'paused',
    '/paused',
    (number: PairedNumber, id: string) => service.api('PATCH', `/v1/webhooks/${id}`, number.key, { active: false }),
  ],
  [
    'deleted',
    '/deleted',
    (number: PairedNumber, id: string) => service.api('DELETE', `/v1/webhooks/${id}`, number.key),
  ],
] as const) {
  test(`a webhook that is ${how} gets nothing more, queued retries included`, async (t) => {
    const number = await quietNumber()
    const witness = `${path}-witness`
    const victim = await subscribe(number, receiver.endpoint(path, answerWith(500)))
    await subscribe(number, receiver.endpoint(witness, answerWith(500)))
    await ring(number)
    await receiver.until(path, 2)
    t.is((await stop(number, victim.id)).status, 200)
    // The other webhook's retries measure the time. After two of them, requests in progress are over and a queued retry
    // would have been sent.
    const atStop = receiver.at(witness).length
    await receiver.until(witness, atStop + 2)
    const settled = receiver.at(path).length
    await receiver.until(witness, atStop + 5)
    t.is(receiver.at(path).length, settled)
  })
}

test('a paused webhook that is switched on again gets later events', async (t) => {
  const number = await quietNumber()
  const webhook = await subscribe(number, receiver.endpoint('/resumed'))
  await service.api('PATCH', `/v1/webhooks/${webhook.id}`, number.key, { active: false })
  await ring(number)
  await until('the call is over', async () =>
    (await storedEvents(service, number.key)).some(({ event }) => event === 'call.ended'),
  )
  const resumed = await service.api('PATCH', `/v1/webhooks/${webhook.id}`, number.key, { active: true })
  t.true(resumed.body.active)
  const externalCallId = await ring(number)
  await receiver.until('/resumed', 1, ({ body }) => JSON.parse(String(body)).data.externalCallId === externalCallId)
  t.pass()
})

// [webhooks.logs.1] [webhooks.delivery.3]
test('a failed event comes again with the same id and the same bytes until it is taken, each attempt logged', async (t) => {
  const number = await quietNumber()
  const url = receiver.endpoint(
    '/retried',
    (arrival, response) => void response.writeHead(arrival.attempt < 4 ? 400 + arrival.attempt : 200).end(),
  )
  const webhook = await subscribe(number, url)
  await ring(number)
  const arrivals = await receiver.until('/retried', 4)
  t.deepEqual(
    arrivals.map(({ attempt }) => attempt),
    [1, 2, 3, 4],
  )
  t.is(new Set(arrivals.map(({ id, body }) => id + String(body))).size, 1)
  for (const arrival of arrivals) t.notThrows(() => verified(arrival, webhook.secret))
  const logs = await until('all four are logged', async () => {
    const found = await logsOf(service, number.key, webhook.id)
    return found.length === 4 ? found : null
  })
  t.deepEqual(
    logs.map(({ status, statusCode }) => [status, statusCode]),
    [
      ['SUCCESS', 200],
      ['FAILED', 403],
      ['FAILED', 402],
      ['FAILED', 401],
    ],
  )
})

test('a log item can be delivered again: same webhook-id, same body', async (t) => {
  const number = await quietNumber()
  const webhook = await subscribe(number, receiver.endpoint('/again'))
  await ring(number)
  await receiver.until('/again', 1)
  const [item] = await until('it is logged', async () => {
    const logs = await logsOf(service, number.key, webhook.id)
    return logs.length > 0 ? logs : null
  })
  const asked = await service.api('POST', `/v1/webhooks/${webhook.id}/logs/${item?.id}/redeliver`, number.key)
  t.is(asked.status, 202)
  const [first, second] = await receiver.until('/again', 2)
  t.deepEqual([second?.id, String(second?.body)], [first?.id, String(first?.body)])
  if (second) t.notThrows(() => verified(second, webhook.secret))
})

test('a test event goes out at once whatever is subscribed, answers its attempt and is logged', async (t) => {
  const number = await quietNumber()
  const webhook = await subscribe(number, receiver.endpoint('/tested', answerWith(418)), [])
  const answer = await service.api('POST', `/v1/webhooks/${webhook.id}/test`, number.key)
  t.is(answer.status, 200)
  t.like(answer.body, {
    webhookId: webhook.id,
    event: 'webhook.test',
    status: 'FAILED',
    statusCode: 418,
    response: 'answered 418',
  })
  const [arrival] = receiver.at('/tested')
  if (!arrival) return t.fail('it was not sent')
  t.like(verified(arrival, webhook.secret), { id: arrival.id, event: 'webhook.test', channelNumberId: number.id })
  t.deepEqual(
    (await logsOf(service, number.key, webhook.id)).map(({ id }) => id),
    [answer.body.id],
  )
  t.is(receiver.at('/tested').length, 1, 'it is never retried')
})

test('a receiver that answers 410 is switched off at once, and says why', async (t) => {
  const number = await quietNumber()
  const webhook = await subscribe(number, receiver.endpoint('/gone', answerWith(410)))
  await subscribe(number, receiver.endpoint('/still-here'))
  await ring(number)
  const shown = await until('it is switched off', async () => {
    const { body } = await service.api('GET', `/v1/webhooks/${webhook.id}`, number.key)
    return body.active ? null : body
  })
  t.is(shown.disabledReason, 'GONE')
  await ring(number)
  await receiver.until('/still-here', 2)
  t.is(receiver.at('/gone').length, 1)
  const on = await service.api('PATCH', `/v1/webhooks/${webhook.id}`, number.key, { active: true })
  t.deepEqual([on.body.active, on.body.disabledReason], [true, null])
})

test('number.removed reaches the webhook as its last event although both are gone, a failed first try included', async (t) => {
  const number = await quietNumber()
  const url = receiver.endpoint('/removed', (arrival, response) => {
    if (arrival.event === 'number.removed' && arrival.attempt === 1) response.writeHead(500).end()
    else acknowledge(arrival, response)
  })
  const webhook = await subscribe(number, url, ['*'])
  await ring(number)
  await receiver.until('/removed', 1, ({ event }) => event === 'call.ended')
  t.is((await service.api('DELETE', `/v1/numbers/${number.id}`, service.tenantKey)).status, 200)
  t.is((await service.api('GET', `/v1/webhooks/${webhook.id}`, service.tenantKey)).body.code, 'WEBHOOK_NOT_FOUND')
  const removed = await receiver.until('/removed', 2, ({ event }) => event === 'number.removed')
  t.is(receiver.at('/removed').at(-1)?.event, 'number.removed')
  for (const arrival of removed)
    t.like(verified(arrival, webhook.secret), { event: 'number.removed', data: { numberId: number.id } })
})

const FORBIDDEN = [
  'http://10.0.0.1/',
  'http://192.168.1.1/hook',
  'http://172.16.0.9/',
  'http://169.254.169.254/latest/meta-data',
  'http://0.0.0.0/',
  'http://100.64.0.1/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::10.0.0.1]/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://[64:ff9b::a00:1]/',
  'http://167772161/',
  'http://0x0a.0.0.1/',
  'http://012.0.0.1/',
  'http://①⓪.⓪.⓪.①/',
  'http://user:password@example.com/',
  'http://127.0.0.1:22/',
  'http://127.0.0.1:5432/',
]
const INVALID = [
  'ftp://example.com/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'example.com/hook',
  'http://',
  '',
  `http://example.com/${'x'.repeat(3_000)}`,
]

test('addresses that are not public are refused when a webhook is made and when it is changed', async (t) => {
  const number = await quietNumber()
  const webhook = await subscribe(number, receiver.endpoint('/safe'))
  for (const url of FORBIDDEN) {
    const made = await service.api('POST', '/v1/webhooks', number.key, { url, events: ['*'] })
    t.deepEqual([made.status, made.body.code], [400, 'WEBHOOK_URL_FORBIDDEN'], url)
    const changed = await service.api('PATCH', `/v1/webhooks/${webhook.id}`, number.key, { url })
    t.deepEqual([changed.status, changed.body.code], [400, 'WEBHOOK_URL_FORBIDDEN'], url)
  }
  for (const url of INVALID)
    t.is((await service.api('POST', '/v1/webhooks', number.key, { url, events: ['*'] })).status, 400, url.slice(0, 60))
  t.deepEqual(
    (await service.api('GET', '/v1/webhooks', number.key)).body.map(({ id }: { id: string }) => id),
    [webhook.id],
  )
})
