import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { accepted, direct, headIds, HOUR_MS, messageEvents, sent } from './message-world.ts'
import { ownedNumber, type MakeWorld } from './world.ts'

/** In which order every SendQueue sends. */
export function sendTurnsSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: one message a conversation is at its head, by the time it is due, then in the order of acceptance`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const [ann, bob] = [direct('4915100000001'), direct('4915100000002')]
    const later = await accepted(world, owned, { to: ann, deliverAt: new Date(world.clock.now() + HOUR_MS) })
    const [a1, a2, b1] = [
      await accepted(world, owned, { to: ann }),
      await accepted(world, owned, { to: ann }),
      await accepted(world, owned, { to: bob }),
    ]
    t.deepEqual(await headIds(world, owned), [a1.id, b1.id])
    t.deepEqual(await headIds(world, owned, 1), [a1.id])
    const [head] = await world.stores.queue.heads(owned.number.id, [], 1)
    t.deepEqual(
      (await world.stores.queue.heads(owned.number.id, [head?.conversationId ?? 'conv_'], 10)).map(({ id }) => id),
      [b1.id],
    )
    t.is(
      await world.stores.queue.settle(owned.fence, { messageId: a1.id, kind: 'sent', externalMessageId: 'q.a1' }),
      'applied',
    )
    t.deepEqual(await headIds(world, owned), [a2.id, b1.id])
    await world.stores.queue.settle(owned.fence, { messageId: a2.id, kind: 'sent', externalMessageId: 'q.a2' })
    t.deepEqual(await headIds(world, owned), [b1.id])
    t.deepEqual(await world.stores.queue.nextDueAt(owned.number.id), later.deliverAt)
    world.clock.advance(HOUR_MS)
    t.deepEqual(await headIds(world, owned), [b1.id, later.id])
    t.is(await world.stores.queue.nextDueAt(owned.number.id), null)
    t.deepEqual(await world.stores.queue.nextDueAt(owned.number.id, 1), later.deliverAt)
  })

  test(`${name}: what is accepted later stands behind what waits in its conversation, whatever the clock of its gateway says`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const [ann, bob] = [direct('4915100000001'), direct('4915100000002')]
    const ago = (ms: number) => new Date(world.clock.now() - ms)
    await accepted(world, owned, { to: ann, deliverAt: new Date(world.clock.now() + 60_000) })
    const ahead = await accepted(world, owned, { to: ann, createdAt: ago(1_000) })
    const behind = await accepted(world, owned, { to: ann, createdAt: ago(6_000) })
    const last = await accepted(world, owned, { to: ann, createdAt: ago(3_000) })
    const other = await accepted(world, owned, { to: bob, createdAt: ago(5_000) })
    t.deepEqual(await headIds(world, owned), [other.id, ahead.id])
    for (const [place, { id }] of [ahead, behind].entries())
      await world.stores.queue.settle(owned.fence, { messageId: id, kind: 'sent', externalMessageId: `turn.${place}` })
    t.deepEqual(await headIds(world, owned), [other.id, last.id])
  })

  test(`${name}: looks for several numbers at once answer each its own heads, in order, past its own conversations and no more than it asks for`, async (t) => {
    const world = makeWorld()
    const numbers = [await ownedNumber(world), await ownedNumber(world), await ownedNumber(world)] as const
    const [ann, bob] = [direct('4915100000001'), direct('4915100000002')]
    const ids = []
    for (const owned of numbers.slice(0, 2))
      ids.push([(await accepted(world, owned, { to: bob })).id, (await accepted(world, owned, { to: ann })).id])
    const [first] = await world.stores.queue.heads(numbers[0].number.id, [], 1)
    const found = await Promise.all([
      world.stores.queue.heads(numbers[0].number.id, [], 10),
      world.stores.queue.heads(numbers[1].number.id, [], 1),
      world.stores.queue.heads(numbers[2].number.id, [], 10),
      world.stores.queue.heads(numbers[0].number.id, [first?.conversationId ?? 'conv_'], 10),
      world.stores.queue.heads(numbers[1].number.id, [], 10),
    ])
    t.deepEqual(
      found.map((heads) => heads.map(({ id }) => id)),
      [ids[0], ids[1]?.slice(0, 1), [], ids[0]?.slice(1), ids[1]],
    )
  })

  test(`${name}: a message that is put off or in doubt holds the later ones of its conversation, and keeps its place`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const first = await accepted(world, owned)
    await accepted(world, owned)
    t.is(await world.stores.queue.begin(owned.fence, first.id), 'applied')
    t.like((await world.stores.queue.heads(owned.number.id, [], 10))[0], {
      id: first.id,
      attempts: 1,
      attemptedAt: new Date(world.clock.now()),
    })
    t.is(await world.stores.queue.settle(owned.fence, { messageId: first.id, kind: 'again', afterMs: 5000 }), 'applied')
    t.deepEqual(await headIds(world, owned), [])
    t.deepEqual(await world.stores.queue.nextDueAt(owned.number.id), new Date(world.clock.now() + 5000))
    world.clock.advance(5000)
    t.like(await world.stores.queue.heads(owned.number.id, [], 10), [{ id: first.id, attempts: 1, attemptedAt: null }])
    t.deepEqual(await messageEvents(world, owned), [], 'nothing is told of a try')
  })

  test(`${name}: a node that lost the number, or owns another one, changes nothing`, async (t) => {
    const world = makeWorld()
    const [owned, stranger] = [await ownedNumber(world), await ownedNumber(world)]
    const message = await accepted(world, owned)
    const sentAs = { messageId: message.id, kind: 'sent', externalMessageId: 'q.fence' } as const
    const old = { ...owned.fence, token: owned.fence.token - 1 }
    const results = await Promise.all([
      world.stores.queue.settle(old, sentAs),
      world.stores.queue.settle(stranger.fence, sentAs),
      world.stores.queue.begin(old, message.id),
      world.stores.queue.begin(stranger.fence, message.id),
      world.stores.queue.settle(old, { messageId: message.id, kind: 'again', afterMs: 1 }),
    ])
    t.deepEqual(results, ['fenced', 'moved', 'fenced', 'moved', 'fenced'])
    t.like((await world.stores.queue.heads(owned.number.id, [], 1))[0], {
      id: message.id,
      attempts: 0,
      attemptedAt: null,
    })
    t.deepEqual(await messageEvents(world, owned), [])
  })

  test(`${name}: connected numbers with due messages are listed`, async (t) => {
    const world = makeWorld(Date.UTC(2001, 0, 1))
    const [open, closed, later] = [await ownedNumber(world), await ownedNumber(world), await ownedNumber(world)]
    for (const owned of [open, later]) await world.stores.numbers.saveConnection(owned.fence, { state: 'OPEN' }, [])
    const message = await accepted(world, open)
    await accepted(world, closed)
    await accepted(world, later, { deliverAt: new Date(world.clock.now() + 1) })
    const listed = async () =>
      (await world.stores.queue.listDue(10_000)).filter((id) =>
        [open, closed, later].some(({ number }) => number.id === id),
      )
    t.deepEqual(await listed(), [open.number.id])
    world.clock.advance(1)
    t.deepEqual(await listed(), [open.number.id, later.number.id])
    await world.stores.queue.settle(open.fence, { messageId: message.id, kind: 'sent', externalMessageId: 'q.due' })
    t.deepEqual(await listed(), [later.number.id])
  })

  test(`${name}: it is told how many sends wait, and since when`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await accepted(world, owned)
    // Other numbers of the database may have waiting messages too.
    const { count, since } = await world.stores.queue.waiting()
    t.true(count >= 1)
    t.true(since !== null && since.getTime() <= world.clock.now())
  })

  test(`${name}: behind a long queue of one conversation the others are still found`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const long = await Promise.all(Array.from({ length: 620 }, () => accepted(world, owned)))
    world.clock.advance(1000)
    const others = await Promise.all(
      Array.from({ length: 30 }, (_, n) => accepted(world, owned, { to: direct(String(4915200000000 + n)) })),
    )
    t.deepEqual(await headIds(world, owned, 100), [long[0]?.id ?? newId('msg'), ...others.map(({ id }) => id)])
    t.deepEqual(await headIds(world, owned, 5), [
      long[0]?.id ?? newId('msg'),
      ...others.slice(0, 4).map(({ id }) => id),
    ])
  })

  test(`${name}: the due conversations are found among many postponed ones`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const put = await Promise.all(
      Array.from({ length: 510 }, (_, n) => accepted(world, owned, { to: direct(String(4915300000000 + n)) })),
    )
    await Promise.all(
      put.map(({ id }) => world.stores.queue.settle(owned.fence, { messageId: id, kind: 'again', afterMs: 60_000 })),
    )
    world.clock.advance(1)
    const due = await accepted(world, owned, { to: direct('4915400000000') })
    // One look covers 500 of the 511 numbers from any place; later looks reach the others.
    const looks = await Promise.all(Array.from({ length: 40 }, () => headIds(world, owned)))
    t.true(looks.some((ids) => ids.includes(due.id)))
    await sent(world, owned, 'q.other', { to: direct('4915500000000') })
  })
}
