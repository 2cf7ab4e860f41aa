import test from 'ava'
import { isSameNumber } from '../../session/same-number.ts'
import { decideStart } from '../../session/start-decision.ts'

const STORED = { sessionId: 's1', number: '491700' }
const FACTS = { credentials: 's1', number: '491700', stored: STORED, isLinkUndelivered: false }

// [engines.baileys.6]
test('credentials that name the stored session resume it', (t) => {
  t.is(decideStart(FACTS), 'resume')
})

// [engines.baileys.6]
test('credentials of a session that is gone, or of another number, are refused', (t) => {
  t.is(decideStart({ ...FACTS, stored: null }), 'refuse')
  t.is(decideStart({ ...FACTS, credentials: 's0' }), 'refuse')
  t.is(decideStart({ ...FACTS, number: '491701' }), 'refuse')
  t.is(decideStart({ ...FACTS, credentials: { any: 'thing' } }), 'refuse')
})

test('without credentials a device is linked anew, unless the gateway cannot know yet that one is', (t) => {
  t.is(decideStart({ ...FACTS, credentials: null }), 'pair')
  t.is(decideStart({ ...FACTS, credentials: null, isLinkUndelivered: true }), 'resume')
  t.is(decideStart({ ...FACTS, credentials: null, isLinkUndelivered: true, number: '491701' }), 'pair')
  t.is(decideStart({ ...FACTS, credentials: null, stored: null, isLinkUndelivered: true }), 'pair')
})

test('old and new forms of one number are the same', (t) => {
  t.true(isSameNumber('5511987654321', '551187654321'))
  t.true(isSameNumber('5215512345678', '525512345678'))
  t.true(isSameNumber('5491112345678', '541112345678'))
  t.false(isSameNumber('491700000001', '491700000002'))
})
