import type { TestFn } from 'ava'
import { newId, newSecretId } from '../../src/domain/ids.ts'
import { NO_CONTENT } from '../../src/domain/message.ts'
import type { MessageChange } from '../../src/domain/message-change.ts'
import { DAY_MS, incoming, messageEvents, PAGE, PEER, privateNumber, received, report, sent } from './message-world.ts'
import { callEvent, newNumber, ownedNumber, type MakeWorld, type Owned, type World } from './world.ts'

function edit(world: World, externalMessageId: string, text: string, inMs = 0): MessageChange {
  return {
    externalMessageId,
    kind: 'EDIT',
    at: new Date(world.clock.now() + inMs),
    edited: { messageType: 'text', content: { ...NO_CONTENT, text } },
  }
}

function revoke(world: World, externalMessageId: string, inMs = 0): MessageChange {
  return { externalMessageId, kind: 'REVOKE', at: new Date(world.clock.now() + inMs), edited: null }
}

async function officialNumber(world: World): Promise<Owned> {
  const owned = await ownedNumber(world)
  const made = await world.stores.numbers.create(newNumber(owned.tenantId, { provider: 'OFFICIAL' }))
  const fence = made.ok ? await world.leases().acquire(made.value.number.id) : null
  if (!made.ok || !fence) throw new Error('there is no official number')
  return { ...owned, number: made.value.number, fence }
}

/** How every MessageInbox stores edited and revoked messages. */
export function messageChangeSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [messages.item.3]
  test(`${name}: an edit and a revocation change the stored message of either direction`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await sent(world, owned, 'ch.out')
    await received(world, owned, { externalMessageId: 'ch.in' }, 'NUL \u0000 😀')
    const events = (await messageEvents(world, owned)).length
    for (const id of ['ch.out', 'ch.in']) {
      t.is(await world.stores.inbox.change(owned.fence, edit(world, id, 'now \u0000 "that"')), 'applied')
      t.like(await world.stores.messages.find(owned.number.id, id), {
        content: { text: 'now \u0000 "that"' },
        editedAt: new Date(world.clock.now()),
        revokedAt: null,
      })
      t.is(await world.stores.inbox.change(owned.fence, revoke(world, id, 5)), 'applied')
      t.is(await world.stores.inbox.change(owned.fence, edit(world, id, 'too late', 9)), 'stale')
      t.like(await world.stores.messages.find(owned.number.id, id), {
        content: NO_CONTENT,
        revokedAt: new Date(world.clock.now() + 5),
        isRedacted: false,
        type: 'text',
      })
    }
    t.is((await world.stores.messages.conversations(owned.number.id, PAGE)).items[0]?.lastMessagePreview, null)
    const told = (await messageEvents(world, owned)).slice(events)
    t.deepEqual(
      told.map(({ event, data }) => [event, data['messageId'], data['fromMe'], data['createdAt']]),
      ['ch.out', 'ch.in'].map((id) => [
        'message.revoked',
        id,
        id === 'ch.out',
        new Date(world.clock.now() + 5).toISOString(),
      ]),
      'revocations are told once each, edits are not',
    )
    t.deepEqual(Object.keys(told[0]?.data ?? {}).toSorted(), [
      'channelNumberId',
      'correlationId',
      'createdAt',
      'fromMe',
      'id',
      'messageId',
    ])
    t.false((await world.rawTable('messages')).includes('now \\u0000'))
  })

  // [events.native.1]
  test(`${name}: a revocation on a number with native events has no event of the service`, async (t) => {
    const world = makeWorld()
    const owned = await officialNumber(world)
    await received(world, owned, { externalMessageId: 'cn.1', events: [] })
    t.is(await world.stores.inbox.change(owned.fence, revoke(world, 'cn.1')), 'applied')
    t.deepEqual(await messageEvents(world, owned), [])
  })

  // [message-verbs.verbs.1]
  test(`${name}: an edit that the service asked for counts, though an earlier one has a later time`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await sent(world, owned, 'ca.1')
    await world.stores.inbox.change(owned.fence, edit(world, 'ca.1', 'of the phone', 5_000))
    t.is(await world.stores.inbox.change(owned.fence, { ...edit(world, 'ca.1', 'asked'), isAsked: true }), 'applied')
    t.like(await world.stores.messages.find(owned.number.id, 'ca.1'), {
      content: { text: 'asked' },
      editedAt: new Date(world.clock.now() + 5_000),
    })
  })

  test(`${name}: a change that comes before its message waits for it`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    t.is(await world.stores.inbox.change(owned.fence, edit(world, 'wa.1', 'older')), 'waiting')
    t.is(await world.stores.inbox.change(owned.fence, edit(world, 'wa.1', 'newer', 5)), 'waiting')
    t.is(await world.stores.inbox.change(owned.fence, edit(world, 'wa.1', 'oldest', -5)), 'stale')
    t.is(await world.stores.inbox.change(owned.fence, revoke(world, 'wa.2')), 'waiting')
    await received(world, owned, { externalMessageId: 'wa.1' }, 'first')
    await received(world, owned, { externalMessageId: 'wa.2' }, 'secret words')
    t.like(await world.stores.messages.find(owned.number.id, 'wa.1'), {
      content: { text: 'newer' },
      editedAt: new Date(world.clock.now() + 5),
    })
    t.like(await world.stores.messages.find(owned.number.id, 'wa.2'), {
      content: NO_CONTENT,
      revokedAt: new Date(world.clock.now()),
    })
    t.deepEqual(
      (await messageEvents(world, owned))
        .filter(({ event }) => event === 'message.revoked')
        .map(({ data }) => data['messageId']),
      ['wa.2'],
    )
    t.false((await world.rawTable('messages')).includes('secret words'))
    t.false((await world.rawTable('message_changes')).includes('wa.'))
  })

  test(`${name}: a change of a message of ours waits until upstream's id of it is known`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    t.is(await world.stores.inbox.change(owned.fence, revoke(world, 'wo.1')), 'waiting')
    const message = await sent(world, owned, 'wo.1')
    t.is(
      await world.stores.inbox.report(owned.fence, report(world, 'DELIVERED', { externalMessageId: 'wo.1' })),
      'applied',
    )
    t.like(await world.stores.messages.find(owned.number.id, message.id), {
      content: NO_CONTENT,
      revokedAt: new Date(world.clock.now()),
      status: 'DELIVERED',
    })
  })

  test(`${name}: messages and their changes that come at once never miss each other`, async (t) => {
    const world = makeWorld()
    const numbers = [await ownedNumber(world), await ownedNumber(world)]
    await Promise.all(
      numbers.flatMap((owned, at) =>
        Array.from({ length: 40 }, async (_, n) => {
          const externalMessageId = `at.${at}.${n}`
          const message = () =>
            world.stores.inbox.receive(
              owned.fence,
              incoming(world, owned, { externalMessageId, peer: `${PEER}${n}`, events: [] }),
            )
          const changes = () =>
            Promise.all(
              ['a', 'b', 'c'].map((text, place) =>
                world.stores.inbox.change(owned.fence, edit(world, externalMessageId, text, place)),
              ),
            )
          await Promise.all(n % 2 === 0 ? [message(), changes()] : [changes(), message()])
          t.is(
            (await world.stores.messages.find(owned.number.id, externalMessageId))?.content?.text,
            'c',
            externalMessageId,
          )
        }),
      ),
    )
  })

  test(`${name}: a change is of its number alone, and of its owner alone`, async (t) => {
    const world = makeWorld()
    const [owned, stranger] = [await ownedNumber(world), await ownedNumber(world)]
    await received(world, owned, { externalMessageId: 'of.1' }, 'untouched')
    t.is(await world.stores.inbox.change(stranger.fence, revoke(world, 'of.1')), 'waiting')
    t.is(await world.stores.inbox.change({ ...owned.fence, token: 99 }, revoke(world, 'of.1')), 'fenced')
    t.like(await world.stores.messages.find(owned.number.id, 'of.1'), {
      content: { text: 'untouched' },
      revokedAt: null,
    })
  })

  test(`${name}: RELAY_ONLY keeps the fact that a message was changed, but not the new content`, async (t) => {
    const world = makeWorld()
    const owned = await privateNumber(world, 'RELAY_ONLY')
    const text = 'words of nobody’s business'
    await received(world, owned, { externalMessageId: 'rc.1', events: [] }, text)
    t.is(await world.stores.inbox.change(owned.fence, edit(world, 'rc.1', text)), 'applied')
    t.is(await world.stores.inbox.change(owned.fence, edit(world, 'rc.2', text)), 'waiting')
    for (const table of ['messages', 'message_changes']) t.false((await world.rawTable(table)).includes(text), table)
    t.like(await world.stores.messages.find(owned.number.id, 'rc.1'), {
      content: null,
      isRedacted: true,
      editedAt: new Date(world.clock.now()),
    })
    await received(world, owned, { externalMessageId: 'rc.2', events: [] }, text)
    t.like(await world.stores.messages.find(owned.number.id, 'rc.2'), {
      content: null,
      editedAt: new Date(world.clock.now()),
    })
  })

  test(`${name}: when a number becomes RELAY_ONLY, the content of its waiting changes is removed`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await world.stores.inbox.change(owned.fence, edit(world, 'rw.1', 'once waiting'))
    await world.stores.numbers.patch(owned.tenantId, owned.number.id, { piiMode: 'RELAY_ONLY' })
    await world.stores.messages.purge()
    t.false((await world.rawTable('message_changes')).includes('once waiting'))
  })

  test(`${name}: the file of a message that was taken back expires with it`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const [id, other] = [newSecretId('file'), newSecretId('file')]
    const expiresAt = new Date(world.clock.now() + DAY_MS)
    const now = new Date(world.clock.now())
    for (const fileId of [id, other]) {
      await world.stores.files.add({
        id: fileId,
        tenantId: owned.tenantId,
        numberId: owned.number.id,
        path: fileId,
        mimeType: 'image/png',
        sizeBytes: 1,
        fileName: null,
        createdAt: now,
        expiresAt,
      })
    }
    const media = { id: null, url: `http://localhost/media/${id}/a.png`, mimeType: 'image/png', fileName: 'a.png' }
    await received(world, owned, { externalMessageId: 'fi.1', type: 'image', content: { ...NO_CONTENT, media } })
    await world.stores.inbox.change(owned.fence, edit(world, 'fi.1', 'a caption'))
    t.deepEqual((await world.stores.messages.find(owned.number.id, 'fi.1'))?.content, {
      ...NO_CONTENT,
      text: 'a caption',
      media,
    })
    t.not(await world.stores.files.find(id), null)
    await world.stores.inbox.change(owned.fence, revoke(world, 'fi.1'))
    t.is(await world.stores.files.find(id), null)
    t.not(await world.stores.files.find(other), null)
  })

  test(`${name}: a message that could not be shown is replaced by its content once that arrives`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const unsupported = { ...NO_CONTENT, upstream: { errors: [{ code: 131051 }] } }
    const first = await received(world, owned, {
      externalMessageId: 'un.1',
      type: 'unsupported',
      content: unsupported,
      events: [],
    })
    t.like(await world.stores.messages.find(owned.number.id, 'un.1'), { type: 'unsupported', content: unsupported })
    const id = newId('msg')
    const readable = incoming(
      world,
      owned,
      { id, externalMessageId: 'un.1', events: [callEvent('message.received', { id })] },
      'readable',
    )
    t.is(await world.stores.inbox.receive(owned.fence, readable), 'applied')
    t.is(await world.stores.inbox.receive(owned.fence, readable), 'stale')
    t.like(await world.stores.messages.find(owned.number.id, 'un.1'), {
      id: first.id,
      type: 'text',
      content: { text: 'readable' },
    })
    t.deepEqual(
      (await messageEvents(world, owned)).map(({ data }) => data['id']),
      [first.id],
      'it is told under the id it has',
    )
    t.is((await world.stores.messages.unread(owned.number.id, PAGE)).total, 1)
  })

  test(`${name}: a notice of upstream opens no window`, async (t) => {
    const world = makeWorld()
    const owned = await officialNumber(world)
    await received(world, owned, { type: 'system', isUnread: false, events: [] }, 'Ann has a new number')
    t.like((await world.stores.messages.conversations(owned.number.id, PAGE)).items[0], {
      windowExpiresAt: null,
      unreadCount: 0,
      lastMessagePreview: 'Ann has a new number',
    })
  })
}

/**
 * What purges leave of changes. It needs a database of its own, because purges of other tests would remove rows between
 * two reads.
 */
export function messageChangePurgeSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test.serial(`${name}: changes whose message never came are forgotten after 7 days`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    await world.stores.inbox.change(owned.fence, edit(world, 'never.1', 'x'))
    world.clock.advance(7 * DAY_MS - 1)
    await world.stores.messages.purge()
    t.true((await world.rawTable('message_changes')).includes('never.1'))
    world.clock.advance(2)
    await world.stores.messages.purge()
    t.false((await world.rawTable('message_changes')).includes('never.1'))
  })
}
