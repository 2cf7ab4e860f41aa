import { randomBytes } from 'node:crypto'
import type { ExecutionContext, TestFn } from 'ava'
import { messageIdOf } from '../../sandbox/official/messages/message-id.ts'
import { NO_CONTENT } from '../../src/domain/message.ts'
import { KeyFill } from '../../src/storage/message-keys/fill.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { HOUR_MS, incoming, messageEvents, PEER, received, report, sent } from './message-world.ts'
import { ownedNumber, type MakeWorld, type Owned, type World } from './world.ts'

/** Ids of one message: by the number of whom it is exchanged with, and by the id of a user who hides it. */
interface TwoNames {
  readonly byNumber: string
  readonly byUser: string
}

function twoNames(isOfBusiness: boolean): TwoNames {
  const key = `3EB0${randomBytes(8).toString('hex').toUpperCase()}`
  return {
    byNumber: messageIdOf({ who: PEER, isOfBusiness, key }),
    byUser: messageIdOf({ who: 'DE.13491208655302741', isOfBusiness, key }),
  }
}

async function idOf(world: World, owned: Owned, anyId: string): Promise<string | undefined> {
  return (await world.stores.messages.find(owned.number.id, anyId))?.id
}

/** Asserts that a message written by the business is found by an id: by a status, a reply, a quote, an edit, a read. */
async function assertFound(t: ExecutionContext, world: World, owned: Owned, id: string, byId: string): Promise<void> {
  const { inbox, inboxReads, messages } = world.stores
  t.is(await idOf(world, owned, byId), id)
  t.is(await messages.templateOf(owned.number.id, byId), null)
  t.is(await inbox.report(owned.fence, report(world, 'READ', { externalMessageId: byId })), 'applied')
  const answer = await received(world, owned, {
    quotedMessageId: byId,
    replyEvent: { event: 'message.reply', data: { quotedMessageId: byId } },
  })
  t.is((await messageEvents(world, owned)).filter(({ event }) => event === 'message.reply').length, 1)
  const [shown] = await inboxReads.messagesOf([owned.number.id], [answer.id])
  t.is(shown?.quoted?.id, id as never)
  t.is(shown?.quotedMessageId, byId, 'it is shown as it came')
  const edited = { messageType: 'text', content: { ...NO_CONTENT, text: 'changed' } } as const
  const at = new Date(world.clock.now())
  t.is(await inbox.change(owned.fence, { externalMessageId: byId, kind: 'EDIT', at, edited }), 'applied')
  t.is((await messages.find(owned.number.id, id))?.content?.text, 'changed')
}

/** How messages are found by each id that upstream has for them. */
export function messageKeySuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: [identities.looking-up.3] status, reply, quote and edit find a message by another id than it was sent under`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const { byNumber, byUser } = twoNames(true)
    const { id } = await sent(world, owned, byNumber)
    await assertFound(t, world, owned, id, byUser)
    t.is((await world.stores.messages.find(owned.number.id, byUser))?.externalMessageId, byNumber)
    const told = (await messageEvents(world, owned)).filter(({ event }) => event === 'message.read')
    t.deepEqual(
      told.map(({ data }) => (data as { messageId: string }).messageId),
      [byNumber],
    )
  })

  test(`${name}: [identities.looking-up.3] a message that comes under two ids is stored once, and shown at last under either`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const { byNumber, byUser } = twoNames(false)
    const first = await received(world, owned, { externalMessageId: byUser, type: 'unsupported', content: NO_CONTENT })
    const again = incoming(world, owned, { externalMessageId: byNumber })
    t.is(await world.stores.inbox.receive(owned.fence, again), 'applied', 'upstream can show it now')
    t.is(await world.stores.inbox.receive(owned.fence, { ...again, externalMessageId: byUser }), 'stale')
    t.like(await world.stores.messages.find(owned.number.id, byNumber), { id: first.id, type: 'text' })
    t.deepEqual(await world.stores.messages.markRead(owned.number.id, [byNumber]), {
      count: 1,
      externalMessageIds: [byUser],
    })
    const both = [twoNames(false)].flatMap((names) => [names.byNumber, names.byUser])
    const results = await Promise.all(
      both.map((externalMessageId) =>
        world.stores.inbox.receive(owned.fence, incoming(world, owned, { externalMessageId })),
      ),
    )
    t.deepEqual(results.toSorted(), ['applied', 'stale'], 'in one statement too')
  })

  test(`${name}: [identities.looking-up.3] an edit waits for its message under another id, and an echo keeps the id from its send`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const { byNumber, byUser } = twoNames(false)
    const at = new Date(world.clock.now())
    const edited = { messageType: 'text', content: { ...NO_CONTENT, text: 'changed' } } as const
    t.is(
      await world.stores.inbox.change(owned.fence, { externalMessageId: byUser, kind: 'EDIT', at, edited }),
      'waiting',
    )
    const { id } = await received(world, owned, { externalMessageId: byNumber })
    t.like(await world.stores.messages.find(owned.number.id, id), { content: { text: 'changed' } })
    const echoed = twoNames(true)
    const echo = await received(world, owned, { externalMessageId: echoed.byUser, isFromMe: true })
    const { id: sentId } = await sent(world, owned, echoed.byNumber)
    t.is((await world.stores.messages.find(owned.number.id, sentId))?.externalMessageId, null)
    t.is(await idOf(world, owned, echoed.byNumber), echo.id)
  })

  test(`${name}: an id of the device network, and one without a key, are found as they are alone`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    for (const externalMessageId of ['3EB0AB12CD34EF56AB12', 'wamid.HBgM', 'wamid.No base64']) {
      const { id } = await received(world, owned, { externalMessageId })
      t.like(await world.stores.messages.find(owned.number.id, externalMessageId), { id, externalMessageId })
      t.is(await idOf(world, owned, externalMessageId.toLowerCase()), undefined)
    }
  })
}

/** Turns a number's messages into rows of a version that stored ids as they came. */
async function age(database: Database, owned: Owned): Promise<void> {
  await database.query(
    'update messages set external_id = coalesce(external_form, external_id), external_form = null, quoted_key = null where number_id = $1',
    [owned.number.id],
  )
}

/** Ids of a number's messages that are not filled, the oldest first. */
async function notFilled(database: Database, { number }: Owned): Promise<string[]> {
  const rows = await database.query<{ external_id: string }>(
    'select external_id from messages where number_id = $1 and external_form is null order by position',
    [number.id],
  )
  return rows.map((row) => row.external_id)
}

/** Takes all turns of a fill that is due; resolves to how many messages were filled. */
async function fillAll(fill: KeyFill): Promise<number> {
  let filled = 0
  for (let turn = await fill.fill(); turn !== null; turn = await fill.fill()) filled += turn.filled
  return filled
}

/** How messages of earlier versions get keys. It needs a database of its own, because all its messages are filled. */
export function keyFillSuite(test: TestFn, name: string, makeWorld: MakeWorld, database: () => Database): void {
  test.serial(
    `${name}: [identities.looking-up.3] messages of earlier versions are found by their exact id, and by each once they are filled`,
    async (t) => {
      const world = makeWorld()
      const owned = await ownedNumber(world)
      const [ours, theirs, kept] = [twoNames(true), twoNames(false), twoNames(true)]
      const fill = new KeyFill({ database: database(), clock: world.clock })
      t.is(await fillAll(new KeyFill({ database: database(), clock: world.clock })), 0, 'nothing is to be filled')
      const { id } = await sent(world, owned, ours.byNumber)
      await sent(world, owned, kept.byNumber)
      await received(world, owned, { externalMessageId: theirs.byNumber })
      const quoting = await received(world, owned, { externalMessageId: 'q.1', quotedMessageId: kept.byNumber })
      await age(database(), owned)
      await database().query('insert into message_key_fill (begins_at) values ($1)', [
        new Date(world.clock.now() + HOUR_MS).toISOString(),
      ])

      await assertFound(t, world, owned, id, ours.byNumber)
      t.is(await idOf(world, owned, ours.byUser), undefined)
      const again = incoming(world, owned, { externalMessageId: theirs.byNumber })
      t.is(await world.stores.inbox.receive(owned.fence, again), 'stale')
      t.is((await world.stores.messages.markRead(owned.number.id, [theirs.byNumber])).count, 1)
      t.is(await fillAll(fill), 0, 'gateways of the version before may still store messages')

      world.clock.advance(HOUR_MS)
      t.is(await fillAll(fill), 4)
      for (const names of [ours, kept, theirs]) {
        const found = await world.stores.messages.find(owned.number.id, names.byUser)
        t.is(found?.externalMessageId, names.byNumber)
        t.is(found?.id as string | undefined, await idOf(world, owned, names.byNumber))
      }
      const [shown] = await world.stores.inboxReads.messagesOf([owned.number.id], [quoting.id])
      t.is(shown?.quoted?.id, (await idOf(world, owned, kept.byUser)) as never)
      t.is(await world.stores.inbox.receive(owned.fence, { ...again, externalMessageId: theirs.byUser }), 'stale')
      t.is(await fillAll(fill), 0)
      t.is(await world.rawTable('message_key_fill'), '[]')
    },
  )

  test.serial(
    `${name}: a fill goes on where it ended, and of two rows of one message each keeps an id of its own`,
    async (t) => {
      const world = makeWorld()
      const owned = await ownedNumber(world)
      const twice = twoNames(true)
      // Of the 602 positions from here on, 500 of four digits would be filled first in the order of their texts.
      await database().query(`select setval(pg_get_serial_sequence('messages', 'position'), 9450)`)
      for (let nth = 0; nth < 600; nth++)
        await received(world, owned, { externalMessageId: twoNames(false).byNumber, events: [] })
      await age(database(), owned)
      const older = await received(world, owned, { externalMessageId: twice.byNumber })
      await age(database(), owned)
      const newer = await received(world, owned, { externalMessageId: twice.byUser })
      await age(database(), owned)
      await database().query('insert into message_key_fill (begins_at) values ($1)', [
        new Date(world.clock.now()).toISOString(),
      ])
      const first = await new KeyFill({ database: database(), clock: world.clock }).fill()
      const filled = first?.filled ?? 0
      t.true(filled > 0 && filled <= 500)
      const rest = await fillAll(new KeyFill({ database: database(), clock: world.clock }))
      t.deepEqual(await notFilled(database(), owned), [twice.byNumber])
      t.is(filled + rest, 601)
      t.is(await idOf(world, owned, twice.byNumber), older.id)
      t.is(await idOf(world, owned, twice.byUser), newer.id)
    },
  )
}
