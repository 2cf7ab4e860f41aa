import test from 'ava'
import { peersIn } from '../../../../actors/number/devices/decide.ts'
import { succeed } from '../../../../src/domain/errors.ts'
import { NumberTable } from '../table.ts'

const [EVERY_MS, ANSWER] = [1_000, { forwarded: false, read: false }]

function typing(table: NumberTable, askId: number, to = '551199') {
  const input = { to, lastInboundId: null, state: 'typing' } as never
  return table.say({ type: 'AskDevice', askId, op: 'showTyping', input }).filter(({ type }) => type === 'askDevice')
}

test('what comes sooner than its pace is answered without the device, for each peer apart', (t) => {
  const table = new NumberTable('UNOFFICIAL')
  table.connect()
  t.is(typing(table, 1).length, 1)
  table.nowMs += EVERY_MS - 1
  t.deepEqual(typing(table, 2), [])
  t.deepEqual(table.reply(2)?.outcome, succeed(ANSWER))
  t.is(typing(table, 3, '551188').length, 1)
  table.nowMs += 1
  t.is(typing(table, 4).length, 1)
  t.is(table.ready.pacedAt.size, 2)
  table.nowMs -= 1
  t.is(typing(table, 5).length, 1, 'the clock was set back')
  table.nowMs += EVERY_MS
  typing(table, 6, '551177')
  t.is(table.ready.pacedAt.size, 1, 'others are forgotten')
})

test('an ask of another kind has no pace', (t) => {
  const table = new NumberTable('UNOFFICIAL')
  table.connect()
  for (const askId of [1, 2]) {
    const made = table.say({ type: 'ReadMessages', askId, externalMessageIds: ['a'] })
    t.deepEqual(made, [{ type: 'askDevice', command: { type: 'ReadMessages', askId, externalMessageIds: ['a'] } }])
  }
  t.deepEqual([...table.ready.deviceAsks], [1, 2])
  table.say({ type: 'DeviceAnswered', askId: 1 })
  t.deepEqual([...table.ready.deviceAsks], [2])
})

test('a number that is not connected refuses what is asked of its device, but for what its rows say already', (t) => {
  const table = new NumberTable('UNOFFICIAL')
  table.saved()
  typing(table, 1)
  table.say({ type: 'ReadMessages', askId: 2, externalMessageIds: ['a'] })
  t.like(table.reply(1), {
    outcome: { error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED', message: 'The number is not connected' } },
  })
  t.deepEqual(table.reply(2)?.outcome, succeed(null))
  t.deepEqual(table.all('askDevice'), [])
})

test('a check of numbers names people by all their addresses, where the network knows more than one', (t) => {
  t.deepEqual(
    peersIn([
      { input: '+55 11 99', exists: true, number: '551199', lid: '7@lid' },
      { input: '+55 11 88', exists: true, number: '551188' },
      { input: '+55 11 77', exists: false, number: '5511977', lid: '8@lid' },
    ] as never),
    [{ addresses: ['551199', '7@lid'] }],
  )
})
