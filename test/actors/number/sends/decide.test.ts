import test from 'ava'
import type { NumberEffect } from '../../../../actors/number/state.ts'
import { NumberTable } from '../table.ts'

const typesOf = (effects: readonly NumberEffect[]) => effects.map(({ type }) => type)

/** A connected number whose sending was woken once and has nothing left to do. */
function atRest(kind: 'OFFICIAL' | 'UNOFFICIAL'): NumberTable {
  const table = new NumberTable(kind)
  table.connect()
  if (kind === 'OFFICIAL') {
    const { attempt } = table.last('readChanges')
    table.say({ type: 'ChangesRead', attempt, changes: [] })
    table.say({ type: 'Send' })
  }
  table.say({ type: 'SendingReported', isBusy: false, wakes: 1 })
  return table
}

test('a session that connects looks for messages; one without a connection of its own only when some were announced', (t) => {
  const device = new NumberTable('UNOFFICIAL')
  t.deepEqual([device.all('wakeSending'), device.all('shutSending')], [[], []])
  t.like(device.connect().slice(-1), [{ type: 'wakeSending', wakes: 1 }])
  const platform = new NumberTable('OFFICIAL')
  t.false(typesOf(platform.connect()).includes('wakeSending'))
  t.like(platform.say({ type: 'Send' }), [{ type: 'wakeSending', wakes: 1, number: { id: 'num_1' } }])
  const announced = new NumberTable('OFFICIAL')
  announced.say({ type: 'Send' })
  t.true(typesOf(announced.connect()).includes('wakeSending'))
  t.false(announced.ready.sending.isWanted)
})

test('a report of sending from before it was last woken says nothing', (t) => {
  const table = atRest('OFFICIAL')
  t.false(table.ready.sending.isBusy)
  t.like(table.say({ type: 'Send' }), [
    { type: 'wakeSending', wakes: 2 },
    { type: 'cancelTimer', timer: 'idle' },
  ])
  t.deepEqual(table.say({ type: 'SendingReported', isBusy: false, wakes: 1 }), [])
  t.like(table.say({ type: 'SendingReported', isBusy: false, wakes: 2 }), [{ type: 'startTimer', timer: 'idle' }])
})

test('sending that crashes keeps the number, rests for 1 s, twice as long each time and 30 s at most, and is woken', (t) => {
  const table = atRest('OFFICIAL')
  for (const delayMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    t.deepEqual(table.say({ type: 'SendingCrashed' }).slice(0, 1), [{ type: 'startTimer', timer: 'sending', delayMs }])
    t.true(table.ready.sending.isBusy)
    t.deepEqual(table.say({ type: 'Send' }), [], 'it rests')
    t.deepEqual(table.say({ type: 'SendingReported', isBusy: false, wakes: table.last('wakeSending').wakes }), [])
    t.deepEqual(typesOf(table.say({ type: 'TimerFired', timer: 'sending' })), ['wakeSending'])
    t.like(table.ready.sending, { isBusy: true, isWanted: false, isResting: false })
  }
  table.say({ type: 'SendingReported', isBusy: false, wakes: table.last('wakeSending').wakes })
  t.like(table.say({ type: 'SendingCrashed' }), [{ type: 'startTimer', delayMs: 1_000 }, { type: 'cancelTimer' }])
})

test('sending that crashed is woken when the session opens, and not before it has rested', (t) => {
  const table = atRest('UNOFFICIAL')
  t.deepEqual(typesOf(table.hear({ type: 'state', seq: 9, state: 'CONNECTING', reason: null })).slice(0, 1), ['save'])
  table.saved()
  t.false(table.ready.sending.isOpen)
  table.say({ type: 'SendingCrashed' })
  t.false(typesOf(table.connect()).includes('wakeSending'))
  t.deepEqual(typesOf(table.say({ type: 'TimerFired', timer: 'sending' })), ['wakeSending'])
  const shut = atRest('UNOFFICIAL')
  shut.say({ type: 'SendingCrashed' })
  shut.hear({ type: 'state', seq: 9, state: 'CONNECTING', reason: null })
  shut.saved()
  t.deepEqual(shut.say({ type: 'TimerFired', timer: 'sending' }), [])
  t.like(shut.ready.sending, { isBusy: false, isWanted: true })
  t.true(typesOf(shut.connect()).includes('wakeSending'))
})

test('a number sends by new limits of the platform at once, and is not woken by the same ones', (t) => {
  const table = atRest('OFFICIAL')
  const { settings } = table.ready.number
  const apply = (messagingLimitTier: string | null, perSecond: number | null = null) =>
    table.say({ type: 'ApplySettings', askId: 1, settings, limits: { messagingLimitTier, perSecond } })
  t.deepEqual(typesOf(apply(null)), ['applySettings', 'startTimer'])
  t.like(apply('TIER_2K', 80), [
    { type: 'wakeSending', number: { official: { messagingLimitTier: 'TIER_2K', perSecond: 80 } } },
    { type: 'applySettings', askId: 1 },
    { type: 'cancelTimer' },
  ])
  t.deepEqual(typesOf(apply('TIER_2K', 80)), ['applySettings'])
  const device = atRest('UNOFFICIAL')
  const limits = { messagingLimitTier: 'TIER_2K', perSecond: null }
  t.deepEqual(typesOf(device.say({ type: 'ApplySettings', askId: 1, settings, limits })), ['applySettings'])
})
