import type { TenantId } from '../../domain/ids.ts'
import type { OfficialChange } from '../../ports/official/changes.ts'
import type { AcceptedChanges } from '../../ports/stores/inbound-store.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { Gathered } from '../engine/gathered.ts'
import { inPieces } from '../engine/pieces.ts'
import { ACCEPT, acceptParameters, type Accepted, type InboundPost } from './sql.ts'

/**
 * Our choice: statements that store posts side by side on a node. A tenant's go one after another: two that share
 * changes in different orders would wait for each other.
 */
const LANES = 4
/** Our choice, in characters: what one statement takes. A thousand changes as upstream writes them; a large post comes in pieces, and others go in between. */
const TOGETHER = 2_000_000
/** Our choice, in characters: what a change costs beside its texts. */
const CHANGE = 500

/** Stores posts of upstream. What arrives while a statement runs shares the next: under load, many posts one commit. */
export class ChangeLanes {
  #database: Engine['database']
  #clock: Engine['clock']
  #onEvents: Engine['onEvents']
  #lanes: readonly Gathered<InboundPost, AcceptedChanges>[]

  constructor({ database, clock, onEvents }: Pick<Engine, 'database' | 'clock' | 'onEvents'>) {
    this.#database = database
    this.#clock = clock
    this.#onEvents = onEvents
    this.#lanes = Array.from({ length: LANES }, () => new Gathered<InboundPost, AcceptedChanges>({
      run: (posts) => this.#store(posts), weightOf: ({ changes }) => changes.reduce((sum, change) => sum + weightOf(change), 0), maxWeight: TOGETHER,
    }))
  }

  async add({ target, changes }: InboundPost): Promise<AcceptedChanges> {
    const lane = this.#lanes[laneOf(target.tenantId)]
    if (!lane) throw new Error('there is no such lane')
    const accepted: AcceptedChanges[] = []
    for (const piece of inPieces(changes, TOGETHER / 2, weightOf)) accepted.push(await lane.add({ target, changes: piece }))
    return together(accepted)
  }

  async #store(posts: readonly InboundPost[]): Promise<AcceptedChanges[]> {
    const parameters = acceptParameters(posts, new Date(this.#clock.now()).toISOString())
    // Two nodes may store the same changes in different orders.
    const rows = await despiteDeadlock(() => this.#database.queryKept<Accepted>(ACCEPT, parameters))
    if (rows.some((row) => row.is_told)) this.#onEvents()
    const byPost = Map.groupBy(rows, (row) => Number(row.post))
    return posts.map((_, index) => toAccepted(byPost.get(index) ?? []))
  }
}

function toAccepted(rows: readonly Accepted[]): AcceptedChanges {
  return {
    stored: rows.reduce((sum, row) => sum + row.stored, 0),
    numbers: rows.flatMap((row) => row.is_pending && row.number_id !== null ? [row.number_id] : []),
    accounts: [...new Set(rows.flatMap((row) => row.is_of_account ? [row.account_id] : []))],
  }
}

/** What came of a post that was stored in pieces. */
function together(pieces: readonly AcceptedChanges[]): AcceptedChanges {
  return {
    stored: pieces.reduce((sum, { stored }) => sum + stored, 0),
    numbers: [...new Set(pieces.flatMap(({ numbers }) => numbers))],
    accounts: [...new Set(pieces.flatMap(({ accounts }) => accounts))],
  }
}

function weightOf({ value, envelope }: OfficialChange): number {
  return CHANGE + value.length + envelope.length
}

/** The same lane for a tenant's posts, always. */
function laneOf(tenantId: TenantId): number {
  let hash = 0
  for (let i = 0; i < tenantId.length; i++) hash = (hash * 31 + tenantId.charCodeAt(i)) >>> 0
  return hash % LANES
}
