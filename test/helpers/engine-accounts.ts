import type { ExecutionContext } from 'ava'
import type { EngineWorld } from './engine-world.ts'
import { describe } from './message-accounts.ts'
import { historyOf } from './message-service.ts'
import type { Conversation } from './message-storm.ts'
import type { Chat } from './phone-storm.ts'
import type { StoredEnvelope } from './receiver-ledger.ts'
import type { PairedNumber, Service } from './service.ts'
import { until } from './until.ts'

/** The most messages on a page of history, which `historyOf` asks for. */
const PAGE = 100

/** Waits as long as a count falls, until it is 0. */
async function untilNone(what: string, count: () => Promise<number>): Promise<void> {
  let left = await count()
  while (left > 0) {
    const before = left
    left = await until(`${what}: ${before} left, and fewer`, async () => {
      const now = await count()
      return now === 0 || now < before ? { now } : null
    }).then(({ now }) => now)
  }
}

/** Waits until the network keeps nothing for the numbers, and the gateway has as many messages as were written. */
export async function untilHeard(
  world: Pick<EngineWorld, 'waitingFor'>,
  service: Service,
  chats: readonly Chat[],
): Promise<void> {
  const byNumber = Map.groupBy(chats, ({ number }) => number)
  await untilNone('stanzas that nobody acknowledged', async () => {
    const counts = await Promise.all([...byNumber.keys()].map((number) => world.waitingFor(number)))
    return counts.reduce((sum, waiting) => sum + waiting, 0)
  })
  await untilNone('texts that are not in the history', async () => {
    const missing = await Promise.all(
      [...byNumber].map(async ([number, its]) => {
        const { total } = await historyOf(service, number)
        return Math.max(0, its.reduce((sum, { written }) => sum + written.length, 0) - total)
      }),
    )
    return missing.reduce((sum, count) => sum + count, 0)
  })
}

async function heardBy(service: Service, number: PairedNumber): Promise<any[]> {
  const heard: any[] = []
  for (let page = 1; ; page++) {
    const { messages } = await historyOf(service, number, `&page=${page}`)
    heard.push(...messages)
    if (messages.length < PAGE) return heard.toReversed()
  }
}

/**
 * Faults of what was received. The history of each number must have what was written to it: each message once, nothing
 * else, in the order of writing within each chat; and each must be told once.
 */
export async function heardFaults(
  service: Service,
  events: readonly StoredEnvelope[],
  chats: readonly Chat[],
): Promise<string[]> {
  const faults: string[] = []
  const told = Map.groupBy(
    events.filter(({ event }) => event === 'message.received'),
    ({ data }) => data.messageId as string,
  )
  for (const [number, its] of Map.groupBy(chats, (chat) => chat.number)) {
    const heard = await heardBy(service, number)
    const written = its.reduce((sum, chat) => sum + chat.written.length, 0)
    if (heard.length !== written)
      faults.push(`${number.digits}: ${heard.length} in the history, ${written} were written`)
    for (const chat of its) {
      const texts = heard.filter(({ from }) => from === chat.peer).map(({ content }) => content as string)
      const wanted = chat.written.map(({ text }) => text)
      if (JSON.stringify(texts) !== JSON.stringify(wanted))
        faults.push(`${chat.peer} to ${number.digits}: ${describe(texts, wanted)}`)
      for (const { id, text } of chat.written)
        if (told.get(id)?.length !== 1) faults.push(`${text} was told ${told.get(id)?.length ?? 0} times`)
    }
  }
  const [toldCount, writtenCount] = [
    [...told.values()].flat().length,
    chats.reduce((sum, { written }) => sum + written.length, 0),
  ]
  if (toldCount !== writtenCount) faults.push(`${toldCount} texts were told, ${writtenCount} were written`)
  return faults
}

/** Asserts that what was received has no faults. */
export async function assertHeard(
  t: ExecutionContext,
  service: Service,
  events: readonly StoredEnvelope[],
  chats: readonly Chat[],
): Promise<void> {
  const faults = await heardFaults(service, events, chats)
  t.deepEqual(faults.slice(0, 10), [], `${faults.length} faults`)
}

/** What phones show of the sent messages. */
export interface Shown {
  /** Conversations of which something is missing, or is there twice, or was never sent. */
  readonly faults: readonly string[]
  /** Messages that were sent again under the same id; phones show those once. */
  readonly again: number
  /**
   * Conversations whose messages have another order than they were accepted in. This ledger does not require an order
   * of sends.
   */
  readonly outOfOrder: number
}

/** Compares phones with what was sent: each send must be there once, under one id, and nothing else. */
export async function shownOnPhones(
  world: Pick<EngineWorld, 'received'>,
  conversations: readonly Conversation[],
): Promise<Shown> {
  const faults: string[] = []
  let again = 0
  let outOfOrder = 0
  for (const [peer, its] of Map.groupBy(conversations, (conversation) => conversation.peer)) {
    const received = await world.received(peer)
    for (const { number, texts } of its) {
      const arrived = received.filter(({ from }) => from === number.digits)
      const shown = arrived.map(({ text }) => text ?? '')
      again += arrived.filter(({ copies }) => copies > 1).length
      if (JSON.stringify(shown) !== JSON.stringify(texts)) outOfOrder++
      if (JSON.stringify(shown.toSorted()) !== JSON.stringify(texts.toSorted()))
        faults.push(`${number.digits} to ${peer}: ${describe(shown, texts)}, ${shown.length} of ${texts.length}`)
    }
  }
  return { faults, again, outOfOrder }
}

/** Asserts that each send is on its phone once, under one id, and that nothing else is. */
export async function assertOnPhones(
  t: ExecutionContext,
  world: Pick<EngineWorld, 'received'>,
  conversations: readonly Conversation[],
): Promise<Shown> {
  const shown = await shownOnPhones(world, conversations)
  t.deepEqual(shown.faults.slice(0, 10), [], `${shown.faults.length} conversations are not as they were accepted`)
  return shown
}
