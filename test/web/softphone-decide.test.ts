import test from 'ava'
import { decide } from '../../web/dashboard/softphone/call/decide.ts'
import type { Decided, PhoneCall, PhoneEvent, PhoneState } from '../../web/dashboard/softphone/call/state.ts'

const OUT: PhoneCall = { id: 'call_out', numberId: 'num_1', direction: 'OUTBOUND', peer: '491700000001' }
const IN: PhoneCall = { id: 'call_in', numberId: 'num_1', direction: 'INBOUND', peer: '491700000002' }
const IDLE: PhoneState = { at: 'idle' }

function after(events: readonly PhoneEvent[], from: PhoneState = IDLE): Decided {
  return events.reduce<Decided>((decided, event) => decide(decided.state, event), { state: from, effects: [] })
}

const dial: PhoneEvent = { type: 'dial', numberId: 'num_1', to: OUT.peer }
const placed: PhoneEvent = { type: 'placed', call: OUT, status: 'INITIATED' }
const tells = (call: PhoneCall, status: string, error: string | null = null): PhoneEvent => ({
  type: 'told',
  call,
  status,
  error,
})
const closes = (code: number, atMs = 0): PhoneEvent => ({ type: 'socketClosed', code, atMs })

test('a dialled call is placed, gets its socket before the answer, and follows the statuses to its end', (t) => {
  t.deepEqual(after([dial]).effects, [{ do: 'place', numberId: 'num_1', to: OUT.peer }])
  t.deepEqual(after([dial, placed]).effects, [{ do: 'openSession', call: OUT }])
  const talking = after([dial, placed, { type: 'socketOpened' }, tells(OUT, 'RINGING'), tells(OUT, 'ACCEPTED')])
  t.like(talking.state, { at: 'live', status: 'ACCEPTED', link: { at: 'open' } })
  t.deepEqual(after([tells(OUT, 'COMPLETED')], talking.state), {
    state: { at: 'ended', call: OUT, ending: { kind: 'status', status: 'COMPLETED', error: null } },
    effects: [{ do: 'release' }],
  })
})

test('a status that comes late, because the stream is behind the socket, does not turn the call back', (t) => {
  t.like(after([dial, placed, tells(OUT, 'ACCEPTED'), tells(OUT, 'RINGING')]).state, { status: 'ACCEPTED' })
})

// [dashboard.softphone.9]
test('a call whose socket the page may not open is hung up, whatever the socket says after it', (t) => {
  const barred = after([dial, placed, { type: 'barred' }])
  t.deepEqual(barred, {
    state: { at: 'ended', call: OUT, ending: { kind: 'barred' } },
    effects: [{ do: 'terminate', call: OUT }, { do: 'release' }],
  })
  t.deepEqual(after([closes(1006)], barred.state), { state: barred.state, effects: [] })
  t.is(after([dial, placed, closes(1006), { type: 'barred' }, { type: 'retry' }]).state.at, 'ended')
  t.deepEqual(after([{ type: 'barred' }]).state, IDLE)
})

test('a call that the service refuses is over with its words', (t) => {
  const fault = { kind: 'INVALID', code: 'INVALID_PHONE', said: 'no number' } as const
  const refused: PhoneEvent = { type: 'refused', fault }
  t.deepEqual(after([dial, refused]).state, {
    at: 'ended',
    call: null,
    ending: { kind: 'refused', fault },
  })
  t.like(after([dial, refused, dial]).state, { at: 'placing' }, 'and another can be dialled')
})

test('who hangs up before the service answered the dialling ends the call as soon as it has', (t) => {
  t.deepEqual(after([dial, { type: 'hangup' }, placed]), {
    state: IDLE,
    effects: [{ do: 'terminate', call: OUT }, { do: 'release' }],
  })
})

test('an inbound call rings, and is answered with a socket or declined', (t) => {
  const rings = after([tells(IN, 'RINGING')])
  t.like(rings.state, { at: 'live', status: 'RINGING', link: { at: 'none' } })
  t.deepEqual(after([{ type: 'accept' }], rings.state).effects, [{ do: 'accept', call: IN }])
  t.deepEqual(after([{ type: 'accept' }, { type: 'accepted' }], rings.state).effects, [{ do: 'openSession', call: IN }])
  t.deepEqual(after([{ type: 'accept' }, { type: 'accept' }], rings.state).effects, [], 'once')
  t.deepEqual(after([{ type: 'reject' }], rings.state).effects, [{ do: 'reject', call: IN }])
})

test('a call that rings while another is on is left to others, and so is one that somebody dials elsewhere', (t) => {
  const busy = after([dial, placed])
  t.is(decide(busy.state, tells(IN, 'RINGING')).state, busy.state)
  t.is(decide(IDLE, tells(OUT, 'RINGING')).state, IDLE)
  t.is(decide(IDLE, tells(IN, 'ACCEPTED')).state, IDLE, 'answered elsewhere before it was seen here')
})

// [dashboard.softphone.8]
test('a lost socket asks for a new session at growing distances, until the 30 s of grace are over', (t) => {
  let { state } = after([dial, placed, { type: 'socketOpened' }, tells(OUT, 'ACCEPTED')])
  const waits: number[] = []
  let atMs = 1_000
  const first = decide(state, closes(1006, atMs))
  state = first.state
  for (let effects = first.effects; ;) {
    const [effect] = effects
    if (effect?.do !== 'retryIn') break
    waits.push(effect.ms)
    atMs += effect.ms
    t.deepEqual(decide(state, { type: 'retry' }).effects, [{ do: 'openSession', call: OUT }])
    ;({ state, effects } = decide(state, { type: 'sessionRefused', isOver: false, atMs }))
  }
  t.deepEqual(waits.slice(0, 6), [250, 500, 1_000, 2_000, 4_000, 4_000])
  t.is(atMs >= 31_000 && atMs < 35_000, true)
  t.deepEqual(state, { at: 'ended', call: OUT, ending: { kind: 'lost' } })
})

// [dashboard.softphone.8]
test('a session that came in time goes on with the call, and the next loss has a grace of its own', (t) => {
  const again = after([dial, placed, closes(1006, 0), { type: 'retry' }, { type: 'socketOpened' }])
  t.like(again.state, { at: 'live', link: { at: 'open' } })
  t.deepEqual(decide(again.state, closes(1006, 40_000)).effects, [{ do: 'retryIn', ms: 250 }])
})

// [dashboard.softphone.8] [realtime.closing.12]
test('a page whose call another took over says so, and takes it back only when it is told to', (t) => {
  const taken = after([dial, placed, { type: 'socketOpened' }, closes(4409)])
  t.like(taken.state, { at: 'live', link: { at: 'taken' } })
  t.deepEqual(taken.effects, [{ do: 'release' }])
  t.deepEqual(decide(taken.state, { type: 'retry' }).effects, [])
  t.deepEqual(decide(taken.state, { type: 'takeBack' }).effects, [{ do: 'openSession', call: OUT }])
})

// [realtime.closing.3] [realtime.closing.13]
for (const code of [1000, 4410])
  test(`after close code ${code} no session is asked for, and the status tells how the call ended`, (t) => {
    const over = after([dial, placed, { type: 'socketOpened' }, closes(code)])
    t.deepEqual(over.effects, [{ do: 'release' }])
    t.like(after([tells(OUT, 'REJECTED', 'BUSY')], over.state).state, {
      at: 'ended',
      ending: { kind: 'status', status: 'REJECTED', error: 'BUSY' },
    })
  })

test('hanging up asks the service, whose status then ends the call', (t) => {
  const live = after([dial, placed])
  const asked = decide(live.state, { type: 'hangup' })
  t.deepEqual(asked.effects, [{ do: 'terminate', call: OUT }])
  t.is(asked.state, live.state)
})

test('how a call ended is shown until it is dismissed', (t) => {
  const over = after([dial, placed, tells(OUT, 'MISSED')])
  t.is(over.state.at, 'ended')
  t.deepEqual(decide(over.state, { type: 'dismiss' }).state, IDLE)
  t.is(decide(IDLE, { type: 'dismiss' }).state, IDLE)
})

test('a call that somebody else answers stops ringing here, and who comes second asks for no session', (t) => {
  const rings = after([tells(IN, 'RINGING')])
  t.deepEqual(decide(rings.state, tells(IN, 'ACCEPTED')), { state: IDLE, effects: [] })
  const fault = { kind: 'REFUSED', code: 'CALL_INVALID_STATE' } as const
  const second = after([{ type: 'accept' }, { type: 'refused', fault }], rings.state)
  t.deepEqual(second, {
    state: { at: 'ended', call: IN, ending: { kind: 'refused', fault } },
    effects: [{ do: 'release' }],
  })
})

// [dashboard.softphone.11]
test('a call that a bot has is taken over, and given back unless the bot is gone; a call that is on is kept', (t) => {
  const takeOver: PhoneEvent = { type: 'takeOver', call: IN, status: 'ACCEPTED' }
  const taken = after([takeOver])
  t.deepEqual(taken.effects, [{ do: 'takeOver', call: IN }])
  const talking = after([{ type: 'socketOpened' }], taken.state).state
  t.like(talking, { at: 'live', status: 'ACCEPTED', link: { at: 'open' }, hasBot: true })
  t.deepEqual(after([{ type: 'giveBack' }], talking).effects, [{ do: 'giveBack', call: IN }])
  t.deepEqual(after([{ type: 'givenBack', isRefused: false }], talking), { state: IDLE, effects: [{ do: 'release' }] })
  const kept = after([{ type: 'givenBack', isRefused: true }], talking).state
  t.false('hasBot' in kept)
  t.deepEqual(after([{ type: 'giveBack' }], kept).effects, [])
  t.deepEqual(after([{ ...takeOver, status: 'COMPLETED' }]), { state: IDLE, effects: [] })
  t.deepEqual(after([dial, placed, takeOver]).effects, [])
})
