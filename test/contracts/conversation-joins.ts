import type { ExecutionContext, TestFn } from 'ava'
import fc from 'fast-check'
import { counted } from '../helpers/size.ts'
import { ALL, direct, incoming, newMessage, PAGE } from './message-world.ts'
import { rowsOf, type Row } from './message-steps.ts'
import { ownedNumber, type MakeWorld, type Owned, type World } from './world.ts'

/** Addresses of at most three persons, as upstream may come to name them together. */
const ADDRESSES = [
  '4915100000001',
  '4915100000002',
  '4915100000003',
  'DE.100',
  'DE.200',
  'DE.300',
  '123456789012345@lid',
] as const

type Step =
  | { readonly kind: 'receive' | 'send' | 'read'; readonly address: string }
  | { readonly kind: 'name'; readonly addresses: readonly string[] }
  | { readonly kind: 'purge' }

const address = fc.constantFrom(...ADDRESSES)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('receive' as const, 'send' as const), address }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('read' as const), address }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('name' as const),
      addresses: fc.uniqueArray(address, { minLength: 2, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'purge' as const }) },
)
/** What four writers do side by side, in turns. */
const life = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 })

/** What is known of the persons: who was named with whom, and which messages there are. */
class People {
  readonly #of = new Map<string, string>(ADDRESSES.map((one) => [one, one]))
  readonly counts = new Map<string, { inbound: number; outbound: number }>()

  person(of: string): string {
    const next = this.#of.get(of) ?? of
    return next === of ? of : this.person(next)
  }

  name(addresses: readonly string[]): void {
    const [first = '', ...others] = addresses
    for (const other of others) this.#of.set(this.person(other), this.person(first))
  }

  add(of: string, direction: 'inbound' | 'outbound'): void {
    const counts = this.counts.get(of) ?? { inbound: 0, outbound: 0 }
    this.counts.set(of, { ...counts, [direction]: counts[direction] + 1 })
  }

  /** How many messages each person with any has, by the person. */
  totals(): Map<string, { inbound: number; outbound: number }> {
    const totals = new Map<string, { inbound: number; outbound: number }>()
    for (const [of, { inbound, outbound }] of this.counts) {
      const person = this.person(of)
      const total = totals.get(person) ?? { inbound: 0, outbound: 0 }
      totals.set(person, { inbound: total.inbound + inbound, outbound: total.outbound + outbound })
    }
    return totals
  }
}

async function take(world: World, owned: Owned, people: People, seen: Set<string>, done: Step): Promise<void> {
  const { inbox, messages } = world.stores
  switch (done.kind) {
    case 'receive':
      people.add(done.address, 'inbound')
      await inbox.receive(owned.fence, incoming(world, owned, { peer: done.address, from: done.address, events: [] }))
      return
    case 'send':
      people.add(done.address, 'outbound')
      await messages.accept(newMessage(world, owned, { to: direct(done.address) }), null)
      return
    case 'name':
      people.name(done.addresses)
      await inbox.name(owned.fence, { addresses: done.addresses })
      return
    case 'read': {
      const { items } = await messages.conversations(owned.number.id, PAGE)
      for (const { id } of items) seen.add(id)
      await messages.markConversationRead(owned.number.id, items[0]?.id ?? '')
      return
    }
    case 'purge':
      await messages.purge()
  }
}

/** Asserts that each person is one conversation, with all of its messages, under every address and every id. */
async function assertOne(t: ExecutionContext, world: World, owned: Owned, people: People, seen: Set<string>) {
  const { messages, inboxReads } = world.stores
  const { items, total } = await messages.conversations(owned.number.id, PAGE)
  const totals = people.totals()
  t.is(items.length, totals.size)
  t.is(total, totals.size)
  for (const of of people.counts.keys())
    for (const direction of ['INBOUND', 'OUTBOUND'] as const) {
      const found = await messages.history(owned.number.id, { ...ALL, direction, peer: of })
      const wanted = totals.get(people.person(of))
      t.is(found.total, (direction === 'INBOUND' ? wanted?.inbound : wanted?.outbound) ?? 0, `${direction} ${of}`)
      t.is(found.items.length, found.total)
      t.true(found.items.every(({ conversationId }) => items.some(({ id }) => id === conversationId)))
    }
  const rows = await rowsOf<Row>(world, 'messages', owned)
  const unread = rows.filter((row) => row.is_unread).length
  t.is(
    items.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
    unread,
  )
  t.is((await messages.unread(owned.number.id, PAGE)).total, unread)
  for (const id of seen) t.is((await inboxReads.conversationsOf([owned.number.id], [id])).length, 1, 'an id of before')
  for (const { id } of items) {
    const span = await inboxReads.messages([owned.number.id], id, { side: 'newest', limit: 100 })
    const times = span?.messages.map(({ createdAt }) => createdAt.getTime()) ?? []
    t.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    )
  }
  t.is(
    (
      await Promise.all(
        items.map(async ({ id }) => {
          const span = await inboxReads.messages([owned.number.id], id, { side: 'newest', limit: 100 })
          return span?.messages.length ?? 0
        }),
      )
    ).reduce((sum, some) => sum + some, 0),
    rows.length,
  )
}

/** How every MessageInbox joins conversations while others write to them. */
export function conversationJoinSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [identities.joining.1] [identities.joining.4] [identities.looking-up.1]
  test(`${name}: whatever four writers do at once, each person is one conversation that has lost nothing, and counts are exact`, async (t) => {
    await fc.assert(
      fc.asyncProperty(life, async (turns) => {
        const world = makeWorld()
        const owned = await ownedNumber(world)
        const [people, seen] = [new People(), new Set<string>()]
        for (const turn of turns) {
          await Promise.all(turn.map((done) => take(world, owned, people, seen, done)))
          world.clock.advance(1_000)
        }
        await world.stores.messages.purge()
        await assertOne(t, world, owned, people, seen)
      }),
      { numRuns: counted(60, 12) },
    )
  })
}
