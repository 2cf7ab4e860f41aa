import test, { type ExecutionContext } from 'ava'
import { png } from '../files/make-media.ts'
import {
  eventsOf,
  failSends,
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
  write,
  type BothNumbers,
} from '../helpers/message-service.ts'
import { inTime } from '../helpers/in-time.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let numbers: BothNumbers

test.before(async () => {
  service = await joinService()
  numbers = await numbersOfBothKinds(service)
})

/**
 * The final state of a message. Its status and events are checked again after a later message of the number has ended.
 */
async function settledFor(
  t: ExecutionContext,
  number: PairedNumber,
  id: string,
): Promise<{ status: string; events: string[] }> {
  const peer = await reachablePeer(service, number)
  await untilEvents(service, number, (await sendText(service, number, peer, 'later')).id, 'message.read')
  const { body } = await service.api('GET', `/v1/messages/${id}`, number.key)
  t.is(body.id, id)
  return { status: body.status, events: (await eventsOf(service, number, id)).map(({ event }) => event) }
}

// [messages.status.1]
for (const kind of KINDS) {
  test(`${kind}: each peer of the sandbox takes a message as far as it says, and no further`, async (t) => {
    const number = numbers[kind]
    const ends: [ending: string, status: string, events: string[]][] = [
      ['0002', 'DELIVERED', ['message.sent', 'message.delivered']],
      ['0003', 'SENT', ['message.sent']],
      ['0005', 'READ', ['message.sent', 'message.delivered', 'message.read']],
      ['0006', 'READ', ['message.sent', 'message.delivered', 'message.read']],
      ['0008', 'SENT', ['message.sent']],
    ]
    for (const [ending, status, events] of ends) {
      const peer = await reachablePeer(service, number, ending)
      const { id } = await sendText(service, number, peer, 'hello')
      await untilStatus(service, number, id, [status])
      t.deepEqual(await settledFor(t, number, id), { status, events }, ending)
    }
  })

  // [messages.send.8] [messages.status.1] [messages.failures.2] [events.data.4]
  test(`${kind}: a peer that is not registered fails with CHANNEL_NOT_EXIST, told once`, async (t) => {
    const number = numbers[kind]
    const peer = newPeer('0004')
    if (kind === 'OFFICIAL') await write(service, peer, number)
    const { id, correlationId } = await sendText(service, number, peer, 'hello')
    const message = await untilStatus(service, number, id, ['FAILED'])
    t.is(message.errorCode, 'CHANNEL_NOT_EXIST')
    t.is(typeof message.errorMessage, 'string')
    t.truthy(message.failedAt)
    const failed = (await untilEvents(service, number, id, 'message.failed')).filter(
      ({ event }) => event === 'message.failed',
    )
    t.is(failed.length, 1)
    const data = failed[0]?.data
    t.deepEqual(Object.keys(data).toSorted(), [
      'code',
      'correlationId',
      'createdAt',
      'destination',
      'errorMessage',
      'error_data',
      'internalMessageId',
      'messageId',
      'upstreamCode',
    ])
    t.like(data, { code: 'CHANNEL_NOT_EXIST', internalMessageId: id, correlationId, destination: `+${peer}` })
    t.true('details' in data.error_data)
    t.deepEqual(await inboxOf(service, peer, number), [])
  })

  // [messages.send.8]
  test(`${kind}: a message that fails after it was sent says so, and its id names it still`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number, '0007')
    const { id } = await sendText(service, number, peer, 'hello')
    const message = await untilStatus(service, number, id, ['FAILED'])
    t.truthy(message.sentAt)
    t.truthy(message.errorCode)
    const events = await untilEvents(service, number, id, 'message.failed')
    t.deepEqual(
      events.map(({ event }) => event),
      ['message.sent', 'message.failed'],
    )
    t.like(events[1]?.data, { messageId: message.externalMessageId, code: message.errorCode })
    t.is((await settledFor(t, number, id)).status, 'FAILED')
  })

  test(`${kind}: a message that the upstream refuses temporarily is tried again, in order, and arrives once`, async (t) => {
    const number = kind === 'OFFICIAL' ? await connectOfficial(service) : await service.pairNumber()
    const peer = await reachablePeer(service, number)
    const errors =
      kind === 'OFFICIAL'
        ? [{ error: '130429' }, { error: '131056' }, { status: 503 }]
        : [{ error: { code: 'RATE_LIMITED', retryable: true } }, { error: { code: 'FAILED', retryable: true } }]
    for (const error of errors) await failSends(service, number, { times: 1, ...error })
    const texts = ['one', 'two', 'three']
    const ids: string[] = []
    for (const text of texts) ids.push((await sendText(service, number, peer, text)).id)
    for (const id of ids) await untilStatus(service, number, id, ['READ'])
    t.deepEqual(
      (await inboxOf(service, peer, number)).map(({ text }) => text),
      texts,
    )
    const asked = (await sendRequests(service, number)).length
    t.true(asked >= texts.length + errors.length, `${asked} requests`)
    for (const id of ids)
      t.deepEqual(
        (await untilEvents(service, number, id, 'message.read')).map(({ event }) => event),
        ['message.sent', 'message.delivered', 'message.read'],
      )
  })
}

// [messages.failures.3]
test('OFFICIAL: outside the window a text fails with OFFICIAL_OUTSIDE_24H_WINDOW, in whichever way upstream says so', async (t) => {
  for (const windowErrors of ['answer', 'status']) {
    const number = await connectOfficial(service, { windowErrors })
    const never = newPeer()
    const early = await sendText(service, number, never, 'nobody asked')
    t.like(
      await untilStatus(service, number, early.id, ['FAILED']),
      { errorCode: 'OFFICIAL_OUTSIDE_24H_WINDOW' },
      windowErrors,
    )
    const failed = (await untilEvents(service, number, early.id, 'message.failed')).at(-1)
    t.like(failed?.data, { code: 'OFFICIAL_OUTSIDE_24H_WINDOW', upstreamCode: 131_047 }, windowErrors)
    // The peer writes, which opens the window for an answer.
    await write(service, never, number)
    const late = await sendText(service, number, never, 'thanks for asking')
    await untilStatus(service, number, late.id, ['READ'])
    t.deepEqual(
      (await inboxOf(service, never, number)).map(({ text }) => text),
      ['thanks for asking'],
    )
  }
})

// [messages.carousel.2]
test('OFFICIAL: a session carousel outside the window fails, and arrives once the peer has written', async (t) => {
  const number = await connectOfficial(service)
  const peer = newPeer()
  const image = `data:image/png;base64,${(await png()).toString('base64')}`
  const cards = ['Lilies', 'Roses'].map((text) => ({ image, text, buttons: [{ type: 'QUICK_REPLY', text: 'Buy' }] }))
  const order = { destinationNumber: peer, carousel: { text: 'New this week', cards } }
  const early = await send(service, number, order)
  t.like(await untilStatus(service, number, early.id, ['FAILED']), { errorCode: 'OFFICIAL_OUTSIDE_24H_WINDOW' })
  t.deepEqual(await inboxOf(service, peer, number), [])
  await write(service, peer, number)
  await untilStatus(service, number, (await send(service, number, order)).id, ['READ'])
  const inbox = await inboxOf(service, peer, number)
  t.deepEqual(
    inbox.map(({ type, content }) => [type, content.type]),
    [['interactive', 'carousel']],
  )
})

// [messages.failures.1] [messages.failures.2] [messages.failures.3] [messages.failures.4] [messages.failures.5]
// [messages.failures.8] [official.failure-codes.2]
test('OFFICIAL: upstream codes reach message.failed with their number, and unknown ones are OFFICIAL_ERROR', async (t) => {
  const number = await connectOfficial(service)
  const peer = await reachablePeer(service, number)
  const codes: [upstream: string, code: string][] = [
    ['131026', 'CHANNEL_NOT_EXIST'],
    ['131047', 'OFFICIAL_OUTSIDE_24H_WINDOW'],
    ['131053', 'OFFICIAL_MEDIA_UPLOAD_ERROR'],
    ['132001', 'OFFICIAL_TEMPLATE_NOT_APPROVED'],
    ['131021', 'INVALID_DESTINATION'],
    ['131009', 'OFFICIAL_ERROR'],
    ['999999', 'OFFICIAL_ERROR'],
  ]
  for (const [upstream, code] of codes) {
    await failSends(service, number, { error: upstream })
    const { id } = await sendText(service, number, peer, upstream)
    t.is((await untilStatus(service, number, id, ['FAILED'])).errorCode, code, upstream)
    t.like(
      (await untilEvents(service, number, id, 'message.failed')).at(-1)?.data,
      { code, upstreamCode: Number(upstream), messageId: null },
      upstream,
    )
  }
  // A failed message does not hold up the ones behind it.
  await untilStatus(service, number, (await sendText(service, number, peer, 'fine')).id, ['READ'])
})

// [official.failure-codes.1]
test('OFFICIAL: more messages at once than a number may send are throttled by upstream, and all arrive in order', async (t) => {
  // They are due at the same moment, so several come within a second even on a slow machine.
  const { number, others, both } = await inTime(3_000, async (deliverAt) => {
    const slow = await connectOfficial(service, { throughput: { perSecond: 1 } })
    const [twice, ...once] = await Promise.all([0, 1, 2].map(() => reachablePeer(service, slow)))
    for (const peer of once) await sendText(service, slow, peer, 'one', { deliverAt })
    for (const text of ['one', 'two']) await sendText(service, slow, twice ?? '', text, { deliverAt })
    return { number: slow, others: once, both: twice ?? '' }
  })
  const got = async (peer: string, count: number) =>
    (await untilInbox(service, peer, number, count)).map(({ text }) => text)
  t.deepEqual(await got(both, 2), ['one', 'two'])
  for (const peer of others) t.deepEqual(await got(peer, 1), ['one'])
  t.true((await sendRequests(service, number)).length > 4, 'some were throttled')
})

// [official.failure-codes.1]
test('OFFICIAL: a peer who is written to too fast is waited for, and others are not', async (t) => {
  const texts = ['one', 'two', 'three']
  // They are due at the same moment, so the first recipient does not depend on how fast the machine accepts them.
  const { number, busy, aside } = await inTime(2_500, async (deliverAt) => {
    const slow = await connectOfficial(service, { throughput: { pairBurst: 2 } })
    const [often, seldom] = [await reachablePeer(service, slow), await reachablePeer(service, slow)]
    for (const text of texts) await sendText(service, slow, often, text, { deliverAt })
    return { number: slow, busy: often, aside: await sendText(service, slow, seldom, 'aside', { deliverAt }) }
  })
  await untilStatus(service, number, aside.id, ['READ'])
  t.deepEqual(
    (await untilInbox(service, busy, number, 3)).map(({ text }) => text),
    texts,
  )
  const asked = (await sendRequests(service, number)).map((request) => JSON.stringify(request))
  const asksFor = (text: string): number[] =>
    asked.flatMap((request, at) => (request.includes(`"${text}"`) ? [at] : []))
  t.true(asksFor('three').length > 1, 'the third was throttled')
  t.true((asksFor('aside')[0] ?? Infinity) < (asksFor('three').at(-1) ?? 0), 'who was written to seldom did not wait')
})

// [messages.status.2]
test('OFFICIAL: statuses told reversed, shuffled, twice and in batches never move a status back, and each event is told once', async (t) => {
  for (const options of [
    { order: 'reversed', duplicate: 2 },
    { order: 'shuffled', duplicate: 1, batch: true },
    { batch: true, contact: 'none', delayMs: 300 },
  ]) {
    const number = await connectOfficial(service)
    const { status } = await service.control('POST', `/official/numbers/${number.phoneId}/statuses`, options)
    t.true(status < 300)
    const peer = await reachablePeer(service, number)
    const ids: string[] = []
    for (let at = 0; at < 5; at++) ids.push((await sendText(service, number, peer, `text ${at}`)).id)
    for (const id of ids) {
      await untilStatus(service, number, id, ['READ'])
      const told = await untilEvents(service, number, id, 'message.read')
      const names = told.map(({ event }) => event)
      t.is(new Set(names).size, names.length, `${JSON.stringify(options)}: ${names.join(', ')}`)
      const ranks = names.map((name) => ['message.sent', 'message.delivered', 'message.read'].indexOf(name))
      t.deepEqual(
        ranks,
        ranks.toSorted((a, b) => a - b),
        `${JSON.stringify(options)}: ${names.join(', ')}`,
      )
    }
    await until('upstream has told all', async () => {
      const {
        body: { deliveries },
      } = await service.control('GET', '/official/webhooks')
      return deliveries.every(({ url, state }: any) => url !== number.webhookUrl || state !== 'WAITING')
    })
    for (const id of ids) t.is((await service.api('GET', `/v1/messages/${id}`, number.key)).body.status, 'READ')
  }
})

test('UNOFFICIAL: a status told twice after a dropped socket is one event', async (t) => {
  const number = await service.pairNumber()
  const peer = newPeer()
  const { id } = await sendText(service, number, peer, 'hello')
  await service.control('POST', `/devices/${number.digits}/drop`)
  await untilStatus(service, number, id, ['READ'])
  t.deepEqual((await settledFor(t, number, id)).events.toSorted(), [
    'message.delivered',
    'message.read',
    'message.sent',
  ])
  t.is((await inboxOf(service, peer, number)).length, 1)
})
