import test from 'ava'
import { until } from '../../helpers/until.ts'
import { probe, sequenced } from '../session-probe.ts'

// [engines.bridge.14]
test('that somebody writes is told without a number, and nothing of it is acknowledged', async (t) => {
  const { number, session, told } = await probe(t)
  await until('the session is started', () => told.some(({ type }) => type === 'linkUp'))
  number.raw({ ev: 'peer.typing', peer: '+55 11 98888-0001', state: 'typing' })
  number.raw({ ev: 'peer.typing', peer: '77@lid', group: '8@g.us', state: 'recording' })
  for (const unread of [
    { ev: 'peer.typing', peer: '5511988880001', state: 'asleep' },
    { ev: 'peer.typing', state: 'typing' },
    { ev: 'peer.dreaming', peer: '5511988880001' },
  ])
    number.raw(unread)
  const seq = number.emit({ ev: 'session.state', state: 'OPEN' })
  await until('the state came', () => sequenced(told).length > 0)
  t.deepEqual(
    told.filter(({ type }) => type === 'peerTyping'),
    [
      { type: 'peerTyping', peer: '5511988880001', group: null, state: 'typing' },
      { type: 'peerTyping', peer: '77@lid', group: '8@g.us', state: 'recording' },
    ],
  )
  session.settle(seq)
  await until('the state is acknowledged', () => number.acks.includes(seq))
  t.deepEqual(number.acks, [seq])
})

test('an engine that numbers it is acknowledged, and nobody is told', async (t) => {
  const { number, told } = await probe(t)
  await until('the session is started', () => told.some(({ type }) => type === 'linkUp'))
  number.raw({ ev: 'peer.typing', peer: '5511988880001', state: 'typing', seq: 1 })
  await until('it is acknowledged', () => number.acks.includes(1))
  t.false(told.some(({ type }) => type === 'peerTyping'))
})
