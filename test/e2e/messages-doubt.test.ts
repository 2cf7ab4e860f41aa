import test from 'ava'
import { inTime } from '../helpers/in-time.ts'
import {
  failSends,
  inboxOf,
  KINDS,
  numbersOfBothKinds,
  reachablePeer,
  sendRequests,
  sendText,
  untilEvents,
  untilStatus,
  type BothNumbers,
} from '../helpers/message-service.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { HASTY, joinService } from '../helpers/shared-service.ts'

const LIFE = ['message.sent', 'message.delivered', 'message.read']
let service: Service
let numbers: BothNumbers

test.before(async () => {
  service = await joinService(HASTY)
  numbers = await numbersOfBothKinds(service)
})

/** The send requests with this text that the upstream received. */
async function asksFor(number: PairedNumber, text: string): Promise<unknown[]> {
  return (await sendRequests(service, number)).filter((request) => JSON.stringify(request).includes(text))
}

for (const kind of KINDS) {
  test(`${kind}: the answer of upstream is lost: the message arrives once and is told once`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    await failSends(service, number, { drop: 'after' })
    const text = `lost answer to ${peer}`
    const { id } = await sendText(service, number, peer, text)
    const message = await untilStatus(service, number, id, ['READ'])
    const [item, ...more] = await inboxOf(service, peer, number)
    t.deepEqual([item.text, item.externalMessageId, more], [text, message.externalMessageId, []])
    if (kind === 'OFFICIAL') t.is((await asksFor(number, text)).length, 1, 'a status named it: it is not sent again')
    const behind = await sendText(service, number, peer, 'behind')
    await untilStatus(service, number, behind.id, ['READ'])
    t.is((await inboxOf(service, peer, number)).length, 2)
    const events = (await untilEvents(service, number, id, 'message.read')).map(({ event }) => event)
    t.deepEqual(
      events,
      LIFE.filter((event) => events.includes(event)),
      'in order, each once',
    )
    t.true(events.includes('message.read'))
  })
}

test('OFFICIAL: a send in doubt that upstream never took is sent again, and arrives once, before what was accepted after it', async (t) => {
  const number = await connectOfficial(service)
  const peer = await reachablePeer(service, number)
  await failSends(service, number, { drop: true })
  const ids = [
    (await sendText(service, number, peer, 'taken at last')).id,
    (await sendText(service, number, peer, 'behind')).id,
  ]
  for (const id of ids) await untilStatus(service, number, id, ['READ'])
  t.deepEqual(
    (await inboxOf(service, peer, number)).map(({ text }) => text),
    ['taken at last', 'behind'],
  )
  t.is((await asksFor(number, 'taken at last')).length, 2)
  for (const id of ids)
    t.deepEqual(
      (await untilEvents(service, number, id, 'message.read')).map(({ event }) => event),
      LIFE,
    )
})

test('OFFICIAL: a doubt holds up its own conversation alone', async (t) => {
  // Both are due at the same moment, so they are sent together even on a slow machine.
  const { number, id, beside } = await inTime(2_500, async (deliverAt) => {
    const asker = await connectOfficial(service)
    const [doubtful, other] = [await reachablePeer(service, asker), await reachablePeer(service, asker)]
    await failSends(service, asker, { drop: true })
    const sent = await sendText(service, asker, doubtful, 'doubtful', { deliverAt })
    return { number: asker, id: sent.id, beside: await sendText(service, asker, other, 'beside', { deliverAt }) }
  })
  await untilStatus(service, number, beside.id, ['READ'])
  await untilStatus(service, number, id, ['READ'])
  const texts = (await sendRequests(service, number)).map((request) =>
    ['doubtful', 'beside'].find((text) => JSON.stringify(request).includes(text)),
  )
  t.deepEqual(texts, ['doubtful', 'beside', 'doubtful'])
})
