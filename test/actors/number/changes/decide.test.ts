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
    const effect = this.effects.findLast(
      (one) => one.type === 'settleChanges' || one.type === 'setChangeAside',
    ) as NumberEffect & { type: 'settleChanges' | 'setChangeAside' }
    const positions = effect.type === 'settleChanges' ? effect.positions : [effect.position]
    return this.say({ type: 'ChangesSettled', attempt: effect.attempt, positions, outcome, fault })
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
  t.deepEqual(inbox.all('settleChanges'), [])
  t.like(inbox.say({ type: 'EventSettled', seq: -1 }), [{ type: 'settleChanges', positions: [5], events: [] }])
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
  t.like(inbox.receive(), [{ type: 'settleChanges', positions: [1] }, { type: 'readChanges' }])
  t.like(inbox.settled('failed', FAULT), [{ type: 'setChangeAside', position: 1, fault: FAULT }])
  t.deepEqual(
    inbox.ready.inbox.open.map(({ fault }) => fault),
    [FAULT, null],
  )
  const { attempt } = inbox.last('setChangeAside')
  t.deepEqual(
    inbox.say({ type: 'ChangesSettled', attempt: attempt - 1, positions: [1], outcome: 'fenced', fault: null }),
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

const GRANTED: ReadEvent = {
  type: 'permissionChanged',
  peer: '5511990000001',
  status: 'granted',
  expiresAt: null,
  at: null,
} as never

test('changes that are done go in one write, those with events of their own alone, and none before an earlier one', (t) => {
  const inbox = new Inbox()
  const page = [change(1), change(2, []), change(3), change(4, [GRANTED]), change(5, [GRANTED]), change(6, [], FAULT)]
  inbox.read([...page, change(7, []), change(8, []), change(9)])
  t.deepEqual(inbox.all('settleChanges'), [], 'the first is not done')
  t.like(inbox.say({ type: 'EventSettled', seq: -1 }), [{ type: 'settleChanges', positions: [1, 2], events: [] }])
  t.deepEqual(typesOf(inbox.say({ type: 'EventSettled', seq: -2 })), [], 'one write at a time')
  t.like(inbox.settled(), [{ type: 'settleChanges', positions: [3], events: [] }])
  for (const position of [4, 5]) {
    const [write] = inbox.settled('gone')
    t.like(write, { type: 'settleChanges', positions: [position] })
    t.is((write as NumberEffect & { type: 'settleChanges' }).events.length, 1)
  }
  t.like(inbox.settled(), [{ type: 'setChangeAside', position: 6 }])
  t.like(inbox.settled(), [{ type: 'settleChanges', positions: [7, 8] }])
  t.deepEqual(typesOf(inbox.settled('failed', FAULT)), [], 'nobody knows which of the two is at fault')
  t.like(inbox.receive()[0], { type: 'settleChanges', positions: [7, 8] })
  inbox.settled()
  t.deepEqual(
    inbox.ready.inbox.open.map(({ position }) => position),
    [9],
  )
})

test('no more than 300 changes are open, and the next are read when half of them are settled', (t) => {
  const inbox = new Inbox()
  const page = (from: number) => Array.from({ length: CHANGES_PAGE }, (_, n) => change(from + n))
  t.is(inbox.read(page(1)).at(-1)?.type, 'readChanges')
  t.is(inbox.read(page(101)).at(-1)?.type, 'readChanges')
  t.is(inbox.read(page(201)).at(-1)?.type, 'namePeer', `${OPEN_CHANGES} are open`)
  const stored = (from: number, to: number) => {
    for (let at = from; at <= to; at++) inbox.say({ type: 'EventSettled', seq: -at })
  }
  stored(1, OPEN_CHANGES / 2 - 1)
  t.like(inbox.settled(), [{ type: 'settleChanges', positions: Array.from({ length: 148 }, (_, n) => n + 2) }])
  t.deepEqual(typesOf(inbox.settled()), [], 'more than half are open')
  stored(150, 151)
  t.deepEqual(typesOf(inbox.settled()), ['settleChanges', 'readChanges'])
  stored(152, 152)
  t.deepEqual(typesOf(inbox.settled()), ['settleChanges'], 'it is being read')
  inbox.read([])
  stored(153, 153)
  t.deepEqual(typesOf(inbox.settled()), ['settleChanges'], 'it was told of no more')
})
