import type { TestFn } from 'ava'
import fc from 'fast-check'
import { newId, type MessageId } from '../../src/domain/ids.ts'
import { IDEMPOTENCY_MS } from '../../src/domain/limits.ts'
import type { NewBatch } from '../../src/ports/stores/message-batches.ts'
import type { NewMessage } from '../../src/ports/stores/message-store.ts'
import { batchAhead, type BatchLook } from '../../src/ports/stores/send-queue.ts'
import {
  accepted,
  direct,
  FAILURE,
  headIds,
  HOUR_MS,
  messageEvents,
  newClaim,
  newMessage,
  PAGE,
} from './message-world.ts'
import { ownedNumber, type MakeWorld, type Owned, type World } from './world.ts'

const person = (at: number) => direct(String(4_915_100_000_000 + at))

/** A batch of texts, each to a person of its own unless `fields` say otherwise. */
export function newBatch(
  world: Pick<World, 'clock'>,
  owned: Pick<Owned, 'tenantId' | 'number'>,
  count: number,
  patch: Partial<NewBatch> = {},
  fields: (at: number) => Partial<NewMessage> = () => ({}),
): NewBatch {
  return {
    id: newId('bat'),
    tenantId: owned.tenantId,
    numberId: owned.number.id,
    perMinute: null,
    createdAt: new Date(world.clock.now()),
    messages: Array.from({ length: count }, (_, at) => newMessage(world, owned, { to: person(at), ...fields(at) })),
    ...patch,
  }
}

const all: BatchLook = { limit: 1_000, except: [], held: {} }

async function batchedIds(world: World, owned: Owned, look: Partial<BatchLook> = {}): Promise<MessageId[]> {
  return (await world.stores.queue.heads(owned.number.id, [], 0, { ...all, ...look })).map(({ id }) => id)
}

/** How batches are accepted, counted, canceled and sent. */
export function messageBatchSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  const stored = async (world: World, batch: NewBatch) => {
    const outcome = await world.stores.messageBatches.accept(batch, null)
    if (outcome.kind !== 'accepted') throw new Error(`the batch was not accepted: ${outcome.kind}`)
    return batch
  }

  // [message-verbs.verbs.4] [message-verbs.verbs.5]
  test(`${name}: a batch stores every message as a send of its own, and is counted by status`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const batch = await stored(
      world,
      newBatch(world, owned, 5, { perMinute: 60 }, (at) => ({ correlationId: `c${at}` })),
    )
    const found = await world.stores.messages.find(owned.number.id, 'c3')
    t.like(found, { id: batch.messages[3]?.id, status: 'QUEUED', type: 'text', from: owned.number.number })
    t.is((await world.stores.messages.conversations(owned.number.id, PAGE)).total, 5)
    const [one, two, three] = batch.messages.map(({ id }) => id)
    await world.stores.queue.settle(owned.fence, { kind: 'sent', messageId: one ?? 'msg_', externalMessageId: 'b.1' })
    await world.stores.queue.settle(owned.fence, { kind: 'failed', messageId: two ?? 'msg_', failure: FAILURE })
    await world.stores.queue.begin(owned.fence, three ?? 'msg_')
    t.deepEqual(await world.stores.messageBatches.find(owned.number.id, batch.id), {
      id: batch.id,
      perMinute: 60,
      accepted: 5,
      createdAt: batch.createdAt,
      counts: { QUEUED: 3, SENT: 1, FAILED: 1 },
    })
    t.deepEqual(
      (await messageEvents(world, owned)).map(({ event }) => event),
      ['message.sent', 'message.failed'],
    )
  })

  test(`${name}: a batch of which nothing was accepted is one of no messages`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const batch = await stored(world, newBatch(world, owned, 0))
    t.like(await world.stores.messageBatches.find(owned.number.id, batch.id), { accepted: 0, counts: {} })
    t.is(await world.stores.messageBatches.cancel(owned.number.id, batch.id), 0)
  })

  // [message-verbs.batch.1]
  test(`${name}: one message whose Flow is gone keeps the whole batch from being stored, and is named`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const flow = { id: newId('flow'), token: 't', statuses: ['PUBLISHED'] } as const
    const batch = newBatch(world, owned, 4, {}, (at) => (at % 2 === 1 ? { flow } : {}))
    t.deepEqual(await world.stores.messageBatches.accept(batch, newClaim()), { kind: 'stale', places: [1, 3] })
    t.is(await world.stores.messageBatches.find(owned.number.id, batch.id), null)
    t.is((await world.stores.messages.conversations(owned.number.id, PAGE)).total, 0)
    const rest = { ...batch, messages: batch.messages.filter((_, at) => at % 2 === 0) }
    t.deepEqual(await world.stores.messageBatches.accept(rest, newClaim()), { kind: 'accepted' })
  })

  test(`${name}: a batch of a number that is gone, or of another tenant, stores nothing`, async (t) => {
    const world = makeWorld()
    const [owned, other] = [await ownedNumber(world), await ownedNumber(world)]
    const foreign = newBatch(world, { ...owned, tenantId: other.tenantId }, 2)
    t.deepEqual(await world.stores.messageBatches.accept(foreign, newClaim()), { kind: 'gone' })
    const gone = newBatch(world, owned, 2)
    t.true(await world.stores.numbers.remove(owned.tenantId, owned.number.id))
    for (const batch of [gone, { ...gone, messages: [] }])
      t.deepEqual(await world.stores.messageBatches.accept(batch, newClaim()), { kind: 'gone' })
    t.is(await world.stores.messageBatches.find(owned.number.id, gone.id), null)
  })

  // [rest.idempotency.2] [rest.idempotency.3]
  test(`${name}: batches with one key are stored once, at the same time or later, and repeat the first answer`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const claim = newClaim({ key: 'batch-7' }, '{"batchId":"first"}')
    const batches = [newBatch(world, owned, 3), newBatch(world, owned, 3), newBatch(world, owned, 3)]
    const outcomes = await Promise.all(batches.map((batch) => world.stores.messageBatches.accept(batch, claim)))
    t.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['accepted', 'replay', 'replay'])
    t.like(
      outcomes.find(({ kind }) => kind === 'replay'),
      { answer: claim.answer },
    )
    t.is((await world.stores.messages.conversations(owned.number.id, PAGE)).total, 3)
    t.is((await batchedIds(world, owned)).length, 3)
    const reused = { ...claim, request: { ...claim.request, fingerprint: 'f2' } }
    t.deepEqual(await world.stores.messageBatches.accept(newBatch(world, owned, 1), reused), { kind: 'reused' })
    world.clock.advance(IDEMPOTENCY_MS)
    t.deepEqual(await world.stores.messageBatches.accept(newBatch(world, owned, 1), claim), { kind: 'accepted' })
  })

  // [message-verbs.verbs.6] [message-verbs.batch.6]
  test(`${name}: a canceled batch cancels what was not begun or was refused for now, and nothing twice`, async (t) => {
    const world = makeWorld()
    const [owned, stranger] = [await ownedNumber(world), await ownedNumber(world)]
    const later = { deliverAt: new Date(world.clock.now() + HOUR_MS) }
    const batch = await stored(
      world,
      newBatch(world, owned, 5, {}, (at) => (at === 4 ? later : {})),
    )
    const alone = await accepted(world, owned, { to: person(9) })
    const [sentOne, begun, again] = batch.messages.map(({ id }) => id)
    for (const id of [sentOne, begun, again]) await world.stores.queue.begin(owned.fence, id ?? 'msg_')
    await world.stores.queue.settle(owned.fence, {
      kind: 'sent',
      messageId: sentOne ?? 'msg_',
      externalMessageId: 'c.1',
    })
    await world.stores.queue.settle(owned.fence, { kind: 'again', messageId: again ?? 'msg_', afterMs: 5_000 })
    t.is(await world.stores.messageBatches.cancel(stranger.number.id, batch.id), null)
    t.is(await world.stores.messageBatches.find(stranger.number.id, batch.id), null)
    t.is(await world.stores.messageBatches.cancel(owned.number.id, batch.id), 3)
    t.is(await world.stores.messageBatches.cancel(owned.number.id, batch.id), 0)
    t.like(await world.stores.messageBatches.find(owned.number.id, batch.id), {
      counts: { SENT: 1, QUEUED: 1, CANCELED: 3 },
    })
    t.is(await world.stores.queue.begin(owned.fence, again ?? 'msg_'), 'moved')
    t.deepEqual(await headIds(world, owned), [alone.id])
    world.clock.advance(HOUR_MS)
    t.deepEqual(await batchedIds(world, owned), [begun], 'what is in doubt stays')
  })

  // [message-verbs.batch.6]
  test(`${name}: beside sending, each message of a canceled batch is either sent or canceled`, async (t) => {
    const world = makeWorld()
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 40 }),
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        async (count, at, yields) => {
          const owned = await ownedNumber(world)
          const batch = await stored(world, newBatch(world, owned, count))
          const taken: MessageId[] = []
          const sending = batch.messages.map(async ({ id }, place) => {
            if (yields[place]) await new Promise(setImmediate)
            if ((await world.stores.queue.begin(owned.fence, id)) !== 'applied') return
            taken.push(id)
            await world.stores.queue.settle(owned.fence, { kind: 'sent', messageId: id, externalMessageId: `x.${id}` })
          })
          for (let turn = 0; turn < at % 5; turn++) await new Promise(setImmediate)
          const canceled = await world.stores.messageBatches.cancel(owned.number.id, batch.id)
          await Promise.all(sending)
          const counts = (await world.stores.messageBatches.find(owned.number.id, batch.id))?.counts
          t.deepEqual(
            [(counts?.SENT ?? 0) + (counts?.CANCELED ?? 0), counts?.SENT ?? 0, counts?.CANCELED ?? 0],
            [count, taken.length, canceled],
          )
        },
      ),
      { numRuns: 25 },
    )
  })

  // [message-verbs.batch.4]
  test(`${name}: messages of batches hold no other sends, not even to the same person, and keep their own order`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const same = await stored(
      world,
      newBatch(world, owned, 3, {}, () => ({ to: person(1) })),
    )
    const alone = await accepted(world, owned, { to: person(1) })
    const ids = same.messages.map(({ id }) => id)
    t.deepEqual(await headIds(world, owned), [alone.id])
    t.deepEqual(await batchedIds(world, owned), ids.slice(0, 1))
    await world.stores.queue.begin(owned.fence, ids[0] ?? 'msg_')
    await world.stores.queue.settle(owned.fence, { kind: 'again', messageId: ids[0] ?? 'msg_', afterMs: 5_000 })
    t.deepEqual(await batchedIds(world, owned), [], 'a message that is put off keeps its place')
    t.deepEqual(await world.stores.queue.nextDueAt(owned.number.id), new Date(world.clock.now() + 5_000))
    world.clock.advance(5_000)
    t.deepEqual(await batchedIds(world, owned), ids.slice(0, 1))
    const both = await world.stores.queue.heads(owned.number.id, [], 10, all)
    t.deepEqual(
      both.map(({ id, batch }) => [id, batch?.id ?? null]),
      [
        [alone.id, null],
        [ids[0], same.id],
      ],
    )
    const [, held] = both
    t.deepEqual(await batchedIds(world, owned, { except: [held?.conversationId ?? 'conv_'] }), [])
  })

  test(`${name}: of each batch so many are taken in hand as its pace sends in a second, those begun longest ago first`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const paced = await stored(world, newBatch(world, owned, 20, { perMinute: 300 }))
    const quick = await stored(
      world,
      newBatch(world, owned, 60, {}, (at) => ({ to: person(100 + at) })),
    )
    const ofBatch = async (look: Partial<BatchLook> = {}) => {
      const heads = await world.stores.queue.heads(owned.number.id, [], 0, { ...all, ...look })
      return [paced, quick].map(({ id }) => heads.filter(({ batch }) => batch?.id === id).length)
    }
    t.deepEqual(await ofBatch(), [batchAhead(300), batchAhead(null)])
    t.is(batchAhead(300), 6)
    t.deepEqual(await ofBatch({ held: { [paced.id]: 4, [quick.id]: 60 } }), [2, 0])
    t.is(await world.stores.queue.begin(owned.fence, paced.messages[0]?.id ?? 'msg_'), 'applied')
    world.clock.advance(250)
    t.deepEqual(await ofBatch({ limit: 10 }), [0, 10], 'the other batch was never begun')
    t.is(await world.stores.queue.begin(owned.fence, quick.messages[0]?.id ?? 'msg_'), 'applied')
    const [first] = await world.stores.queue.heads(owned.number.id, [], 0, { ...all, limit: 1 })
    t.deepEqual(first?.batch, { id: paced.id, perMinute: 300, begunMs: 250 })
  })

  test(`${name}: a number with nothing but a batch is due, and its next time is known`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await world.stores.numbers.saveConnection(owned.fence, { state: 'OPEN' }, [])
    const later = new Date(world.clock.now() + HOUR_MS)
    await stored(
      world,
      newBatch(world, owned, 2, {}, (at) => (at === 1 ? { deliverAt: later } : {})),
    )
    t.true((await world.stores.queue.listDue(1_000)).includes(owned.number.id))
    t.deepEqual(await world.stores.queue.nextDueAt(owned.number.id), later)
  })
}
