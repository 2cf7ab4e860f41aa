import { randomBytes } from 'node:crypto'
import type { TestFn } from 'ava'
import { messageIdOf } from '../../sandbox/official/messages/message-id.ts'
import type { FlowStatus } from '../../src/domain/flow.ts'
import { newId, type FlowId } from '../../src/domain/ids.ts'
import { NO_CONTENT } from '../../src/domain/message.ts'
import type { FlowReply } from '../../src/ports/stores/flow-response-store.ts'
import type { IncomingMessage } from '../../src/ports/stores/message-inbox.ts'
import type { NewMessage } from '../../src/ports/stores/message-store.ts'
import { flowAccount, madeFlow, upstreamId, type FlowAccount } from './flow-world.ts'
import { direct, incoming, newClaim, newMessage, PAGE, PEER, report } from './message-world.ts'
import { newTenant, randomId } from './official-store.ts'
import type { MakeWorld, Owned, World } from './world.ts'

const NOON = Date.UTC(2026, 0, 10, 12)
const PUBLIC: readonly FlowStatus[] = ['PUBLISHED', 'THROTTLED']
const ALL = { page: 1, pageSize: 100, startDate: null, endDate: null }

interface FlowNumber extends FlowAccount {
  readonly owned: Pick<Owned, 'tenantId' | 'number' | 'fence'>
  readonly flowId: FlowId
}

/** Makes an OFFICIAL number whose account has a published Flow. */
async function flowNumber(
  world: World,
  fields: Parameters<typeof flowAccount>[3] = {},
  like?: FlowNumber,
): Promise<FlowNumber> {
  const account = await flowAccount(world, like?.tenantId ?? (await newTenant(world)), like?.owner.accountId, fields)
  const fence = await world.leases().acquire(account.number.id)
  if (!fence) throw new Error('the number could not be leased')
  const flowId =
    like?.flowId
    ?? (await madeFlow(world, account.owner, { officialFlowId: upstreamId(), officialStatus: 'PUBLISHED' })).id
  return { ...account, owned: { tenantId: account.tenantId, number: account.number, fence }, flowId }
}

function flowMessage(
  world: World,
  { owned, flowId }: FlowNumber,
  token: string,
  fields: Partial<NewMessage> = {},
): NewMessage {
  return newMessage(world, owned, { type: 'flow', flow: { id: flowId, token, statuses: PUBLIC }, ...fields })
}

async function begun(
  world: World,
  of: FlowNumber,
  token: string,
  fields: Partial<NewMessage> = {},
): Promise<NewMessage> {
  const message = flowMessage(world, of, token, fields)
  const outcome = await world.stores.messages.accept(message, null)
  if (outcome.kind !== 'accepted') throw new Error(`the message was not accepted: ${outcome.kind}`)
  await world.stores.queue.begin(of.owned.fence, message.id)
  return message
}

function settle(world: World, { owned }: FlowNumber, { id: messageId }: NewMessage, externalMessageId: string) {
  return world.stores.queue.settle(owned.fence, { messageId, kind: 'sent', externalMessageId })
}

async function sent(
  world: World,
  of: FlowNumber,
  externalMessageId: string,
  token: string,
  fields: Partial<NewMessage> = {},
): Promise<NewMessage> {
  const message = await begun(world, of, token, fields)
  await settle(world, of, message, externalMessageId)
  return message
}

const REPLY: FlowReply = { flowToken: null, response: { name: 'Ada' }, rawResponse: null }

/** The answer that a customer submits. */
function reply(
  world: World,
  { owned }: FlowNumber,
  contextId: string | null,
  fields: Partial<FlowReply> = {},
  message: Partial<IncomingMessage> = {},
): IncomingMessage {
  const said = {
    type: 'interactive',
    content: { ...NO_CONTENT, text: 'Sent' },
    quotedMessageId: contextId,
    flowReply: { ...REPLY, ...fields },
  } as const
  return incoming(world, owned as Owned, { externalMessageId: `wamid.${randomId()}`, ...said, ...message })
}

async function answersOf(world: World, { number, flowId }: Pick<FlowNumber, 'number' | 'flowId'>) {
  const { items, total } = await world.stores.flowResponses.list(number, flowId, ALL)
  if (items.length !== total) throw new Error(`${items.length} answers are shown, ${total} counted`)
  return items
}

/** How received answers are joined to sent Flows. */
export function flowInboxSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [flows.responses.3] [flows.responses.5]
  test(`${name}: an answer is stored with its message, once however often and wherever it is told`, async (t) => {
    const world = makeWorld(NOON)
    const of = await flowNumber(world)
    const flow = await sent(world, of, `up.${of.flowId}`, 'ft_1')
    const answer = reply(world, of, `up.${of.flowId}`, { flowToken: 'ft_1' }, { happenedAt: new Date(NOON - 5_000) })
    const plain = incoming(world, of.owned as Owned, { externalMessageId: `plain.${of.flowId}` })
    const receive = (message: IncomingMessage) => world.stores.inbox.receive(of.owned.fence, message)
    const results = await Promise.all([
      receive(answer),
      receive(plain),
      ...[1, 2, 3].map(() => receive({ ...answer, id: newId('msg') })),
    ])
    t.deepEqual([results.filter((result) => result === 'applied').length, await receive(answer)], [2, 'stale'])
    const stored = await world.stores.messages.find(of.number.id, answer.externalMessageId)
    const [item, ...others] = await answersOf(world, of)
    const { id = '', ...rest } = item ?? {}
    t.regex(id, /^fres_[0-9a-z]{26}$/)
    t.deepEqual(
      [rest, others],
      [
        {
          flowId: of.flowId,
          contactNumber: PEER,
          contactName: 'Ann',
          conversationId: stored?.conversationId,
          messageId: flow.id,
          externalMessageId: answer.externalMessageId,
          flowToken: 'ft_1',
          response: { name: 'Ada' },
          rawResponse: null,
          submittedAt: new Date(NOON - 5_000),
        },
        [],
      ],
    )
  })

  test(`${name}: [identities.looking-up.3] an answer finds its message by another of its ids, be it known before or after`, async (t) => {
    const world = makeWorld(NOON)
    const of = await flowNumber(world)
    for (const isLate of [false, true]) {
      const key = `3EB0${randomBytes(8).toString('hex').toUpperCase()}`
      const [byNumber, byUser] = [PEER, 'DE.13491208655302741'].map((who) =>
        messageIdOf({ who, isOfBusiness: true, key }),
      ) as [string, string]
      const flow = await begun(world, of, `ft_${key}`)
      if (!isLate) await settle(world, of, flow, byNumber)
      await world.stores.inbox.receive(of.owned.fence, reply(world, of, byUser, { flowToken: `other_${key}` }))
      if (isLate) await settle(world, of, flow, byNumber)
      t.true((await answersOf(world, of)).some(({ messageId }) => messageId === flow.id))
    }
  })

  // [flows.responses.1] [flows.responses.2]
  test(`${name}: the message that is answered counts before the token, and either only inside of the account`, async (t) => {
    const world = makeWorld(NOON)
    const one = await flowNumber(world)
    const { id: otherFlow } = await madeFlow(world, one.owner, {
      officialFlowId: upstreamId(),
      officialStatus: 'PUBLISHED',
    })
    const second = await flowNumber(world, {}, one)
    const stranger = await flowNumber(world)
    const twin = await flowNumber(world)
    await sent(world, one, `up.${one.flowId}`, 'ft_1')
    await sent(world, { ...one, flowId: otherFlow }, `up.${otherFlow}`, 'ft_2')
    await sent(world, twin, `up.${twin.flowId}`, 'ft_1')
    const receive = async (of: FlowNumber, contextId: string | null, flowToken: string | null, name: string) => {
      const message = reply(world, of, contextId, { flowToken, response: { name } })
      t.is(await world.stores.inbox.receive(of.owned.fence, message), 'applied')
      t.not(await world.stores.messages.find(of.number.id, message.externalMessageId), null)
    }
    await receive(one, `up.${one.flowId}`, 'ft_2', 'both')
    await receive(one, null, 'ft_2', 'token')
    await receive(one, 'up.unknown', 'ft_1', 'unknown message')
    await receive(one, 'up.unknown', 'ft_unknown', 'neither')
    await receive(one, null, null, 'nothing')
    await receive(second, `up.${one.flowId}`, null, 'to another number of the account')
    await receive(stranger, `up.${one.flowId}`, 'ft_1', 'stranger')
    const names = async (of: Pick<FlowNumber, 'number' | 'flowId'>) =>
      (await answersOf(world, of)).map(({ response }) => response?.['name']).toSorted()
    t.deepEqual(await names(one), ['both', 'unknown message'])
    t.deepEqual(await names({ ...one, flowId: otherFlow }), ['token'])
    t.deepEqual(await names(second), ['to another number of the account'])
    t.deepEqual(
      [await names(stranger), await names(twin), await names({ ...stranger, flowId: one.flowId })],
      [[], [], []],
    )
    t.false((await world.rawTable('flow_responses')).includes('stranger'))
    t.false((await world.rawTable('flow_responses')).includes('neither'))
  })

  test(`${name}: a Flow answer that arrives before the send is settled is joined by the settlement, or by the status that names the message`, async (t) => {
    const world = makeWorld(NOON)
    const of = await flowNumber(world)
    const [settled, reported] = [
      await begun(world, of, 'ft_1'),
      await begun(world, of, 'ft_2', { to: direct('4915100000009') }),
    ]
    const [one, two] = [`up.1.${of.flowId}`, `up.2.${of.flowId}`]
    await world.stores.inbox.receive(of.owned.fence, reply(world, of, one))
    await world.stores.inbox.receive(
      of.owned.fence,
      reply(world, of, two, {}, { peer: '4915100000009', from: '4915100000009' }),
    )
    t.deepEqual(await answersOf(world, of), [])
    await settle(world, of, settled, one)
    t.deepEqual(
      (await answersOf(world, of)).map(({ messageId }) => messageId),
      [settled.id],
    )
    t.is(
      await world.stores.inbox.report(
        of.owned.fence,
        report(world, 'DELIVERED', { externalMessageId: two, messageId: reported.id }),
      ),
      'applied',
    )
    t.deepEqual(
      (await answersOf(world, of)).map(({ messageId }) => messageId).toSorted(),
      [settled.id, reported.id].toSorted(),
    )
    await world.stores.inbox.report(
      of.owned.fence,
      report(world, 'READ', { externalMessageId: two, messageId: reported.id }),
    )
    t.is((await answersOf(world, of)).length, 2)
  })

  test(`${name}: a Flow answer and the event that names its message are joined when they arrive at once`, async (t) => {
    const world = makeWorld(NOON)
    const of = await flowNumber(world)
    for (let round = 0; round < 20; round++) {
      const peer = `4915200000${100 + round}`
      const message = await begun(world, of, `ft_${round}`, { to: direct(peer) })
      const external = `up.${round}.${of.flowId}`
      const naming =
        round % 2 === 0
          ? () => settle(world, of, message, external)
          : () =>
              world.stores.inbox.report(
                of.owned.fence,
                report(world, 'SENT', { externalMessageId: external, messageId: message.id }),
              )
      const answering = () =>
        world.stores.inbox.receive(of.owned.fence, reply(world, of, external, {}, { peer, from: peer }))
      await Promise.all(round % 4 < 2 ? [naming(), answering()] : [answering(), naming()])
      t.is((await answersOf(world, of)).length, round + 1, `round ${round}`)
    }
  })

  test(`${name}: an answer that upstream could not show at first is stored once it can`, async (t) => {
    const world = makeWorld(NOON)
    const of = await flowNumber(world)
    await sent(world, of, `up.${of.flowId}`, 'ft_1')
    const answer = reply(world, of, `up.${of.flowId}`)
    await world.stores.inbox.receive(of.owned.fence, { ...answer, type: 'unsupported', flowReply: null })
    t.deepEqual(await answersOf(world, of), [])
    await world.stores.inbox.receive(of.owned.fence, { ...answer, id: newId('msg') })
    t.deepEqual(
      (await answersOf(world, of)).map(({ externalMessageId }) => externalMessageId),
      [answer.externalMessageId],
    )
  })

  test(`${name}: answers are kept unchanged, also unreadable or long ones, and those of a user without number or name`, async (t) => {
    const world = makeWorld(NOON)
    const of = await flowNumber(world)
    await sent(world, of, `up.${of.flowId}`, 'ft_1')
    const long = {
      ...Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`field_${at}`, 'é'.repeat(512)])),
      'odd\u0000 \ud800': ['😀', null, { deep: 1.5 }],
    }
    const [hidden, nameless] = ['US.13491208655302741918', { peerName: null, fromName: null }] as const
    await world.stores.inbox.receive(
      of.owned.fence,
      reply(world, of, `up.${of.flowId}`, { response: long }, { happenedAt: new Date(NOON - 1_000) }),
    )
    await world.stores.inbox.receive(
      of.owned.fence,
      reply(
        world,
        of,
        `up.${of.flowId}`,
        { response: null, rawResponse: '{"name": \u0000' },
        { happenedAt: new Date(NOON), peer: hidden, from: hidden, ...nameless },
      ),
    )
    const [raw, whole] = await answersOf(world, of)
    t.like(raw, { response: null, rawResponse: '{"name": \u0000', contactNumber: hidden, contactName: null })
    t.deepEqual(whole?.response, long as never)
  })

  test(`${name}: the answers of a user who was known by two names are of the one conversation`, async (t) => {
    const world = makeWorld(NOON)
    const of = await flowNumber(world)
    await sent(world, of, `up.${of.flowId}`, 'ft_1')
    const hidden = 'US.13491208655302741919'
    const answer = reply(world, of, `up.${of.flowId}`, {}, { peer: hidden, from: hidden })
    await world.stores.inbox.receive(of.owned.fence, answer)
    await world.stores.inbox.name(of.owned.fence, { addresses: [PEER, hidden] })
    const { items } = await world.stores.messages.conversations(of.number.id, PAGE)
    t.deepEqual(
      (await answersOf(world, of)).map(({ conversationId }) => conversationId),
      items.map(({ id }) => id),
    )
  })

  test(`${name}: RELAY_ONLY keeps no answer and no token, and a number that becomes so loses them`, async (t) => {
    const world = makeWorld(NOON)
    const of = await flowNumber(world, { piiMode: 'RELAY_ONLY' })
    const secret = `secret-${of.flowId}`
    await sent(world, of, `up.${of.flowId}`, secret)
    await world.stores.inbox.receive(
      of.owned.fence,
      reply(world, of, `up.${of.flowId}`, { flowToken: secret, response: { name: secret } }),
    )
    const early = await begun(world, of, `${secret} early`)
    await world.stores.inbox.receive(of.owned.fence, reply(world, of, 'up.early', { response: { name: secret } }))
    await settle(world, of, early, 'up.early')
    for (const table of ['flow_responses', 'messages']) t.false((await world.rawTable(table)).includes(secret), table)
    const later = await flowNumber(world)
    await sent(world, later, `up.${later.flowId}`, `mine-${later.flowId}`)
    t.true((await world.rawTable('messages')).includes(`mine-${later.flowId}`))
    await world.stores.numbers.patch(later.tenantId, later.number.id, { piiMode: 'RELAY_ONLY' })
    await world.stores.messages.purge()
    t.false((await world.rawTable('messages')).includes(`mine-${later.flowId}`))
  })

  test(`${name}: a message is not accepted once its Flow left the states it was made for, is gone, or never was upstream's`, async (t) => {
    const world = makeWorld(NOON)
    const { flows, messages } = world.stores
    const of = await flowNumber(world)
    const other = await flowNumber(world)
    const accept = async (id: FlowId, statuses: readonly FlowStatus[], { owned } = of) => {
      const message = newMessage(world, owned, { type: 'flow', flow: { id, token: 'mine', statuses } })
      const { kind } = await messages.accept(message, newClaim({ key: message.id }))
      t.is((await messages.find(owned.number.id, message.id)) !== null, kind === 'accepted')
      return kind
    }
    t.deepEqual(
      [await accept(of.flowId, PUBLIC), await accept(of.flowId, ['DRAFT']), await accept(of.flowId, PUBLIC, other)],
      ['accepted', 'stale', 'stale'],
    )
    t.is(await accept((await madeFlow(world, of.owner)).id, ['DRAFT']), 'stale', 'it has not reached upstream')
    await flows.change(of.flowId, () => ({ kind: 'CHANGE', patch: { officialStatus: 'DEPRECATED' } }))
    t.is(await accept(of.flowId, PUBLIC), 'stale')
    await flows.change(of.flowId, () => ({ kind: 'REMOVE' }))
    t.is(await accept(of.flowId, ['DEPRECATED']), 'stale')
  })
}
