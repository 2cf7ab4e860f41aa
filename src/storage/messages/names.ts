import { BoundedMemory } from '../../domain/bounded-memory.ts'
import type { Fence } from '../../ports/leases.ts'
import type { InboxResult, NamedPeer } from '../../ports/stores/message-inbox.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { fenceFields, runFenced } from '../engine/fence.ts'
import { toRecordset } from '../engine/rows.ts'
import { conversationIdOf } from '../conversations/conversation-id.ts'
import { nameSql, SETTLE, type NamedItem } from './joins.ts'

export interface Naming {
  readonly fence: Fence
  readonly peer: NamedPeer
}

/** Our choice: ids that a node remembers as named; some 150 bytes each. */
const REMEMBERED = 40_000

/**
 * Names of persons as rows. Upstream repeats them with every message and status, so those stored lately are remembered.
 */
export class Names {
  readonly #engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onChanged'>
  /** By the id that an address makes: all ids of the last naming with that address, as one text. */
  readonly #known = new BoundedMemory<string>({ most: REMEMBERED })

  constructor(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onChanged'>) {
    this.#engine = engine
  }

  isKnown(naming: Naming): boolean {
    const ids = this.#idsOf(naming)
    return ids.every((id) => this.#known.get(id) === ids.join())
  }

  /** Stores namings, each with the join of conversations that it asks for. */
  async store(items: readonly Naming[]): Promise<Exclude<InboxResult, 'unknown'>[]> {
    const { database, clock, onChanged } = this.#engine
    const namings = items.map((item) => ({ ...item, ids: this.#idsOf(item) }))
    const results = await runFenced<(typeof namings)[number], NamedItem, 'applied' | 'stale'>(
      namings,
      (some, isAlone) => {
        const rows = some.map(({ fence, peer: { addresses }, ids }, place) => ({
          place,
          ...fenceFields(fence),
          ids,
          addresses,
        }))
        return despiteDeadlock(() =>
          database.query<NamedItem>(nameSql(isAlone), [toRecordset(rows), new Date(clock.now()).toISOString()]),
        )
      },
      (row) => (row.is_applied ? 'applied' : 'stale'),
    )
    const applied = namings.filter((_naming, place) => results[place] === 'applied')
    if (applied.length > 0) await despiteDeadlock(() => database.query(SETTLE, [applied.flatMap(({ ids }) => ids)]))
    for (const { fence } of applied)
      onChanged({ numberId: fence.numberId, messageIds: [], conversationIds: [], isWhole: true })
    for (const [place, { ids }] of namings.entries())
      if (results[place] !== 'fenced') for (const id of ids) this.#known.set(id, ids.join())
    return results
  }

  #idsOf({ fence, peer }: Naming): readonly string[] {
    return peer.addresses.map((address) => conversationIdOf(this.#engine.cipher, fence.numberId, address))
  }
}
