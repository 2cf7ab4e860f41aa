import test from 'ava'
import type { OfficialMessageEvent } from '../../../../src/ports/official/changes.ts'
import { addOfficial, officialRig, post } from '../../official-rig.ts'
import { connectedNumber, createRig, pass, settled } from '../../rig.ts'
import { fast, incoming, messageEvents, officialHearing, PEER, report, statuses, storedIds } from './received.ts'

test("a failed status that blames the template is reported to the templates, by our id or the upstream's; one of another message is not", async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  const ids = ['1', '2', '3'].map((address) => rig.messages.add(numberId, address))
  rig.directory.sendsQueued(numberId)
  await pass(rig, 100, 10)
  const failed = (upstreamCode: number) => ({
    failure: { code: 'OFFICIAL_ERROR', message: 'no', details: null, upstreamCode },
  })
  rig.driver.last.raise(report(`up-${ids[0]}`, 'FAILED', failed(132015)))
  rig.driver.last.raise(report(`up-${ids[1]}`, 'FAILED', { ...failed(132001), messageId: ids[1] }))
  rig.driver.last.raise(report(`up-${ids[2]}`, 'FAILED', failed(131047)))
  rig.driver.last.raise(report('of somebody else', 'FAILED', failed(132016)))
  await settled()
  const tenantId = rig.rows.numbers.get(numberId)?.tenantId
  t.deepEqual(rig.told.refused, [
    { tenantId, numberId, messageId: `up-${ids[0]}`, code: 132015 },
    { tenantId, numberId, messageId: ids[1], code: 132001 },
  ] as never)
})

test('an edit and a revocation are stored, and settled only then; nobody is told by an event', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  rig.driver.last.raise(incoming('a'))
  await settled()
  rig.rows.failing = 1
  const seqs = (['EDIT', 'REVOKE'] as const).map((kind) =>
    rig.driver.last.raise({ type: 'messageChanged', externalMessageId: 'a', kind, at: new Date(0), edited: null }),
  )
  await settled()
  t.false(seqs.some((seq) => rig.driver.last.settled.includes(seq)))
  await pass(rig, 1_000, 50)
  t.deepEqual(
    rig.messages.changes.map(({ kind }) => kind),
    ['EDIT', 'REVOKE'],
  )
  t.true(seqs.every((seq) => rig.driver.last.settled.includes(seq)))
  t.deepEqual(messageEvents(rig), ['message.received'])
})

// [message-verbs.modes.6] [events.data.11]
test('a vote is told by an event alone, and settled once that is stored', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const vote = {
    type: 'pollVoted',
    externalMessageId: 'poll',
    messageId: null,
    from: PEER,
    fromName: 'Ana',
    options: ['Now'],
    group: null,
    at: new Date(0),
  } as const
  rig.rows.failing = 1
  const seq = rig.driver.last.raise(vote)
  await settled()
  t.false(rig.driver.last.settled.includes(seq))
  await pass(rig, 1_000, 50)
  t.true(rig.driver.last.settled.includes(seq))
  t.deepEqual(storedIds(rig), [])
  t.deepEqual(rig.rows.events.at(-1), {
    event: 'message.poll_vote',
    data: {
      messageId: 'poll',
      internalMessageId: null,
      channelNumberId: numberId,
      from: `+${PEER}`,
      participantName: 'Ana',
      options: ['Now'],
      groupId: null,
      groupName: null,
      createdAt: '1970-01-01T00:00:00.000Z',
    },
  } as never)
})

test("the link between a user's number and id is stored before its change is settled", async (t) => {
  const named = { addresses: [PEER, 'US.13491'] }
  const { rig, numberId } = officialHearing({
    '"messages" 1': [{ type: 'peerNamed', ...named }, incoming('a')] as OfficialMessageEvent[],
  })
  rig.rows.failing = 1
  await post(rig, numberId, '"messages" 1')
  t.deepEqual(rig.rows.settled, [])
  await pass(rig, 1_000, 50)
  t.deepEqual(rig.messages.names, [named])
  t.deepEqual(storedIds(rig), ['a'])
  t.deepEqual(rig.rows.settled, [1])
})

test('a change whose message is not there yet is settled too: it waits in the store', async (t) => {
  const { rig, numberId } = officialHearing({
    '"messages" 1': [
      { type: 'messageChanged', externalMessageId: 'later', kind: 'REVOKE', at: new Date(0), edited: null },
    ],
  })
  await post(rig, numberId, '"messages" 1')
  t.deepEqual(
    rig.messages.changes.map(({ externalMessageId }) => externalMessageId),
    ['later'],
  )
  t.deepEqual(rig.rows.settled, [1])
})

test('a status that overtakes the answer which names the message is tried again, in order', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  const answer = Promise.withResolvers<{ kind: 'sent'; externalMessageId: string }>()
  rig.driver.last.sendAnswer = () => answer.promise
  rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await settled()
  await pass(rig, 10_000)
  const first = rig.driver.last.raise(report('up', 'DELIVERED'))
  await pass(rig, 300, 50)
  t.deepEqual(statuses(rig), [])
  t.false(rig.driver.last.settled.includes(first))
  answer.resolve({ kind: 'sent', externalMessageId: 'up' })
  await settled()
  const second = rig.driver.last.raise(report('up', 'READ'))
  await pass(rig, 1_200, 50)
  t.deepEqual(statuses(rig), ['DELIVERED', 'READ'])
  t.true([first, second].every((seq) => rig.driver.last.settled.includes(seq)))
  await pass(rig, 6_000)
  rig.driver.last.raise(report('foreign', 'READ'))
  const writes = rig.rows.writes.length
  await pass(rig, 6_000)
  t.is(rig.rows.writes.length, writes + 1)
})

test('a status that is told again before the session can send waits for the message that was in doubt', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  await pass(rig, 60_000)
  rig.driver.last.raise({ type: 'linkDown' })
  await pass(rig, 20_000)
  rig.driver.last.raise({ type: 'linkUp' })
  const seq = rig.driver.last.raise(report('up', 'READ'))
  await settled()
  t.false(rig.driver.last.settled.includes(seq))
  rig.driver.last.sendAnswer = async () => ({ kind: 'sent', externalMessageId: 'up' })
  rig.messages.add(numberId, '1')
  rig.driver.last.raise({ type: 'state', state: 'OPEN', reason: null })
  rig.directory.sendsQueued(numberId)
  await pass(rig, 5_000, 50)
  t.deepEqual(statuses(rig), ['READ'])
  t.true(rig.driver.last.settled.includes(seq))
})

test('a status that comes right after the number connected waits for the message that was in doubt', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  const seq = rig.driver.last.raise(report('up', 'READ'))
  await settled()
  t.false(rig.driver.last.settled.includes(seq))
  rig.driver.last.sendAnswer = async () => ({ kind: 'sent', externalMessageId: 'up' })
  rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await pass(rig, 5_000, 50)
  t.deepEqual(statuses(rig), ['READ'])
  t.true(rig.driver.last.settled.includes(seq))
})

test('a status of a message nobody knows is settled and forgotten', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  await pass(rig, 6_000)
  const seq = rig.driver.last.raise(report('foreign', 'READ'))
  await settled()
  t.true(rig.driver.last.settled.includes(seq))
  t.is(rig.rows.writes.filter((name) => name === 'report READ').length, 1)
})

test('a status of an unknown message that arrives while messages are sent is given up in the end', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  rig.driver.last.sendAnswer = () => new Promise(() => {})
  rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await settled()
  const seq = rig.driver.last.raise(report('foreign', 'READ'))
  await pass(rig, 55_000, 500)
  t.false(rig.driver.last.settled.includes(seq))
  await pass(rig, 10_000, 500)
  t.true(rig.driver.last.settled.includes(seq))
  t.is(rig.rows.writes.filter((name) => name === 'report READ').length, 23)
})

test('where the upstream returns our id, a status without it belongs to another sender and is not waited for', async (t) => {
  const { rig, numberId } = officialHearing({ '"messages" 1': [report('foreign', 'READ')] as OfficialMessageEvent[] })
  rig.driver.onOpen = (session) => {
    session.sendAnswer = () => new Promise(() => {})
    queueMicrotask(() => session.raise({ type: 'state', state: 'OPEN', reason: null }))
  }
  rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await settled()
  t.is(rig.driver.last.sent.length, 1)
  await post(rig, numberId, '"messages" 1')
  t.deepEqual(rig.rows.settled, [1])
})

test('a change whose messages cannot be read is set aside', async (t) => {
  const rig = officialRig({
    readMessages: () => {
      throw new TypeError('poison')
    },
  })
  const numberId = addOfficial(rig.rows)
  await post(rig, numberId, '"messages" 1')
  t.deepEqual(rig.rows.settled, [])
  t.like(rig.setAside.kept, [{ item: '1', reason: 'TypeError' }])
})

test('a status that names a message in doubt ends the doubt: it is not sent again', async (t) => {
  const events: OfficialMessageEvent[] = []
  const { rig, numberId } = officialHearing({ '"messages" 1': events })
  const id = rig.messages.add(numberId, '1')
  rig.driver.onOpen = (session) => {
    session.sendAnswer = () => ({
      kind: 'unknown',
      failure: { code: 'DELIVERY_TIMEOUT', message: 'late', details: null, upstreamCode: null },
    })
    queueMicrotask(() => session.raise({ type: 'state', state: 'OPEN', reason: null }))
  }
  rig.directory.sendsQueued(numberId)
  await settled()
  events.push(report('wamid.1', 'SENT', { messageId: id }) as OfficialMessageEvent)
  await post(rig, numberId, '"messages" 1')
  await pass(rig, 60_000)
  t.like(rig.messages.row(id), { status: 'SENT', externalMessageId: 'wamid.1' })
  t.is(rig.driver.last.sent.length, 1)
})

// [usage.objects.6]
test('the category that upstream charges a message by is stored with its status, where one is told', async (t) => {
  const events: Record<string, OfficialMessageEvent[]> = { '"messages" 1': [], '"messages" 2': [] }
  const { rig, numberId } = officialHearing(events)
  const id = rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await settled()
  events['"messages" 1']?.push(
    report('up-1', 'DELIVERED', { messageId: id, priceCategory: 'MARKETING' }) as OfficialMessageEvent,
  )
  events['"messages" 2']?.push(report('up-1', 'READ', { messageId: id }) as OfficialMessageEvent)
  for (const change of Object.keys(events)) await post(rig, numberId, change)
  t.deepEqual(
    rig.messages.reports.map(({ status, priceCategory }) => [status, priceCategory]),
    [
      ['DELIVERED', 'MARKETING'],
      ['READ', null],
    ],
  )
})
