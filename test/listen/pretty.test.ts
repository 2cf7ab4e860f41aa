import test from 'ava'
import { prettyLine } from '../../tools/listen/pretty.ts'

const EVENT = {
  id: `evt_${'0'.repeat(26)}`,
  event: 'call.ended',
  channelNumberId: 'num_1',
  timestamp: '2026-01-02T03:04:05.000Z',
  data: {
    id: 'call_1',
    direction: 'INBOUND',
    peerNumber: '+5511970001234',
    status: 'COMPLETED',
    duration: 7,
    errorCode: null,
    updatedAt: 'x',
  },
}

test('a line tells time, name, number and the telling fields that have a value', (t) => {
  const line = prettyLine(EVENT, false)
  t.regex(
    line,
    /^\d\d:\d\d:05 {2}call\.ended {12}num_1 {2}id=call_1 {2}direction=INBOUND {2}peerNumber=\+5511970001234 {2}status=COMPLETED {2}duration=7$/,
  )
})

test('colours are only where they are wanted', (t) => {
  t.false(prettyLine(EVENT, false).includes('\u001B'))
  t.true(prettyLine(EVENT, true).includes('\u001B['))
})

test('text of a peer cannot control the terminal', (t) => {
  const nasty = '\u001B]0;owned\u0007 a\nb \u202Ec \u009B2J'
  const line = prettyLine({ ...EVENT, event: 'message.received', data: { content: nasty, type: nasty } }, false)
  t.notRegex(line, /[\p{Cc}\p{Cf}]/u)
  t.true(line.includes('owned'))
})

test('a long field is cut and an unknown event shows its first fields', (t) => {
  const line = prettyLine(
    { ...EVENT, event: 'something.new', data: { long: 'x'.repeat(500), nested: { a: 1 } } },
    false,
  )
  t.true(line.length < 200)
  t.true(line.includes('nested={"a":1}'))
})
