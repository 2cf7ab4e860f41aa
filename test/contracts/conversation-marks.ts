import type { TestFn } from 'ava'
import type { ConversationFilter } from '../../src/ports/stores/inbox-store.ts'
import { accepted, PAGE, PEER, received } from './message-world.ts'
import { ownedNumber, type MakeWorld, type Owned, type World } from './world.ts'

const OTHER = '4915100000002'
const USER = 'DE.4711'

const FILTERS = ['all', 'unread', 'archived', 'every'] as const

async function listed(world: World, { number }: Owned, filter: ConversationFilter = 'every') {
  const query = { filter, search: null, limit: 30, before: null }
  return (await world.stores.inboxReads.conversations([number.id], query)).items
}

/** The peers of each list, and the unread total. */
async function shown(world: World, owned: Owned) {
  const lists = await Promise.all(FILTERS.map(async (filter) => [filter, await listed(world, owned, filter)] as const))
  const total = (await world.stores.inboxReads.unread([owned.number.id])).get(owned.number.id)
  return { ...Object.fromEntries(lists.map(([filter, items]) => [filter, items.map(({ peer }) => peer)])), total }
}

async function idOf(world: World, owned: Owned, peer: string): Promise<string> {
  return (await listed(world, owned)).find((one) => one.peer === peer)?.id ?? ''
}

/** How every store keeps what people note of conversations. */
export function conversationMarkSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [embeds.marks.1]
  test(`${name}: a conversation that is marked as unread counts as one until it is read, by whatever route`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const { conversationMarks, messages } = world.stores
    await received(world, owned, { isUnread: false })
    const id = await idOf(world, owned, PEER)
    t.true(await conversationMarks.mark(owned.number.id, id, { isMarkedUnread: true }))
    t.deepEqual(await shown(world, owned), { all: [PEER], unread: [PEER], archived: [], every: [PEER], total: 1 })
    t.like((await listed(world, owned))[0], { unreadCount: 0, isMarkedUnread: true, archivedAt: null })
    t.like(await messages.markConversationRead(owned.number.id, id), { count: 0 })
    t.like(await shown(world, owned), { total: 0 })
    t.false((await listed(world, owned))[0]?.isMarkedUnread)
    const { id: messageId } = await received(world, owned)
    await received(world, owned)
    await conversationMarks.mark(owned.number.id, id, { isMarkedUnread: true })
    t.like(await shown(world, owned), { total: 2 }, 'the mark adds nothing to unread messages')
    t.like(await messages.markRead(owned.number.id, [messageId]), { count: 1 })
    t.like(await messages.markConversationRead(owned.number.id, id), { count: 1 })
    t.like(await shown(world, owned), { total: 0 })
  })

  // [embeds.marks.2] [embeds.marks.4]
  test(`${name}: an archived conversation is in the list of those alone, and its unread messages do not count`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const { conversationMarks, messages } = world.stores
    await received(world, owned)
    world.clock.advance(1_000)
    await received(world, owned, { peer: OTHER, from: OTHER })
    const id = await idOf(world, owned, PEER)
    const at = new Date(world.clock.now())
    t.true(await conversationMarks.mark(owned.number.id, id, { isArchived: true }))
    world.clock.advance(1_000)
    t.true(await conversationMarks.mark(owned.number.id, id, { isArchived: true, isMarkedUnread: true }))
    t.like(await shown(world, owned), {
      all: [OTHER],
      unread: [OTHER],
      archived: [PEER],
      every: [OTHER, PEER],
      total: 1,
    })
    t.deepEqual((await listed(world, owned, 'archived'))[0]?.archivedAt, at, 'since it was archived first')
    const { items, total } = await messages.conversations(owned.number.id, PAGE)
    t.deepEqual([items.map(({ peer }) => peer), total], [[OTHER, PEER], 2], 'the API shows all')
    t.true(await conversationMarks.mark(owned.number.id, id, { isArchived: false }))
    t.like(await shown(world, owned), { all: [OTHER, PEER], unread: [OTHER, PEER], archived: [], total: 2 })
  })

  // [embeds.marks.3]
  test(`${name}: an unread inbound message takes a conversation out of the archive, a sent or an old one does not`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await received(world, owned, { isUnread: false })
    const id = await idOf(world, owned, PEER)
    await world.stores.conversationMarks.mark(owned.number.id, id, { isArchived: true })
    await accepted(world, owned)
    await received(world, owned, { isUnread: false, isFromMe: true })
    await received(world, owned, { isUnread: false })
    t.like(await shown(world, owned), { all: [], archived: [PEER] })
    await received(world, owned)
    t.like(await shown(world, owned), { all: [PEER], archived: [], total: 1 })
  })

  test(`${name}: nothing of another number is marked, and a conversation is found by its old id`, async (t) => {
    const world = makeWorld()
    const [owned, foreign] = [await ownedNumber(world), await ownedNumber(world)]
    const { conversationMarks, inbox } = world.stores
    await received(world, owned)
    await received(world, owned, { peer: USER, from: USER })
    const [id, old] = [await idOf(world, owned, PEER), await idOf(world, owned, USER)]
    t.false(await conversationMarks.mark(foreign.number.id, id, { isArchived: true, isMarkedUnread: true }))
    t.false(await conversationMarks.mark(owned.number.id, 'conv_none', { isArchived: true }))
    t.true(
      (await listed(world, owned)).every(({ isMarkedUnread, archivedAt }) => !isMarkedUnread && archivedAt === null),
    )
    await conversationMarks.mark(owned.number.id, old, { isArchived: true, isMarkedUnread: true })
    await inbox.name(owned.fence, { addresses: [PEER, USER] })
    t.like(await listed(world, owned), [{ id, isMarkedUnread: true, archivedAt: null, unreadCount: 2 }])
    t.true(await conversationMarks.mark(owned.number.id, old, { isArchived: true }))
    t.like(await shown(world, owned), { archived: [PEER] })
  })
}
