import test from 'ava'
import { acknowledge, Receiver, verified, type Arrival } from '../helpers/receiver.ts'
import {
  batch,
  callEvents,
  connectBody,
  connectOfficial,
  permit,
  placeOfficial,
  postSigned,
  ringOfficial,
  seedOfficial,
  type OfficialNumber,
} from '../helpers/official-service.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

const USER = '55119900'
let service: Service
let receiver: Receiver

test.before(async () => {
  receiver = await Receiver.open()
  service = await joinService()
})

test.after.always(async () => {
  await receiver?.close()
})

async function subscribe(
  number: OfficialNumber,
  path: string,
  events: readonly string[],
): Promise<{ id: string; secret: string; events: string[] }> {
  const made = await service.api('POST', '/v1/webhooks', number.key, {
    url: receiver.endpoint(path, acknowledge),
    events,
  })
  if (made.status !== 201) throw new Error(`no webhook: ${made.text}`)
  return made.body
}

const message = (number: OfficialNumber, id: string, text = 'hi') =>
  `{"field":"messages","value":{"messaging_product":"whatsapp","metadata":{"phone_number_id":"${number.phoneId}"},"messages":[{"id":"${id}","type":"text","timestamp":"1","from":"5511","text":{"body":"${text}"}}]}}`

async function native(number: OfficialNumber, field: string): Promise<any[]> {
  return await service.events(number, field)
}

test('a post with a bad signature is 401 and stores nothing', async (t) => {
  const number = await connectOfficial(service)
  const body = batch(number, [message(number, 'wamid.forged')])
  for (const signature of ['', 'sha256=00', `sha256=${'0'.repeat(64)}`])
    t.is((await postSigned(number, body, signature)).status, 401)
  const other = await connectOfficial(service)
  t.is((await postSigned({ ...number, appSecret: `${other.appSecret}x` }, body)).status, 401)
  t.is((await postSigned(number, body)).status, 200)
  t.is((await native(number, 'messages')).length, 1)
})

test('every change is delivered alone and byte for byte, odd JSON included, with our headers and signature', async (t) => {
  const number = await connectOfficial(service)
  const webhook = await subscribe(number, '/native', ['*'])
  const values = [
    `{ "metadata" : {"phone_number_id":${number.phoneId}}, "messages":[{"id":"wamid.a","type":"text","text":{"body":"ol\\u00e1 \\ud83d\\ude00 😀 \\/ \\u0000"}}], "n":12345678901234567890, "x":1.50 }`,
    `{"metadata":{"phone_number_id":"${number.phoneId}"},"contacts":[{"user_id":"US.13"}],"statuses":[{"id":"wamid.b","status":"sent"}],"of_2030":[{"deep":[[]]}]}`,
  ]
  const account = '{"event":"VERIFIED_ACCOUNT","phone_number":"551140000000"}'
  const never = '{"event":"PIN_CHANGED"}'
  const body =
    `{"object":"whatsapp_business_account",\n "entry":[{"id":"${number.accountId}","changes":[{"field":"messages","value":${values[0]}},{"value":${values[1]},"field":"messages"}]},`
    + `{"id":"${number.accountId}","time":1700000000,"changes":[{"field":"account_update","value":${account}},{"field":"security","value":${never}},{"field":"field_of_2030","value":{"x":1}}]}]}`
  t.is((await postSigned(number, body)).status, 200)
  const arrivals = await receiver.until('/native', 3, ({ event }) => ['messages', 'account_update'].includes(event))
  const sent = new Map<string, Arrival>(arrivals.map((arrival) => [arrival.body.toString(), arrival]))
  for (const value of [...values, account]) {
    const arrival = [...sent.entries()].find(([text]) => text.includes(value))?.[1]
    t.truthy(arrival, value)
    if (!arrival) continue
    const envelope = verified(arrival, webhook.secret)
    t.is(envelope.object, 'whatsapp_business_account')
    t.deepEqual(
      [envelope.entry.length, envelope.entry[0].changes.length, envelope.entry[0].id],
      [1, 1, number.accountId],
    )
    t.is(arrival.headers['x-channel-number-id'], number.id)
    t.is(arrival.event, envelope.entry[0].changes[0].field)
  }
  t.false(receiver.at('/native').some(({ event }) => ['security', 'field_of_2030', 'message.received'].includes(event)))
  t.deepEqual((await native(number, 'messages')).length, 2)
})

test('a webhook gets the fields it lists and no others', async (t) => {
  const number = await connectOfficial(service)
  const webhook = await subscribe(number, '/chosen', ['account_update', 'message.received', 'call.ended'])
  t.deepEqual(webhook.events, ['account_update', 'call.ended'])
  await postSigned(
    number,
    batch(number, [message(number, 'wamid.1'), '{"field":"account_update","value":{"event":"A"}}']),
  )
  await receiver.until('/chosen', 1)
  await postSigned(number, batch(number, ['{"field":"account_update","value":{"event":"B"}}']))
  await receiver.until('/chosen', 2)
  t.deepEqual(
    receiver.at('/chosen').map(({ event }) => event),
    ['account_update', 'account_update'],
  )
})

test('a body of 3 MB with 1,000 changes is taken within 2 s, once', async (t) => {
  const number = await connectOfficial(service)
  const text = 'x'.repeat(2_700)
  const body = batch(
    number,
    Array.from({ length: 1_000 }, (_, i) => message(number, `wamid.${i}`, text)),
  )
  t.true(Buffer.byteLength(body) > 2_900_000)
  const first = await postSigned(number, body)
  const again = await postSigned(number, body)
  t.deepEqual([first.status, again.status], [200, 200])
  t.log(`${first.ms.toFixed(0)} ms, again ${again.ms.toFixed(0)} ms`)
  const stored = await native(number, 'messages')
  t.is(stored.length, 1_000)
  t.deepEqual(
    stored.map(({ data }) => data.entry[0].changes[0].value.messages[0].id),
    Array.from({ length: 1_000 }, (_, i) => `wamid.${i}`),
  )
})

test('a webhook ten times at once is one change, one event and one transition', async (t) => {
  const number = await connectOfficial(service)
  await permit(service, number, `${USER}0003`)
  const placed = await placeOfficial(service, number, `${USER}0003`)
  const terminate = batch(number, [
    `{"field":"calls","value":{"metadata":{"phone_number_id":"${number.phoneId}"},"calls":[{"id":"${placed.externalCallId}","event":"terminate","direction":"BUSINESS_INITIATED","timestamp":"1800000000","status":"FAILED"}]}}`,
  ])
  const answers = await Promise.all(Array.from({ length: 10 }, () => postSigned(number, terminate)))
  t.true(answers.every(({ status }) => status === 200))
  await service.untilCall(number, placed.id, ['MISSED'])
  t.deepEqual(await callEvents(service, number, placed.id), ['call.ended'])
  const ended = (await native(number, 'calls')).filter(
    ({ data }) => JSON.stringify(data).includes('"terminate"') && JSON.stringify(data).includes(placed.externalCallId),
  )
  t.is(ended.length, 1)
})

test('numbers of one account share its webhook, and one that is removed leaves it to the other', async (t) => {
  const first = await connectOfficial(service)
  const seeded = await seedOfficial(service, { accountId: first.accountId })
  const made = await service.api('POST', '/v1/numbers/official', service.tenantKey, connectBody(seeded))
  t.is(made.status, 201)
  const early = await ringOfficial(service, first, `${USER}0012`)
  t.is(early.status, 'RINGING', 'a change comes by the address of the other number')
  await service.control('POST', '/official/webhooks/send', {
    accountId: first.accountId,
    field: 'account_update',
    value: { event: 'SHARED' },
  })
  for (const key of [first.key, made.body.apiKey.key]) {
    await until(
      'both are told',
      async () => (await service.api('GET', '/v1/events?event=account_update', key)).body.events.length > 0,
    )
  }
  t.is((await service.api('DELETE', `/v1/numbers/${made.body.id}`, service.tenantKey)).status, 200)
  const late = await ringOfficial(service, first, `${USER}0013`)
  t.is(late.status, 'RINGING')
})
