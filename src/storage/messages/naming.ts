import type { Fence } from '../../ports/leases.ts'
import type { InboxResult, NamedPeer } from '../../ports/stores/message-inbox.ts'
import type { Engine } from '../engine/engine.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import { fenceFields, runFenced } from '../engine/fenced-batch.ts'
import { toRecordset } from '../engine/rows.ts'
import { nameSql, type Named } from './aliases-sql.ts'
import { conversationIdOf } from './conversation-id.ts'

/** What a naming came to. `isLeft`: the conversation that became part of another has more messages than one statement moves. */
export interface NamingResult {
  readonly result: Exclude<InboxResult, 'unknown'>
  readonly isLeft: boolean
}

export interface Naming {
  readonly fence: Fence
  readonly peer: NamedPeer
}

/** Our choice: names of a node that are known to be stored; some 150 bytes each. */
const REMEMBERED = 20_000

/** Names of users as rows. Upstream tells them with every message and status, so those stored lately are remembered. */
export class Names {
  readonly #engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onChanged'>
  /** Ids of aliases with where they lead, those told last at the end. */
  readonly #known = new Map<string, string>()

  constructor(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onChanged'>) {
    this.#engine = engine
  }

  isKnown({ fence, peer }: Naming): boolean {
    const { alias, conversation } = this.#idsOf(fence, peer)
    return this.#known.get(alias) === conversation
  }

  /** Moves a part of what has to move; the same again moves the next. */
  async store(items: readonly Naming[]): Promise<NamingResult[]> {
    const { database, clock, onChanged } = this.#engine
    const results = await runFenced<Naming, Named, NamingResult>(items, (some, isAlone) => {
      const rows = some.map(({ fence, peer }, place) => {
        const { alias, conversation } = this.#idsOf(fence, peer)
        return { place, ...fenceFields(fence), alias_id: alias, conversation_id: conversation, peer: peer.digits }
      })
      return despiteDeadlock(() => database.query<Named>(nameSql(isAlone), [toRecordset(rows), new Date(clock.now()).toISOString()]))
    }, (row) => ({ result: row.is_applied ? 'applied' : 'stale', isLeft: row.is_left }))
    return results.map((result, place) => {
      const [item] = items.slice(place, place + 1)
      if (result === 'fenced') return { result, isLeft: false }
      if (item && result.result === 'applied') onChanged({ numberId: item.fence.numberId, messageIds: [], conversationIds: [], isWhole: true })
      if (item && !result.isLeft) this.#remember(item)
      return result
    })
  }

  #idsOf({ numberId }: Fence, { digits, userId }: NamedPeer) {
    const { cipher } = this.#engine
    return { alias: conversationIdOf(cipher, numberId, userId), conversation: conversationIdOf(cipher, numberId, digits) }
  }

  #remember({ fence, peer }: Naming): void {
    const { alias, conversation } = this.#idsOf(fence, peer)
    this.#known.delete(alias)
    this.#known.set(alias, conversation)
    const [oldest] = this.#known.keys()
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest)
  }
}
