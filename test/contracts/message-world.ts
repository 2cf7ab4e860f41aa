import { newId, type MessageId } from '../../src/domain/ids.ts'
import { NO_CONTENT, type Destination, type MessageFailure } from '../../src/domain/message.ts'
import { DEFAULT_SETTINGS, type PiiMode } from '../../src/domain/number.ts'
import type { IncomingMessage, StatusReport } from '../../src/ports/stores/message-inbox.ts'
import type { ClaimedAnswer, NewMessage } from '../../src/ports/stores/message-store.ts'
import { newNumber, ownedNumber, storedEvents, type Owned, type World } from './world.ts'

export const PEER = '4915100000001'
export const GROUP = '120363000000000001@g.us'
export const PAGE = { page: 1, pageSize: 100 }
export const ALL = { ...PAGE, startDate: null, endDate: null }
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export const FAILURE: MessageFailure = {
  code: 'OFFICIAL_ERROR',
  message: 'Upstream refused it',
  details: 'for a reason',
  upstreamCode: 131_000,
}

export function direct(address: string = PEER): Destination {
  return { type: 'DIRECT', address }
}

/** A text message that is about to be accepted. */
export function newMessage(
  world: Pick<World, 'clock'>,
  owned: Pick<Owned, 'tenantId' | 'number'>,
  fields: Partial<NewMessage> = {},
  text = 'hello',
): NewMessage {
  const id = fields.id ?? newId('msg')
  return {
    id,
    tenantId: owned.tenantId,
    numberId: owned.number.id,
    provider: owned.number.provider,
    to: direct(),
    type: 'text',
    content: { ...NO_CONTENT, text },
    outgoing: { mode: 'text', text, buttons: [], header: null, footer: null },
    quotedMessageId: null,
    correlationId: id,
    template: null,
    templateId: null,
    seenTemplate: null,
    flow: null,
    deliverAt: null,
    deliverUntil: null,
    createdAt: new Date(world.clock.now()),
    ...fields,
  }
}

export function newClaim(fields: Partial<ClaimedAnswer['request']> = {}, body = '{"id":"first"}'): ClaimedAnswer {
  return {
    request: { ownerId: newId('num'), key: 'order-7', fingerprint: 'f1', ...fields },
    answer: { status: 202, body },
  }
}

/** Accepts a message and returns it. */
export async function accepted(
  world: World,
  owned: Owned,
  fields: Partial<NewMessage> = {},
  text?: string,
): Promise<NewMessage> {
  const message = newMessage(world, owned, fields, text)
  const outcome = await world.stores.messages.accept(message, null)
  if (outcome.kind !== 'accepted') throw new Error(`the message was not accepted: ${outcome.kind}`)
  return message
}

/** Accepts a message, begins it and settles it as sent. */
export async function sent(
  world: World,
  owned: Owned,
  externalMessageId: string,
  fields: Partial<NewMessage> = {},
): Promise<NewMessage> {
  const message = await accepted(world, owned, fields)
  await world.stores.queue.begin(owned.fence, message.id)
  const result = await world.stores.queue.settle(owned.fence, {
    messageId: message.id,
    kind: 'sent',
    externalMessageId,
  })
  if (result !== 'applied') throw new Error(`the message was not sent: ${result}`)
  return message
}

let lastExternal = 0

export function incoming(
  world: World,
  owned: Owned,
  fields: Partial<IncomingMessage> = {},
  text = 'hi there',
): IncomingMessage {
  return {
    id: newId('msg'),
    externalMessageId: `in.${++lastExternal}`,
    peer: PEER,
    conversationType: 'DIRECT',
    peerName: 'Ann',
    isFromMe: false,
    from: PEER,
    fromName: 'Ann',
    to: owned.number.number,
    type: 'text',
    content: { ...NO_CONTENT, text },
    quotedMessageId: null,
    flowReply: null,
    referral: null,
    happenedAt: new Date(world.clock.now()),
    isUnread: true,
    events: [{ event: 'message.received', data: { content: text } }],
    replyEvent: null,
    ...fields,
  }
}

export async function received(
  world: World,
  owned: Owned,
  fields: Partial<IncomingMessage> = {},
  text?: string,
): Promise<IncomingMessage> {
  const message = incoming(world, owned, fields, text)
  const result = await world.stores.inbox.receive(owned.fence, message)
  if (result !== 'applied') throw new Error(`the message was not received: ${result}`)
  return message
}

export function report(world: World, status: StatusReport['status'], fields: Partial<StatusReport> = {}): StatusReport {
  return {
    externalMessageId: 'up.1',
    messageId: null,
    status,
    failure: status === 'FAILED' ? FAILURE : null,
    at: new Date(world.clock.now()),
    ...fields,
  }
}

/** Makes a number with this privacy mode, owned by one node. */
export async function privateNumber(
  world: World,
  piiMode: PiiMode,
  piiRetentionDays: number | null = null,
): Promise<Owned> {
  const { tenantId } = await world.stores.tenants.create('Private')
  const made = await world.stores.numbers.create(
    newNumber(tenantId, { piiMode, piiRetentionDays, settings: DEFAULT_SETTINGS }),
  )
  if (!made.ok) throw new Error(made.error.message)
  const fence = await world.leases().acquire(made.value.number.id)
  if (!fence) throw new Error('the new number could not be leased')
  return { tenantId, number: made.value.number, key: made.value.key, fence }
}

/** Makes two numbers of one tenant and one of another. */
export async function threeNumbers(world: World): Promise<[Owned, Owned, Owned]> {
  const one = await ownedNumber(world)
  const made = await world.stores.numbers.create(newNumber(one.tenantId))
  if (!made.ok) throw new Error(made.error.message)
  const fence = await world.leases().acquire(made.value.number.id)
  if (!fence) throw new Error('the second number could not be leased')
  return [
    one,
    { tenantId: one.tenantId, number: made.value.number, key: made.value.key, fence },
    await ownedNumber(world),
  ]
}

export async function headIds(world: World, owned: Owned, limit = 10): Promise<MessageId[]> {
  return (await world.stores.queue.heads(owned.number.id, [], limit)).map(({ id }) => id)
}

/** Events of messages, oldest first. */
export async function messageEvents(world: World, owned: Owned) {
  const events = await storedEvents(world.stores.events, { tenantId: owned.tenantId, numberId: owned.number.id })
  return events.filter(({ event }) => event.startsWith('message.'))
}
