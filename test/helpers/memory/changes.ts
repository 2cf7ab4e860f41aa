import type { NewEvent } from '../../../src/domain/events.ts'
import type { NumberId } from '../../../src/domain/ids.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import { isAccountField, isNative, isNumberField } from '../../../src/domain/upstream-fields.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Fence } from '../../../src/ports/leases.ts'
import type { OfficialChange } from '../../../src/ports/official/changes.ts'
import type { AcceptedChanges, InboundStore, InboundTarget } from '../../../src/ports/stores/inbound-store.ts'
import type { MemoryRows } from './rows.ts'

/** How long keys are kept, as in the tables. */
const KEEP_MS = 30 * 24 * 3600_000

/** Upstream changes in memory; changes that wait for accounts are only counted. */
export class MemoryInbound implements InboundStore {
  /** New changes, each once. */
  readonly accepted: OfficialChange[] = []
  readonly #rows: MemoryRows
  readonly #clock: Clock
  /** When each change came to each number, and its position. */
  readonly #known = new Map<
    string,
    { readonly receivedMs: number; readonly numberId: NumberId | null; readonly position: number }
  >()

  constructor(rows: MemoryRows, clock: Clock) {
    this.#rows = rows
    this.#clock = clock
  }

  async findTarget(id: string): Promise<InboundTarget | null> {
    for (const { id: numberId, tenantId, official } of this.#rows.numbers.values()) {
      const secrets = this.#rows.official.get(numberId)
      if (!official || !secrets || (numberId !== id && official.accountId !== id)) continue
      return {
        tenantId,
        numberId,
        accountId: official.accountId,
        appSecret: secrets.credentials.appSecret,
        verifyToken: secrets.verifyToken,
      }
    }
    return null
  }

  async accept(target: InboundTarget, changes: readonly OfficialChange[]): Promise<AcceptedChanges> {
    const numbers = new Set<NumberId>()
    const accounts = new Set<string>()
    let stored = 0
    for (const change of changes) {
      const accountId = change.accountId ?? target.accountId
      const receivers = this.#receiversOf(target, accountId, change.phoneId)
      const fresh = (receivers.length > 0 ? receivers : [null]).filter((number) =>
        this.#take(target, accountId, change, number),
      )
      stored += fresh.length
      if (fresh.length > 0) this.accepted.push(change)
      if (fresh.length > 0 && isAccountField(change.field)) accounts.add(accountId)
      for (const number of fresh) if (number && isNumberField(change.field)) numbers.add(number.id)
    }
    return { stored, numbers: [...numbers], accounts: [...accounts] }
  }

  #receiversOf({ tenantId }: InboundTarget, accountId: string, phoneId: string | null): ChannelNumber[] {
    return [...this.#rows.numbers.values()].filter(
      (row) =>
        row.tenantId === tenantId
        && row.official?.accountId === accountId
        && (phoneId === null || row.official.phoneId === phoneId),
    )
  }

  /** False when the change came before. */
  #take(
    { tenantId }: InboundTarget,
    accountId: string,
    { key, field, value, envelope }: OfficialChange,
    number: ChannelNumber | null,
  ): boolean {
    const name = JSON.stringify([tenantId, accountId, key, number?.id])
    if (this.#known.has(name)) return false
    const isWaiting = number !== null && isNumberField(field)
    const position = isWaiting
      ? this.#rows.addChange(number.id, field, value, new Date(this.#clock.now()))
      : ++this.#rows.position
    this.#known.set(name, { receivedMs: this.#clock.now(), numberId: number?.id ?? null, position })
    if (number && isNative(field)) {
      this.#rows.tell(
        number.id,
        [{ event: field, data: JSON.parse(envelope) as NewEvent['data'], upstreamBody: envelope }],
        this.#clock.now(),
      )
    }
    return true
  }

  async pending(numberId: NumberId, after: number, limit: number) {
    const found = this.#waiting(numberId)
      .filter(({ position }) => position > after)
      .slice(0, limit)
    await this.#rows.whileReading()
    return found
  }

  settle(fence: Fence, positions: readonly number[], events: readonly NewEvent[]) {
    return this.#rows.write(`settle ${positions.join(' ')}`, fence, () => {
      const changes = this.#waiting(fence.numberId)
      const settled = changes.filter(({ position }) => positions.includes(position))
      if (settled.length === 0) return 'conflict'
      this.#rows.changes.set(
        fence.numberId,
        changes.filter((change) => !settled.includes(change)),
      )
      this.#rows.settled.push(...settled.map(({ position }) => position))
      this.#rows.tell(fence.numberId, events, this.#clock.now())
      return 'applied'
    })
  }

  async listPending(limit: number) {
    return [...this.#rows.changes]
      .filter(([, changes]) => changes.length > 0)
      .toSorted(([, a], [, b]) => (a[0]?.position ?? 0) - (b[0]?.position ?? 0))
      .map(([id]) => id)
      .slice(0, limit)
  }

  async purge() {
    const over = [...this.#known].filter(
      ([, { receivedMs, numberId, position }]) =>
        this.#clock.now() - receivedMs > KEEP_MS
        && !(numberId !== null && this.#waiting(numberId).some((change) => change.position === position)),
    )
    for (const [name] of over) this.#known.delete(name)
    return over.length
  }

  #waiting(numberId: NumberId) {
    return this.#rows.changes.get(numberId) ?? []
  }
}
