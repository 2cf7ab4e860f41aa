import fc from 'fast-check'
import { CONVERSATION_TYPES, type ConversationType, type MessageDirection } from '../../src/domain/message.ts'
import type { IncomingMessage } from '../../src/ports/stores/message-inbox.ts'
import type { LongConversations } from '../../src/storage/messages/long-conversations.ts'
import type { newClaim } from './message-world.ts'
import { GROUP, HOUR_MS, incoming, newMessage, PAGE, PEER, report } from './message-world.ts'
import type { Owned, World } from './world.ts'

const TYPES: readonly ConversationType[] = CONVERSATION_TYPES
export const DIRECTIONS: readonly MessageDirection[] = ['INBOUND', 'OUTBOUND']
/** The peers of each type of conversation. */
export const PEERS: Readonly<Record<ConversationType, readonly string[]>> = {
  DIRECT: [PEER, '4915100000002', 'DE.100', '4915100000003', 'DE.300'],
  GROUP: [GROUP, '120363000000000002@g.us'],
  NEWSLETTER: ['120363000000000003@newsletter'],
}
/** A late evening, so that a few hours later it is the next day. */
export const LONG_AGO = Date.UTC(2001, 5, 14, 22)
/** The days that a privacy mode stores content. */
export const WINDOW_DAYS = 3

type Step =
  | {
      readonly kind: 'accept'
      readonly type: ConversationType
      readonly peer: number
      readonly key: number | null
      readonly hoursAgo: number
    }
  | {
      readonly kind: 'receive'
      readonly type: ConversationType
      readonly peer: number
      readonly name: number
      readonly hoursAgo: number
      readonly isFromMe: boolean
      readonly isUnread: boolean
    }
  | { readonly kind: 'report' | 'mark' | 'markAll' | 'cancel'; readonly pick: number }
  | { readonly kind: 'name'; readonly user: 'DE.100' | 'DE.300'; readonly digits: string }
  | { readonly kind: 'purge' | 'look' }
  | { readonly kind: 'wait'; readonly hours: number }

const nat = fc.nat({ max: 5 })
const type = fc.constantFrom(...TYPES)
const hoursAgo = fc.constantFrom(0, 0, 0, 1, 5, 30, 90, 2_000)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('accept' as const), type, peer: nat, key: fc.option(nat), hoursAgo }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('receive' as const),
      type,
      peer: nat,
      name: fc.nat({ max: 20 }),
      hoursAgo,
      isFromMe: fc.boolean(),
      isUnread: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('report' as const, 'mark' as const, 'markAll' as const, 'cancel' as const),
      pick: fc.nat({ max: 30 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('name' as const),
      user: fc.constantFrom('DE.100' as const, 'DE.300' as const),
      digits: fc.constantFrom(PEER, '4915100000003'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'purge' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'look' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 40 }) }) },
)
/** Groups of steps; the steps of one group run at once. */
export const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 })

/** The columns of a message row that are checked. */
export interface Row {
  readonly id: string
  readonly number_id: string
  readonly conversation_id: string
  readonly conversation_type: ConversationType
  readonly direction: MessageDirection
  readonly created_at: string
  readonly is_unread: boolean
}

/** The stored rows of a number. */
export async function rowsOf<R>(world: World, table: string, { number }: Owned): Promise<R[]> {
  const rows = JSON.parse(await world.rawTable(table)) as (R & { readonly number_id: string })[]
  return rows.filter((row) => row.number_id === number.id)
}

/** The time of a row, in ms since the epoch. */
export function timeOf({ created_at: text }: Row): number {
  return Date.parse(`${text.replace(' ', 'T')}:00`)
}

/** The UTC day of a row. */
export function dayOf(row: Row): string {
  return new Date(timeOf(row)).toISOString().slice(0, 10)
}

function peerOf(type: ConversationType, peer: number): string {
  return PEERS[type][peer % PEERS[type].length] ?? PEER
}

/** A number with its counter of long conversations. `claims` are shared, so that a key may be used again. */
export interface Life {
  readonly world: World
  readonly owned: Owned
  readonly looks: LongConversations
  readonly claims: readonly ReturnType<typeof newClaim>[]
}

/** Takes one step in a number's life. */
export async function take({ world, owned, looks, claims }: Life, step: Step): Promise<void> {
  const { messages, inbox } = world.stores
  const id = async (pick: number) => (await rowsOf<Row>(world, 'messages', owned)).at(pick)?.id ?? 'none'
  const now = world.clock.now()
  switch (step.kind) {
    case 'accept': {
      const message = newMessage(world, owned, {
        to: { type: step.type, address: peerOf(step.type, step.peer) },
        createdAt: new Date(now - step.hoursAgo * HOUR_MS),
        ...(step.peer === 0 ? { deliverAt: new Date(now + HOUR_MS) } : {}),
      })
      await messages.accept(message, step.key === null ? null : (claims[step.key] ?? null))
      return
    }
    case 'receive': {
      const fields: Partial<IncomingMessage> = {
        externalMessageId: `counted.${step.name}`,
        peer: peerOf(step.type, step.peer),
        conversationType: step.type,
        isFromMe: step.isFromMe,
        isUnread: step.isUnread,
        happenedAt: new Date(now - step.hoursAgo * HOUR_MS),
        events: [],
      }
      await inbox.receive(owned.fence, incoming(world, owned, fields))
      return
    }
    case 'report': {
      await inbox.report(
        owned.fence,
        report(world, 'DELIVERED', { messageId: (await id(step.pick)) as `msg_${string}` }),
      )
      return
    }
    case 'mark': {
      await messages.markRead(owned.number.id, [await id(step.pick), await id(step.pick + 1)])
      return
    }
    case 'markAll': {
      const { items } = await messages.conversations(owned.number.id, PAGE)
      await messages.markConversationRead(owned.number.id, items[step.pick % 6]?.id ?? '')
      return
    }
    case 'cancel': {
      await messages.cancel(owned.number.id, [await id(step.pick)])
      return
    }
    case 'look': {
      await looks.look()
      return
    }
    case 'name': {
      await inbox.name(owned.fence, { addresses: [step.digits, step.user] })
      return
    }
    case 'purge': {
      await messages.purge()
      return
    }
    case 'wait':
      world.clock.advance(step.hours * HOUR_MS)
  }
}
