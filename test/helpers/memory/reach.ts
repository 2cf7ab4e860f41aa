import { COUNTED_MS, WINDOW_MARGIN_MS } from '../../../src/domain/daily-limit.ts'
import type { MessageId, TenantId } from '../../../src/domain/ids.ts'
import { SERVICE_WINDOW_MS } from '../../../src/domain/limits.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { ReachAsk, ReachResult, ReachStore, TakenPlace } from '../../../src/ports/stores/reach-store.ts'
import type { MemoryMessages } from './messages.ts'

interface Person {
  readonly atMs: number
  readonly messageId: MessageId | null
}

/** People reached, in memory, with the windows of the messages that were received. */
export class MemoryReach implements ReachStore {
  readonly #people = new Map<string, Map<string, Person>>()
  readonly #messages: MemoryMessages
  readonly #clock: Clock

  constructor(messages: MemoryMessages, clock: Clock) {
    this.#messages = messages
    this.#clock = clock
  }

  async take({ tenantId, accountId, address, messageId, perDay }: ReachAsk): Promise<ReachResult> {
    const nowMs = this.#clock.now()
    const isOpen = this.#messages.received.some(
      ({ peer, isFromMe, happenedAt }) =>
        peer === address && !isFromMe && happenedAt.getTime() > nowMs - SERVICE_WINDOW_MS + WINDOW_MARGIN_MS,
    )
    if (isOpen) return { kind: 'open' }
    const people = this.#of(tenantId, accountId)
    const known = people.get(address)
    if (!known && people.size >= perDay)
      return { kind: 'full', until: new Date(Math.min(...[...people.values()].map(({ atMs }) => atMs)) + COUNTED_MS) }
    people.set(address, { atMs: nowMs, messageId: !known || known.messageId === messageId ? messageId : null })
    return { kind: 'counted', at: new Date(nowMs) }
  }

  async giveBack({ tenantId, accountId, address, messageId, at }: TakenPlace): Promise<void> {
    const people = this.#of(tenantId, accountId)
    const known = people.get(address)
    if (known?.messageId === messageId && known.atMs === at.getTime()) people.delete(address)
  }

  async counted(tenantId: TenantId, accountId: string): ReturnType<ReachStore['counted']> {
    const times = [...this.#of(tenantId, accountId).values()].map(({ atMs }) => atMs)
    return { used: times.length, resetsAt: times.length === 0 ? null : new Date(Math.min(...times) + COUNTED_MS) }
  }

  async purge(): Promise<number> {
    const before = this.#people.size
    for (const [key, people] of this.#people)
      if ([...people.values()].every(({ atMs }) => atMs <= this.#clock.now() - COUNTED_MS)) this.#people.delete(key)
    return before - this.#people.size
  }

  /** Who counts now. */
  #of(tenantId: TenantId, accountId: string): Map<string, Person> {
    const key = `${tenantId} ${accountId}`
    const people = this.#people.get(key) ?? new Map<string, Person>()
    this.#people.set(key, people)
    for (const [address, { atMs }] of people) if (atMs <= this.#clock.now() - COUNTED_MS) people.delete(address)
    return people
  }
}
