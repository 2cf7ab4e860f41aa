import test from 'ava'
import { png } from '../files/make-media.ts'
import { inTime } from '../helpers/in-time.ts'
import {
  eventsOf,
  inboxOf,
  KINDS,
  newPeer,
  numbersOfBothKinds,
  reachablePeer,
  send,
  sendRequests,
  sendText,
  untilEvents,
  untilInbox,
  untilStatus,
  type BothNumbers,
} from '../helpers/message-service.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'

let service: Service
let numbers: BothNumbers

test.before(async () => {
  service = await joinService()
  numbers = await numbersOfBothKinds(service)
})

function inMs(ms: number): string {
  return new Date(Date.now() + ms).toISOString()
}

/**
 * Sends one message for later and one for now. On a busy machine the second may be accepted too late; then this tries
 * again with more time.
 */
async function overtaken(number: PairedNumber, peer: string) {
  for (let waitMs = 2_500; ; waitMs *= 2) {
    const before = (await inboxOf(service, peer, number)).length
    const deliverAt = inMs(waitMs)
    const later = await sendText(service, number, peer, 'later', { deliverAt })
    const now = await sendText(service, number, peer, 'now')
    const { sentAt: sentNow } = await untilStatus(service, number, now.id, ['READ'])
    const { sentAt } = await untilStatus(service, number, later.id, ['READ'])
    if (Date.parse(sentNow) < Date.parse(deliverAt))
      return { order: (await inboxOf(service, peer, number)).slice(before).map(({ text }) => text), sentAt, deliverAt }
  }
}

for (const kind of KINDS) {
  test(`${kind}: twenty sends at once under one key are one message, and each caller learns its id`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const body = { destinationNumber: peer, text: 'once' }
    const headers = { 'idempotency-key': `key ${peer}` }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.api('POST', '/v1/messages/send', number.key, body, headers)),
    )
    t.true(
      answers.every(
        ({ status, body: { code } }) => status === 202 || (status === 409 && code === 'IDEMPOTENCY_IN_PROGRESS'),
      ),
      answers.map(({ status }) => status).join(),
    )
    const accepted = answers.filter(({ status }) => status === 202)
    t.is(new Set(accepted.map(({ body: { id } }) => id)).size, 1)
    t.is(accepted.filter(({ headers: answered }) => answered.get('idempotency-replayed') === null).length, 1)
    const again = await service.api('POST', '/v1/messages/send', number.key, body, headers)
    t.deepEqual([again.status, again.headers.get('idempotency-replayed'), again.body], [202, 'true', accepted[0]?.body])
    const other = await service.api('POST', '/v1/messages/send', number.key, { ...body, text: 'other' }, headers)
    t.deepEqual([other.status, other.body.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
    await untilStatus(service, number, again.body.id, ['READ'])
    await untilInbox(service, peer, number, 1)
    const {
      body: { total },
    } = await service.api('GET', `/v1/messages/history?direction=OUTBOUND&peer=${peer}`, number.key)
    t.deepEqual([total, (await inboxOf(service, peer, number)).length], [1, 1])
  })

  test(`${kind}: a data URI sent again under its key is one message too`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const message = {
      destinationNumber: peer,
      mediaType: 'image',
      media: `data:image/png;base64,${(await png()).toString('base64')}`,
    }
    const headers = { 'idempotency-key': `picture ${peer}` }
    const first = await send(service, number, message, headers)
    t.is((await send(service, number, message, headers)).id, first.id)
    await untilStatus(service, number, first.id, ['READ'])
    t.is((await send(service, number, message, headers)).id, first.id)
    t.is((await inboxOf(service, peer, number)).length, 1)
  })

  test(`${kind}: a message waits for its deliverAt, and those without one overtake it`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const { order, sentAt, deliverAt } = await overtaken(number, peer)
    // Upstream tells its times in whole seconds.
    t.true(Date.parse(sentAt) > Date.parse(deliverAt) - 1_000, `${sentAt} is not before ${deliverAt}`)
    t.deepEqual(order, ['now', 'later'])
    const past = await sendText(service, number, peer, 'at once', { deliverAt: inMs(-1_000) })
    await untilStatus(service, number, past.id, ['READ'])
  })

  // [messages.status.1]
  test(`${kind}: only a message that waits for its deliverAt can be canceled, and only once`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const waiting = await sendText(service, number, peer, 'never', {
      deliverAt: inMs(3_600_000),
      correlationId: `waits ${peer}`,
    })
    const gone = await sendText(service, number, peer, 'gone')
    await untilStatus(service, number, gone.id, ['READ'])
    const unknown = 'msg_00000000000000000000000000'
    const messageIds = [waiting.id, gone.id, unknown]
    const canceled = await service.api('DELETE', '/v1/messages/cancel', number.key, { messageIds })
    t.is(canceled.status, 200)
    t.deepEqual(canceled.body.cancelled, [waiting.id])
    t.deepEqual(
      canceled.body.failed.map(({ id }: any) => id),
      [gone.id, unknown],
    )
    t.true(canceled.body.failed.every(({ reason }: any) => typeof reason === 'string' && reason !== ''))
    t.like(await untilStatus(service, number, waiting.id, ['CANCELED']), { sentAt: null, errorCode: null })
    const again = await service.api('DELETE', '/v1/messages/cancel', number.key, { messageIds: [waiting.id] })
    t.deepEqual([again.body.cancelled, again.body.failed.length], [[], 1])
    t.deepEqual(await eventsOf(service, number, waiting.id), [])
    const { status } = await service.api('DELETE', '/v1/messages/cancel', number.key, { messageIds: [] })
    t.is(status, 400)
  })
}

test('UNOFFICIAL: a number that is not connected queues, says so, and sends in order once it connects', async (t) => {
  const number = await service.pairNumber()
  await service.api('POST', `/v1/numbers/${number.id}/logout`, service.tenantKey)
  await service.untilState(number.id, 'CLOSE')
  const peer = newPeer()
  const texts = ['one', 'two', 'three']
  const ids: string[] = []
  for (const text of texts) ids.push((await sendText(service, number, peer, text)).id)
  const other = newPeer()
  const {
    body: { messages: waiting },
  } = await service.api('GET', '/v1/messages/history?direction=OUTBOUND', number.key)
  t.deepEqual(
    waiting.map(({ status }: any) => status),
    ['QUEUED', 'QUEUED', 'QUEUED'],
  )
  t.deepEqual(await sendRequests(service, number), [])
  // Once it waits only for the connection, it no longer counts as scheduled, so it cannot be cancelled.
  t.deepEqual(
    (await service.api('DELETE', '/v1/messages/cancel', number.key, { messageIds: [ids[0]] })).body.cancelled,
    [],
  )
  await service.api('POST', `/v1/numbers/${number.id}/connect`, service.tenantKey)
  t.is((await service.control('POST', `/devices/${number.digits}/scan`)).status, 200)
  for (const id of ids) await untilStatus(service, number, id, ['READ'])
  t.deepEqual(
    (await inboxOf(service, peer, number)).map(({ text }) => text),
    texts,
  )
  t.deepEqual(await inboxOf(service, other, number), [])
})

// [messages.send.7] [messages.failures.10]
test('UNOFFICIAL: past its deliverUntil a message of a number that is not connected fails with EXPIRED_AFTER_ATTEMPTS and is never sent', async (t) => {
  const number = await service.pairNumber()
  await service.api('POST', `/v1/numbers/${number.id}/logout`, service.tenantKey)
  await service.untilState(number.id, 'CLOSE')
  const peer = newPeer()
  const { id } = await sendText(service, number, peer, 'too late', { deliverUntil: inMs(1_500) })
  const patient = await sendText(service, number, peer, 'patient', { deliverUntil: inMs(3_600_000) })
  t.is((await untilStatus(service, number, id, ['FAILED'])).errorCode, 'EXPIRED_AFTER_ATTEMPTS')
  const [failed, ...others] = await untilEvents(service, number, id, 'message.failed')
  t.like(failed, {
    event: 'message.failed',
    data: { code: 'EXPIRED_AFTER_ATTEMPTS', internalMessageId: id, messageId: null, upstreamCode: null },
  })
  t.deepEqual(others, [])
  await service.api('POST', `/v1/numbers/${number.id}/connect`, service.tenantKey)
  await service.control('POST', `/devices/${number.digits}/scan`)
  await untilStatus(service, number, patient.id, ['READ'])
  t.deepEqual(
    (await inboxOf(service, peer, number)).map(({ text }) => text),
    ['patient'],
  )
})

test('a removed number takes its messages along: nothing of them is sent', async (t) => {
  const { number, peer, deliverAt } = await inTime(2_000, async (due) => {
    const removed = await service.pairNumber()
    const to = newPeer()
    await sendText(service, removed, to, 'never', { deliverAt: due })
    t.is((await service.api('DELETE', `/v1/numbers/${removed.id}`, service.tenantKey)).status, 200)
    return { number: removed, peer: to, deliverAt: due }
  })
  const other = numbers.UNOFFICIAL
  const after = new Date(Date.parse(deliverAt) + 1_000).toISOString()
  await untilStatus(service, other, (await sendText(service, other, newPeer(), 'after it', { deliverAt: after })).id, [
    'READ',
  ])
  t.deepEqual(await inboxOf(service, peer, number), [])
  t.is((await service.api('GET', '/v1/messages/history', number.key)).status, 401)
})

// [messages.send.4] [keys.scopes.2]
test('a tenant key sends nothing', async (t) => {
  const answer = await service.api('POST', '/v1/messages/send', service.tenantKey, {
    destinationNumber: newPeer(),
    text: 'a',
  })
  t.deepEqual([answer.status, answer.body.code], [403, 'TENANT_SCOPE_NOT_ALLOWED'])
})
