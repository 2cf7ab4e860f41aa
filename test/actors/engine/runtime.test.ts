import test from 'ava'
import type { ActorRef, Behaviour, Self } from '../../../actors/engine/runtime.ts'
import { createRuntime, INTERRUPTED, STOPPED } from '../../../actors/engine/runtime.ts'
import { succeed } from '../../../src/domain/errors.ts'
import type { Log } from '../../../src/ports/log.ts'
import type { Metrics } from '../../../src/ports/metrics.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { noMetrics, silentLog } from '../../helpers/silent.ts'
import { until } from '../../helpers/until.ts'
import { settled } from '../rig.ts'

type Word =
  | { readonly type: 'Add'; readonly askId: number; readonly by: number }
  | { readonly type: 'Throw'; readonly askId: number | null; readonly secret: string }
  | { readonly type: 'Ignore'; readonly askId: number }
  | { readonly type: 'Stop' }
  | { readonly type: 'Note'; readonly text: string }

function counting(
  undelivered: Word[] = [],
  onCrash: (state: number, self: Self<Word>) => number | null = (state) => state,
): Behaviour<number, Word> {
  return {
    kind: 'counter',
    initial: 0,
    receive(state, message, self) {
      if (message.type === 'Throw') throw Object.assign(new TypeError(message.secret), {})
      if (message.type === 'Stop') self.stop()
      if (message.type !== 'Add') return state
      self.reply(message.askId, succeed(state + message.by))
      return state + message.by
    },
    crashed: onCrash,
    undelivered: (message) => void undelivered.push(message),
  }
}

function rig(options: { log?: Log; metrics?: Metrics; mailboxLimit?: number } = {}) {
  const clock = new FakeClock()
  return { clock, runtime: createRuntime({ clock, log: silentLog, metrics: noMetrics, ...options }) }
}

const add =
  (by: number) =>
  (askId: number): Word => ({ type: 'Add', askId, by })

test('asks are handled one after the other, each on the state the one before left', async (t) => {
  const { runtime } = rig()
  const actor = runtime.spawn('a', counting())
  const answers = await Promise.all([1, 2, 3].map((by) => actor.ask<number>(add(by), 1_000)))
  t.deepEqual(
    answers,
    [1, 3, 6].map((value) => succeed(value)),
  )
})

test('a throw answers its asker at once with INTERNAL, and the actor goes on with the state it had', async (t) => {
  const { runtime } = rig()
  const actor = runtime.spawn('a', counting())
  await actor.ask(add(5), 1_000)
  t.like(await actor.ask((askId) => ({ type: 'Throw', askId, secret: 'x' }), 1_000), {
    ok: false,
    error: { code: 'INTERNAL' },
  })
  t.deepEqual(await actor.ask<number>(add(1), 1_000), succeed(6))
})

test('the crash log names actor, message type and error code, and nothing the message or the error said', async (t) => {
  const lines: unknown[] = []
  const { runtime } = rig({ log: { ...silentLog, error: (fields, message) => void lines.push({ fields, message }) } })
  const actor = runtime.spawn('num_1', counting())
  await actor.ask((askId) => ({ type: 'Throw', askId, secret: '+5511999990001' }), 1_000)
  t.deepEqual(lines, [
    { fields: { actor: 'num_1', messageType: 'Throw', errorCode: 'TypeError' }, message: 'actor crashed' },
  ])
})

test('an actor that gives up after a crash answers all who wait', async (t) => {
  const { runtime } = rig()
  const actor = runtime.spawn(
    'a',
    counting([], () => null),
  )
  const waiting = actor.ask((askId) => ({ type: 'Ignore', askId }), 1_000)
  const crashing = actor.ask((askId) => ({ type: 'Throw', askId, secret: 'x' }), 1_000)
  t.like(await crashing, { ok: false, error: { code: 'INTERNAL' } })
  t.is(await waiting, INTERRUPTED)
  t.true(actor.isStopped)
  t.is(runtime.count(), 0)
})

test('a crash policy that throws as well stops the actor instead of the process', async (t) => {
  const { runtime } = rig()
  const actor = runtime.spawn(
    'a',
    counting([], () => {
      throw new Error('again')
    }),
  )
  actor.tell({ type: 'Throw', askId: null, secret: 'x' })
  await settled()
  t.true(actor.isStopped)
})

test('a full mailbox answers BUSY at once and keeps what it holds', async (t) => {
  const { runtime } = rig({ mailboxLimit: 2 })
  const actor = runtime.spawn('a', counting())
  const answers = await Promise.all([1, 1, 1].map((by) => actor.ask<number>(add(by), 1_000)))
  t.deepEqual(answers.slice(0, 2), [succeed(1), succeed(2)])
  t.like(answers[2], { ok: false, error: { code: 'BUSY', retryAfterSeconds: 1 } })
})

test('the most messages that ever waited for one actor are known', async (t) => {
  const { runtime } = rig()
  t.is(runtime.mostWaiting(), 0)
  const [actor, other] = [runtime.spawn('a', counting()), runtime.spawn('b', counting())]
  for (const text of ['1', '2', '3']) actor.tell({ type: 'Note', text })
  other.tell({ type: 'Note', text: '4' })
  await settled()
  actor.tell({ type: 'Note', text: '5' })
  t.is(runtime.mostWaiting(), 3)
})

test('asks that an actor holds back count as waiting', async (t) => {
  const { runtime } = rig({ mailboxLimit: 2 })
  const actor = runtime.spawn('a', counting())
  const held = [1, 2].map(() => actor.ask((askId) => ({ type: 'Ignore', askId }), 1_000))
  await settled()
  t.like(await actor.ask(add(1), 1_000), { ok: false, error: { code: 'BUSY' } })
  actor.stop()
  t.deepEqual(await Promise.all(held), [INTERRUPTED, INTERRUPTED])
})

test('a mailbox holds ten times as many events as asks; events beyond that are given back', async (t) => {
  const given: Word[] = []
  const { runtime } = rig({ mailboxLimit: 1 })
  const actor = runtime.spawn('a', counting(given))
  const taken = Array.from({ length: 12 }, (_, i) => actor.tell({ type: 'Note', text: String(i) }))
  t.deepEqual(taken.filter(Boolean).length, 10)
  t.deepEqual(
    given.map((word) => word.type === 'Note' && word.text),
    ['10', '11'],
  )
})

test('a stopped actor answers later asks STOPPED and gives messages back', async (t) => {
  const given: Word[] = []
  const { runtime } = rig()
  const actor = runtime.spawn('a', counting(given))
  actor.tell({ type: 'Stop' })
  actor.tell({ type: 'Note', text: 'waiting' })
  const waiting = actor.ask(add(1), 1_000)
  await settled()
  t.is(await waiting, STOPPED)
  t.is(await actor.ask(add(1), 1_000), STOPPED)
  t.false(actor.tell({ type: 'Note', text: 'late' }))
  t.deepEqual(
    given.map((word) => word.type === 'Note' && word.text),
    ['waiting', 'late'],
  )
})

test('stopping twice is one stop, and a name can be used again at once', async (t) => {
  const { runtime } = rig()
  const actor = runtime.spawn('a', counting())
  actor.stop()
  actor.stop()
  const next = runtime.spawn('a', counting())
  t.deepEqual(await next.ask<number>(add(1), 1_000), succeed(1))
  t.is(runtime.count(), 1)
})

test('an ask nobody answers ends with TIMEOUT, and a late answer is dropped', async (t) => {
  const { runtime, clock } = rig()
  const actor = runtime.spawn('a', counting())
  const asked = actor.ask((askId) => ({ type: 'Ignore', askId }), 20_000)
  await settled()
  clock.advance(20_000)
  t.like(await asked, { ok: false, error: { code: 'TIMEOUT' } })
})

test('messages, crashes and refused asks are counted by kind', async (t) => {
  const counts = new Map<string, number>()
  const metrics: Metrics = {
    ...noMetrics,
    counter: (name) => ({
      add: (labels) => void counts.set(`${name} ${labels?.kind}`, (counts.get(`${name} ${labels?.kind}`) ?? 0) + 1),
    }),
  }
  const { runtime } = rig({ metrics, mailboxLimit: 2 })
  const actor = runtime.spawn('a', counting())
  await Promise.all([
    actor.ask(add(1), 1_000),
    actor.ask((askId) => ({ type: 'Throw', askId, secret: 'x' }), 1_000),
    actor.ask(add(1), 1_000),
  ])
  t.deepEqual(Object.fromEntries(counts), {
    'actor_messages_total counter': 2,
    'actor_crashes_total counter': 1,
    'actor_asks_refused_total counter': 1,
  })
})

test('closing the runtime stops every actor', async (t) => {
  const { runtime } = rig()
  const actors = ['a', 'b'].map((name) => runtime.spawn(name, counting()))
  runtime.close()
  t.true(actors.every((actor) => actor.isStopped))
  t.is(runtime.count(), 0)
})

test('a runtime that forgets its actors hands them nothing any more, and tells them nothing of it', async (t) => {
  const { runtime } = rig()
  const seen: string[] = []
  const actor = runtime.spawn<number, Word>('a', {
    ...counting(),
    receive(state, message) {
      if (message.type === 'Note') seen.push(message.text)
      return state
    },
    undelivered: ({ type }) => void seen.push(`not ${type}`),
  })
  actor.tell({ type: 'Note', text: 'one' })
  await until('the first message was heard', () => seen.length === 1)
  runtime.forget()
  actor.tell({ type: 'Note', text: 'two' })
  await settled()
  t.deepEqual(seen, ['one'])
  t.is(runtime.count(), 0)
})

test('a child goes on to its own end after its parent stopped', async (t) => {
  const { runtime } = rig()
  let child: ActorRef<Word> | null = null
  const parent = runtime.spawn<number, Word>('number', {
    ...counting(),
    receive(state, _, self) {
      child ??= self.spawn('call', counting())
      return state
    },
  })
  parent.tell({ type: 'Note', text: 'spawn' })
  const begun = await until('the child is there', () => child)
  parent.stop()
  await settled()
  t.deepEqual(await begun.ask<number>(add(1), 1_000), succeed(1))
  t.is(runtime.count(), 1)
  begun.stop()
  await settled()
  t.is(runtime.count(), 0)
})

test('the crash log names a child by its place in the tree', async (t) => {
  const actors: unknown[] = []
  const { runtime } = rig({ log: { ...silentLog, error: ({ actor }: any) => void actors.push(actor) } })
  const parent = runtime.spawn<number, Word>('num_1', {
    ...counting(),
    receive(state, _, self) {
      self.spawn('call_1', counting()).tell({ type: 'Throw', askId: null, secret: 'x' })
      return state
    },
  })
  parent.tell({ type: 'Note', text: 'spawn' })
  await until('the child crashed', () => actors.length > 0)
  t.deepEqual(actors, ['num_1/call_1'])
})

test('closing the runtime stops children and parents alike', async (t) => {
  const { runtime } = rig()
  const children: ActorRef<Word>[] = []
  const parent = runtime.spawn<number, Word>('number', {
    ...counting(),
    receive(state, _, self) {
      children.push(self.spawn('call', counting()))
      return state
    },
  })
  parent.tell({ type: 'Note', text: 'one' })
  parent.tell({ type: 'Note', text: 'two' })
  await until('both are there', () => children.length === 2)
  runtime.close()
  t.true(children.every(({ isStopped }) => isStopped))
  t.is(runtime.count(), 0)
})
