import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { IDEMPOTENCY_MS } from '../../src/domain/limits.ts'
import type { NewMessage } from '../../src/ports/stores/message-store.ts'
import { accepted, ALL, direct, headIds, HOUR_MS, newClaim, newMessage, PAGE, PEER, sent } from './message-world.ts'
import { newTenant } from './official-store.ts'
import { accountOf, bodyOf, created, ownerOf, unofficialNumber } from './template-world.ts'
import { ownedNumber, type MakeWorld, type World } from './world.ts'

/** How messages are accepted. */
export function messageAcceptSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: an accepted message is stored as it was given, with its conversation`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1, 0, 0, 0, 7))
    const owned = await ownedNumber(world)
    const message = newMessage(
      world,
      owned,
      { correlationId: 'order 7', quotedMessageId: 'up.0' },
      'a "quoted"\u0000 \ud800 text 😀',
    )
    t.deepEqual(await world.stores.messages.accept(message, null), { kind: 'accepted' })
    const stored = await world.stores.messages.find(owned.number.id, message.id)
    t.like(stored, {
      id: message.id,
      tenantId: owned.tenantId,
      numberId: owned.number.id,
      provider: 'UNOFFICIAL',
      direction: 'OUTBOUND',
      status: 'QUEUED',
      type: 'text',
      content: message.content,
      from: owned.number.number,
      to: PEER,
      correlationId: 'order 7',
      quotedMessageId: 'up.0',
      externalMessageId: null,
      isRedacted: false,
      createdAt: message.createdAt,
      sentAt: null,
    })
    t.deepEqual(await world.stores.messages.find(owned.number.id, 'order 7'), stored)
    const { items, total } = await world.stores.messages.conversations(owned.number.id, PAGE)
    t.is(total, 1)
    t.like(items[0], {
      id: stored?.conversationId,
      type: 'DIRECT',
      peer: PEER,
      unreadCount: 0,
      lastMessagePreview: message.content.text,
      lastMessageAt: message.createdAt,
    })
    t.regex(stored?.conversationId ?? '', /^conv_[0-9a-z]{26}$/)
    t.like((await world.stores.queue.heads(owned.number.id, [], 10))[0], {
      id: message.id,
      outgoing: message.outgoing,
      to: direct(),
      quotedMessageId: 'up.0',
      attempts: 0,
    })
  })

  test(`${name}: the newest of messages with one correlation id is found; the service id wins`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const first = await accepted(world, owned, { correlationId: 'twice' })
    const second = await accepted(world, owned, { correlationId: 'twice' })
    t.is((await world.stores.messages.find(owned.number.id, 'twice'))?.id, second.id)
    await accepted(world, owned, { correlationId: first.id })
    t.is((await world.stores.messages.find(owned.number.id, first.id))?.id, first.id)
    const third = await sent(world, owned, 'up.found')
    t.is((await world.stores.messages.find(owned.number.id, 'up.found'))?.id, third.id)
    t.is(await world.stores.messages.find(owned.number.id, 'nobody'), null)
  })

  test(`${name}: a message knows the template it was made of, by our id and upstream's, and no other number does`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const templateId = newId('tpl')
    const message = await accepted(world, owned, { type: 'template', template: 'welcome', templateId })
    t.like(await world.stores.messages.find(owned.number.id, message.id), { type: 'template', template: 'welcome' })
    await world.stores.queue.settle(owned.fence, { kind: 'sent', messageId: message.id, externalMessageId: 'up.tpl' })
    const plain = await accepted(world, owned)
    const stranger = await ownedNumber(world)
    const templateOf = (anyId: string, { number } = owned) => world.stores.messages.templateOf(number.id, anyId)
    t.deepEqual(
      [
        await templateOf(message.id),
        await templateOf('up.tpl'),
        await templateOf(plain.id),
        await templateOf('nobody'),
        await templateOf(message.id, stranger),
      ],
      [templateId, templateId, null, null, null],
    )
  })

  test(`${name}: a message is not accepted once the template it was made of is not so any more`, async (t) => {
    const world = makeWorld()
    const { templates, messages } = world.stores
    const account = await accountOf(world, await newTenant(world))
    const other = await accountOf(world, account.tenantId)
    const local = await unofficialNumber(world, account.tenantId)
    for (const [number, owner] of [
      [account.number, account.owner],
      [local, ownerOf(local)],
    ] as const) {
      const row = await created(world, owner, { language: 'en_US' })
      const look = async () => (await templates.find(number, row.id))[0]?.version ?? ''
      const accept = async (version: string, languages: number | null, fields: Partial<NewMessage> = {}) => {
        const { tenantId, id: numberId, provider } = number
        const message = newMessage(
          world,
          { ...(await ownedNumber(world)), tenantId, number },
          {
            tenantId,
            numberId,
            provider,
            type: 'template',
            template: row.name,
            templateId: row.id,
            seenTemplate: { version, languages },
            ...fields,
          },
        )
        const { kind } = await messages.accept(message, newClaim({ key: message.id }))
        t.is((await messages.find(message.numberId, message.id)) !== null, kind === 'accepted')
        return kind
      }
      const first = await look()
      t.deepEqual(
        [await accept(first, null), await accept(first, 1), await accept(first, 2), await accept('0', null)],
        ['accepted', 'accepted', 'stale', 'stale'],
      )
      t.is(
        await accept(first, null, { numberId: other.number.id, provider: other.number.provider }),
        'stale',
        'it is not of that number',
      )
      await created(world, owner, { name: row.name, language: 'pt_BR' })
      t.deepEqual(
        [await accept(first, 1), await accept(first, 2), await accept(first, null)],
        ['stale', 'accepted', 'accepted'],
      )
      await templates.change(row.id, () => ({ kind: 'CHANGE', patch: { body: bodyOf('Else') } }))
      const second = await look()
      t.deepEqual([await accept(first, null), await accept(second, null)], ['stale', 'accepted'])
      t.deepEqual(
        templates.recall(number, row.id)?.map(({ version }) => version),
        [second],
      )
      await templates.change(row.id, () => ({ kind: 'REMOVE' }))
      t.is(await accept(second, null), 'stale')
    }
  })

  test(`${name}: 100 sends at once with one Idempotency-Key make one message, the others get its answer`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const claim = newClaim()
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        world.stores.messages.accept(newMessage(world, owned), { ...claim, answer: { status: 202, body: String(n) } }),
      ),
    )
    t.is(outcomes.filter(({ kind }) => kind === 'accepted').length, 1)
    const winner = outcomes.findIndex(({ kind }) => kind === 'accepted')
    t.true(
      outcomes.every(
        (outcome) =>
          outcome.kind === 'accepted' || (outcome.kind === 'replay' && outcome.answer.body === String(winner)),
      ),
    )
    t.is((await world.stores.messages.history(owned.number.id, { ...ALL, direction: 'OUTBOUND', peer: null })).total, 1)
  })

  test(`${name}: a key used for another request is refused and stores nothing, a running one too`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const claim = newClaim()
    t.deepEqual(await world.stores.messages.accept(newMessage(world, owned), claim), { kind: 'accepted' })
    const other = newMessage(world, owned, { to: direct('4915100000099') })
    t.deepEqual(await world.stores.messages.accept(other, newClaim({ ...claim.request, fingerprint: 'f2' })), {
      kind: 'reused',
    })
    t.deepEqual(await world.stores.idempotency.start(claim.request), { kind: 'replay', answer: claim.answer })
    const running = newClaim()
    await world.stores.idempotency.start(running.request)
    t.deepEqual(await world.stores.messages.accept(other, running), { kind: 'running' })
    t.is(await world.stores.messages.find(owned.number.id, other.id), null)
    t.is((await world.stores.messages.conversations(owned.number.id, PAGE)).total, 1)
    t.false((await world.rawTable('idempotent_requests')).includes('"id":"first"'), 'answers are sealed')
  })

  test(`${name}: a key is free again after 24 h, and two callers may use the same`, async (t) => {
    const world = makeWorld(Date.UTC(2003, 0, 1))
    const owned = await ownedNumber(world)
    const claim = newClaim()
    t.is((await world.stores.messages.accept(newMessage(world, owned), claim)).kind, 'accepted')
    t.is((await world.stores.messages.accept(newMessage(world, owned), newClaim())).kind, 'accepted')
    world.clock.advance(IDEMPOTENCY_MS - 1)
    t.is((await world.stores.messages.accept(newMessage(world, owned), claim)).kind, 'replay')
    world.clock.advance(1)
    t.is((await world.stores.messages.accept(newMessage(world, owned), claim)).kind, 'accepted')
  })

  test(`${name}: sends to one new peer at once share a conversation and keep their order`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const messages = Array.from({ length: 60 }, (_, n) => newMessage(world, owned, {}, String(n)))
    const outcomes = await Promise.all(messages.map((message) => world.stores.messages.accept(message, null)))
    t.true(outcomes.every(({ kind }) => kind === 'accepted'))
    t.is((await world.stores.messages.conversations(owned.number.id, PAGE)).total, 1)
    for (const message of messages) {
      t.deepEqual(await headIds(world, owned), [message.id])
      await world.stores.queue.settle(owned.fence, {
        messageId: message.id,
        kind: 'sent',
        externalMessageId: `order.${message.id}`,
      })
    }
  })

  test(`${name}: two nodes that accept at once, in opposite orders, share keys and conversations`, async (t) => {
    const [here, there] = [makeWorld(), makeWorld()]
    const owned = await ownedNumber(here)
    const sends = Array.from({ length: 120 }, (_, n) => ({
      claim: newClaim({ key: `key ${n}` }),
      to: direct(String(4915700000000 + (n % 40))),
    }))
    const run = (world: World, order: typeof sends) =>
      Promise.all(order.map(({ claim, to }) => world.stores.messages.accept(newMessage(world, owned, { to }), claim)))
    const outcomes = (await Promise.all([run(here, sends), run(there, sends.toReversed())])).flat()
    t.is(outcomes.filter(({ kind }) => kind === 'accepted').length, 120)
    t.is(outcomes.filter(({ kind }) => kind === 'replay').length, 120)
    t.is((await here.stores.messages.conversations(owned.number.id, PAGE)).total, 40)
    t.is(
      (await here.stores.messages.history(owned.number.id, { ...ALL, direction: 'OUTBOUND', peer: null })).total,
      120,
    )
  })

  test(`${name}: a removed number takes no message, and its messages go with it`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const stranger = await ownedNumber(world)
    const kept = await accepted(world, owned)
    t.deepEqual(
      await world.stores.messages.accept(newMessage(world, owned, { tenantId: stranger.tenantId }), newClaim()),
      { kind: 'gone' },
    )
    await world.stores.numbers.remove(owned.tenantId, owned.number.id)
    const outcomes = await Promise.all(
      [owned, stranger, owned].map((number) => world.stores.messages.accept(newMessage(world, number), null)),
    )
    t.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['gone', 'accepted', 'gone'],
    )
    t.is(await world.stores.messages.find(owned.number.id, kept.id), null)
    t.false((await world.rawTable('conversations')).includes(owned.number.id))
  })

  test(`${name}: only a message that waits for its deliverAt and was never tried can be canceled`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const stranger = await ownedNumber(world)
    const deliverAt = new Date(world.clock.now() + HOUR_MS)
    const waiting = await accepted(world, owned, { deliverAt })
    const due = await accepted(world, owned)
    const foreign = await accepted(world, stranger, { deliverAt })
    const { cancelled, failed } = await world.stores.messages.cancel(owned.number.id, [
      waiting.id,
      due.id,
      foreign.id,
      'msg_unknown',
      waiting.id,
    ])
    t.deepEqual(cancelled, [waiting.id])
    t.deepEqual(
      failed.map(({ id }) => id),
      [due.id, foreign.id, 'msg_unknown'],
    )
    t.is(new Set(failed.map(({ reason }) => reason)).size, 1)
    t.like(await world.stores.messages.find(owned.number.id, waiting.id), { status: 'CANCELED' })
    t.deepEqual((await world.stores.messages.cancel(owned.number.id, [waiting.id])).cancelled, [])
    world.clock.advance(HOUR_MS)
    t.deepEqual(
      (await world.stores.messages.cancel(stranger.number.id, [foreign.id])).cancelled,
      [],
      'its time has come',
    )
  })
}
