import test from 'ava'
import type { SequencedEvent } from '../../protocol/engine-event.ts'
import { Outbox, type GatewaySocket } from '../../session/outbox.ts'
import type { EventStore } from '../../store/events.ts'

/** Lets everything run that waits for nothing but promises. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Events whose reads are answered when the test says so, with what is stored by the time of asking. */
function slowEvents() {
  const stored: SequencedEvent[] = []
  const reads: (() => void)[] = []
  const events = {
    add: async (added: readonly { ev: string }[]) => {
      const sequenced = added.map((event, place) => ({ ...event, seq: stored.length + 1 + place }))
      stored.push(...sequenced)
      return sequenced
    },
    number: (event: { ev: string }) => ({ ...event, seq: 1_000 }),
    after: (seq: number, most: number) => {
      const found = stored.filter((event) => event.seq > seq).slice(0, most)
      return new Promise((resolve) => reads.push(() => resolve(found)))
    },
    waiting: 0,
  }
  return {
    events: events as unknown as EventStore,
    /** Answers all reads that were asked for until now. */
    async answer() {
      for (const read of reads.splice(0)) read()
      await settle()
    },
    get asked() {
      return reads.length
    },
  }
}

function socketInto(sent: unknown[]): GatewaySocket {
  return {
    send: (message) => sent.push((message as SequencedEvent).seq),
    bufferedBytes: 0,
    replace: () => {},
    mute: () => () => {},
  }
}

function outboxOver(events: EventStore): Outbox {
  return new Outbox(events, (event) => event, {
    limit: 100,
    full: () => {},
    failed: (error) => {
      throw error
    },
  })
}

test('an event that is stored while the ones before it are read is sent too, each once and in order', async (t) => {
  const store = slowEvents()
  const outbox = outboxOver(store.events)
  const sent: unknown[] = []
  outbox.attach(socketInto(sent))
  outbox.start()
  await outbox.add([{ ev: 'a' }])
  await outbox.add([{ ev: 'b' }])
  t.is(store.asked, 1, 'one read at a time')
  while (store.asked > 0) await store.answer()
  t.deepEqual(sent, [1, 2])
})

test('events that follow what was sent are sent without being read', async (t) => {
  const store = slowEvents()
  const outbox = outboxOver(store.events)
  const sent: unknown[] = []
  outbox.attach(socketInto(sent))
  await outbox.add([{ ev: 'a' }])
  t.deepEqual(sent, [], 'the session has not started')
  outbox.start()
  await store.answer()
  t.is(store.asked, 0, 'one read is enough')
  await outbox.add([{ ev: 'b' }, { ev: 'c' }])
  await outbox.add([{ ev: 'd' }])
  t.is(store.asked, 0)
  t.deepEqual(sent, [1, 2, 3, 4])
})

test('events that wait for the buffer of the socket are read once it is empty, those that came meanwhile too', async (t) => {
  const store = slowEvents()
  const outbox = outboxOver(store.events)
  const sent: unknown[] = []
  const released: (() => void)[] = []
  const send: GatewaySocket['send'] = (message, done) => {
    sent.push((message as SequencedEvent).seq)
    if (done) released.push(done)
  }
  let bufferedBytes = 0
  outbox.attach({
    send,
    get bufferedBytes() {
      return bufferedBytes
    },
    replace: () => {},
    mute: () => () => {},
  })
  outbox.start()
  await store.answer()
  bufferedBytes = 2 ** 21
  await outbox.add([{ ev: 'a' }, { ev: 'b' }])
  await outbox.add([{ ev: 'c' }])
  t.deepEqual(sent, [1], 'the first one filled it')
  bufferedBytes = 0
  for (const done of released) done()
  while (store.asked > 0) await store.answer()
  t.deepEqual(sent, [1, 2, 3])
})

test('events that were read for a socket that was replaced meanwhile go to the new one from the first on, once it started', async (t) => {
  const store = slowEvents()
  const outbox = outboxOver(store.events)
  const [older, newer]: [unknown[], unknown[]] = [[], []]
  outbox.attach(socketInto(older))
  await outbox.add([{ ev: 'a' }, { ev: 'b' }])
  outbox.start()
  outbox.attach(socketInto(newer))
  await store.answer()
  t.is(store.asked, 0)
  t.deepEqual(older, [1_000], 'only that it was replaced')
  t.deepEqual(newer, [])
  outbox.start()
  while (store.asked > 0) await store.answer()
  t.deepEqual(newer, [1, 2])
})

test('when events cannot be read the number goes on: they are sent with the next ones', async (t) => {
  const store = slowEvents()
  const failures: unknown[] = []
  let isBroken = true
  const { after } = store.events
  const events = {
    ...store.events,
    after: (seq: number, most: number) => (isBroken ? Promise.reject(new Error('no')) : after(seq, most)),
  }
  const outbox = new Outbox(events, (event) => event, {
    limit: 100,
    full: () => {},
    failed: (error) => failures.push(error),
  })
  const sent: unknown[] = []
  outbox.attach(socketInto(sent))
  await outbox.add([{ ev: 'a' }])
  outbox.start()
  await settle()
  t.is(failures.length, 1)
  isBroken = false
  await outbox.add([{ ev: 'b' }])
  while (store.asked > 0) await store.answer()
  t.deepEqual(sent, [1, 2])
})

test('an acknowledgement that comes while the commit of an earlier one is under way is written too', async (t) => {
  const store = slowEvents()
  const written: number[] = []
  const commits: (() => void)[] = []
  let waiting = 3
  const events: EventStore = {
    ...store.events,
    // As in PostgreSQL, time passes between the forming of a commit and its end.
    acknowledge: (seq) => {
      const upTo = seq()
      written.push(upTo)
      return new Promise((resolve) =>
        commits.push(() => {
          waiting = 3 - upTo
          resolve()
        }),
      )
    },
    get waiting() {
      return waiting
    },
  }
  const outbox = outboxOver(events)
  outbox.attach(socketInto([]))
  await outbox.add([{ ev: 'a' }, { ev: 'b' }, { ev: 'c' }])
  outbox.start()
  await store.answer()
  let isDrained = false
  void outbox.drained(0).then(() => (isDrained = true))
  outbox.acknowledge(1)
  outbox.acknowledge(3)
  for (let commit = commits.shift(); commit; commit = commits.shift()) {
    commit()
    await settle()
  }
  t.deepEqual(written, [1, 3])
  t.true(isDrained)
})
