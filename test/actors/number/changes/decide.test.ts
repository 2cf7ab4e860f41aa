import test from 'ava'
import { CHANGES_PAGE } from '../../../../actors/number/changes/decide.ts'
import type { ReadChange, ReadEvent, SettleOutcome } from '../../../../actors/number/changes/messages.ts'
import type { NumberEffect } from '../../../../actors/number/state.ts'
import type { Fault } from '../../../../src/domain/set-aside.ts'
import { NumberTable } from '../table.ts'

const [OPEN_CHANGES, STALE_MS] = [300, 30_000]
const FAULT = { reason: 'ODD', tries: 1 }
const NAMED: ReadEvent = { type: 'peerNamed', addresses: ['551199', 'BR.1'] }
const FAILING: ReadEvent = {
  type: 'callsFailing',
  failures: [131_044, 138_000].map((code) => ({ code, message: 'No' })) as never,
}

function change(position: number, events: readonly ReadEvent[] = [NAMED], fault: Fault | null = null): ReadChange {
  return { position, receivedAt: new Date(0), events, fault }
}

/** A number of the official platform, which reads its changes when it begins. */
class Inbox extends NumberTable {
  constructor() {
    super('OFFICIAL')
    this.connect()
  }

  read(changes: readonly ReadChange[] | null): NumberEffect[] {
    return this.say({ type: 'ChangesRead', attempt: this.last('readChanges').attempt, changes })
  }

  settled(outcome: SettleOutcome = 'applied', fault: Fault | null = null): NumberEffect[] {
    const { attempt, position } = this.effects.findLast(
      (effect) => effect.type === 'settleChange' || effect.type === 'setChangeAside',
    ) as NumberEffect & { type: 'settleChange' }
    return this.say({ type: 'ChangeSettled', attempt, position, outcome, fault })
  }

  /** Changes wait, and upstream told so. */
  receive(): NumberEffect[] {
    return this.say({ type: 'Receive' })
  }
}

const typesOf = (effects: readonly NumberEffect[]) => effects.map(({ type }) => type)

test('a number reads its changes when it begins, and again when it was told of more meanwhile', (t) => {
  const inbox = new Inbox()
  t.is(inbox.all('readChanges').length, 1)
  t.deepEqual(typesOf(inbox.read([])), ['startTimer'], 'it may rest')
  inbox.receive()
  t.deepEqual(typesOf(inbox.receive()), [], 'one read at a time')
  t.deepEqual(typesOf(inbox.read([])), ['readChanges'])
  t.deepEqual(typesOf(inbox.read(null)), ['startTimer'])
})

test('an event of a change has a number below zero, and the change is settled once it is stored', (t) => {
  const inbox = new Inbox()
  const made = inbox.read([change(5, [NAMED, FAILING])])
  t.like(made, [
    { type: 'namePeer', seq: -1, peer: { addresses: ['551199', 'BR.1'] } },
    { type: 'reportFailing', codes: [131_044, 138_000] },
  ])
  t.deepEqual(inbox.all('settleChange'), [])
  t.like(inbox.say({ type: 'EventSettled', seq: -1 }), [{ type: 'settleChange', position: 5, events: [] }])
  t.deepEqual(typesOf(inbox.receive()), ['readChanges'])
  inbox.read([])
  t.deepEqual(inbox.all('startTimer').length, 0, 'while it settles it does not rest')
  t.deepEqual(typesOf(inbox.settled()), ['startTimer'])
  t.like(inbox.receive()[0], { type: 'readChanges', after: 0 }, 'one may be stored late under a lower position')
})

test('a vote in a poll that was held is told, and one of a group that is ignored is settled', (t) => {
  const inbox = new Inbox()
  const vote = {
    type: 'pollVoted',
    externalMessageId: 'poll',
    messageId: null,
    from: '551199',
    fromName: null,
    options: ['Yes'],
    at: new Date(0),
  } as const
  const group = { id: 'g1', name: null }
  t.like(inbox.read([change(1, [{ ...vote, group }])]), [{ type: 'tellVote', seq: -1, numberId: 'num_1' }])
  const ignoring = new Inbox()
  ignoring.say({
    type: 'ApplySettings',
    askId: 1,
    settings: { ...ignoring.ready.number.settings, ignoreGroups: true },
  })
  t.like(
    ignoring.read([
      change(1, [
        { ...vote, group },
        { ...vote, group: null },
      ]),
    ]),
    [
      { type: 'settle', seq: -1 },
      { type: 'tellVote', seq: -2 },
    ],
  )
})

test('a change that is read again while it is open is handled once', (t) => {
  const inbox = new Inbox()
  inbox.read([change(1)])
  inbox.receive()
  t.deepEqual(typesOf(inbox.read([change(1), change(2)])), ['namePeer'])
  t.deepEqual(
    inbox.ready.inbox.open.map(({ position }) => position),
    [1, 2],
  )
})

test('the first fault of a change stays, and has it set aside', (t) => {
  const inbox = new Inbox()
  inbox.read([change(1, [NAMED, NAMED], FAULT), change(2)])
  inbox.say({ type: 'EventSettled', seq: -1, fault: { reason: 'LATER', tries: 1 } })
  t.like(inbox.say({ type: 'EventSettled', seq: -2 }), [{ type: 'setChangeAside', position: 1, fault: FAULT }])
  inbox.settled()
  t.like(inbox.say({ type: 'EventSettled', seq: -3, fault: FAULT }), [{ type: 'setChangeAside', position: 2 }])
})

test('a change that cannot be settled is tried again when the number is woken; one that never can is set aside', (t) => {
  const inbox = new Inbox()
  inbox.read([change(1, []), change(2)])
  t.deepEqual(typesOf(inbox.settled('failed')), [])
  t.like(inbox.receive(), [{ type: 'settleChange', position: 1 }, { type: 'readChanges' }])
  t.like(inbox.settled('failed', FAULT), [{ type: 'setChangeAside', position: 1, fault: FAULT }])
  t.deepEqual(
    inbox.ready.inbox.open.map(({ fault }) => fault),
    [FAULT, null],
  )
  const { attempt } = inbox.last('setChangeAside')
  t.deepEqual(
    inbox.say({ type: 'ChangeSettled', attempt: attempt - 1, position: 1, outcome: 'fenced', fault: null }),
    [],
  )
  inbox.settled()
  t.is(inbox.ready.inbox.open.length, 1)
})

test('a number that is another node’s by now stops over its changes, and its calls go on there', (t) => {
  const inbox = new Inbox()
  inbox.read([change(1, [])])
  t.deepEqual(inbox.settled('fenced'), [
    { type: 'endCalls', how: 'fence' },
    { type: 'stop', why: 'fenced' },
  ])
})

test('the oldest change is handed out again after 30 s, and set aside after the third time', (t) => {
  const inbox = new Inbox()
  inbox.read([change(1)])
  inbox.nowMs += STALE_MS - 1
  t.like(inbox.receive(), [{ type: 'readChanges', after: 1 }])
  inbox.read([])
  for (const times of [1, 2]) {
    inbox.nowMs += times === 1 ? 1 : STALE_MS
    t.like(inbox.receive(), [{ type: 'readChanges', after: 0 }], `for the ${times}. time`)
    t.deepEqual(typesOf(inbox.read([change(1)])), ['namePeer'])
  }
  inbox.nowMs += STALE_MS
  t.like(inbox.receive(), [{ type: 'setChangeAside', position: 1, fault: { reason: 'STUCK', tries: 3 } }])
})

test('a change that is being settled is not handed out again, however long that takes', (t) => {
  const inbox = new Inbox()
  inbox.read([change(1, [])])
  inbox.nowMs += STALE_MS
  t.like(inbox.receive(), [{ type: 'readChanges', after: 1 }])
})

test('no more than 300 changes are open, and the next are read when half of them are settled', (t) => {
  const inbox = new Inbox()
  const page = (from: number) => Array.from({ length: CHANGES_PAGE }, (_, n) => change(from + n, n < 99 ? [] : [NAMED]))
  t.deepEqual(typesOf(inbox.read(page(1))), ['namePeer', 'settleChange', 'readChanges'])
  t.deepEqual(typesOf(inbox.read(page(101))), ['namePeer', 'readChanges'])
  t.deepEqual(typesOf(inbox.read(page(201))), ['namePeer'], `${OPEN_CHANGES} are open`)
  for (const seq of [-1, -2, -3]) inbox.say({ type: 'EventSettled', seq })
  while (inbox.ready.inbox.open.length > OPEN_CHANGES / 2 + 1) t.deepEqual(typesOf(inbox.settled()), ['settleChange'])
  t.deepEqual(typesOf(inbox.settled()), ['settleChange', 'readChanges'])
  t.deepEqual(typesOf(inbox.settled()), ['settleChange'], 'it is being read')
  inbox.read([])
  t.deepEqual(typesOf(inbox.settled()), ['settleChange'], 'it was told of no more')
})
