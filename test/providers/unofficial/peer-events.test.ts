import test from 'ava'
import { readEvent } from '../../../src/providers/unofficial/events.ts'
import { message, PEER, text } from '../../helpers/sendables.ts'
import { probe } from '../session-probe.ts'
import { OWN, RECEIVED, received } from './read-messages.ts'

const [PHONE, LID] = ['5511988880001', '123456789012345@lid']

function read(fields: object) {
  const told = { ...RECEIVED, ...fields }
  const reading = readEvent(told.ev, JSON.parse(JSON.stringify(told)), OWN)
  return reading.kind === 'event' ? reading.event : reading.kind
}

// [engines.peers.1]
test('session.peer names a number and an id; without one of them it cannot be read', (t) => {
  t.deepEqual(read({ ev: 'session.peer', phone: '+55 11 98888-0001', lid: LID }), {
    type: 'peerNamed',
    addresses: [PHONE, LID],
  })
  for (const fields of [{ phone: PHONE }, { lid: LID }, { phone: PHONE, lid: '1@g.us' }, { phone: LID, lid: LID }])
    t.is(read({ ev: 'session.peer', ...fields }), 'invalid', JSON.stringify(fields))
})

// [engines.peers.2] [identities.identities.3]
test('a message names its writer by all that comes along, and is from the number once that is known', (t) => {
  t.like(received({ from: LID, peer: { phone: PHONE, lid: LID } }), {
    from: PHONE,
    named: { addresses: [PHONE, LID] },
  })
  t.like(received({ from: LID, peer: { phone: PHONE } }), { from: PHONE, named: { addresses: [PHONE, LID] } })
  t.like(received({ from: PHONE, peer: { lid: LID } }), { from: PHONE, named: { addresses: [PHONE, LID] } })
  const forms = received({ from: '551188880001', peer: { phone: PHONE } })
  t.like(forms, { from: '551188880001', named: { addresses: [PHONE, '551188880001'] } })
})

test('a message that names nobody further names nobody', (t) => {
  for (const fields of [
    { from: LID },
    { from: LID, peer: { lid: LID } },
    { from: PHONE, peer: { phone: PHONE, lid: 'what' } },
    { peer: 'what' },
    { from: '1@newsletter', newsletter: '1@newsletter', peer: { phone: PHONE, lid: LID } },
  ])
    t.is(received(fields).named, undefined, JSON.stringify(fields))
  t.is(received({ from: LID }).from, LID)
})

// [engines.peers.2]
test('a message of the number itself names its reader; in a group the group is nobody', (t) => {
  const ev = 'message.sent_elsewhere'
  const peer = { phone: PHONE, lid: LID }
  t.like(read({ ev, from: OWN, to: LID, peer }), {
    isFromMe: true,
    from: OWN,
    to: PHONE,
    named: { addresses: [PHONE, LID] },
  })
  t.like(read({ from: OWN, to: LID, peer }), {
    isFromMe: true,
    from: OWN,
    to: PHONE,
    named: { addresses: [PHONE, LID] },
  })
  t.like(read({ from: LID, to: '1@g.us', group: '1@g.us', peer }), {
    from: PHONE,
    to: '1@g.us',
    named: { addresses: [PHONE, LID] },
  })
  const alone = read({ ev, from: OWN, to: '1@g.us', group: '1@g.us', peer: { phone: PHONE } })
  t.false(typeof alone === 'object' && 'named' in alone)
})

test('what is no message still names', (t) => {
  t.deepEqual(read({ content: { type: 'protocol' }, from: LID, peer: { phone: PHONE } }), {
    type: 'peerNamed',
    addresses: [PHONE, LID],
  })
})

// [engines.peers.3]
test('an answer to a send names its reader by all that the engine says', async (t) => {
  const { engine, session } = await probe(t)
  let result: object = {}
  engine.onRequest = ({ op }) =>
    op === 'message.send' ? { result: { externalMessageId: 'm9', ...result } } : undefined
  const sent = { kind: 'sent', externalMessageId: 'm9' }
  t.deepEqual(await session.sendMessage(message(text('x'))), sent as never)
  result = { number: PEER, lid: 5 }
  t.deepEqual(await session.sendMessage(message(text('x'))), sent as never)
  result = { number: `+${PHONE}`, lid: LID }
  t.deepEqual(await session.sendMessage(message(text('x'))), {
    ...sent,
    named: { addresses: [PHONE, PEER, LID] },
  } as never)
})
