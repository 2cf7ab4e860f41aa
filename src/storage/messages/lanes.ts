import type { NumberId } from '../../domain/ids.ts'
import type { AcceptOutcome } from '../../ports/stores/message-store.ts'
import { CLAIM, readClaim, type ClaimRow } from '../idempotency/store.ts'
import { isOwnerGone } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { Gathered } from '../engine/gathered.ts'
import { ACCEPT_MESSAGES, acceptedParameters, type Accepting } from './accept.ts'
import { digestOf, toRecordset } from '../engine/rows.ts'

/** Our choice: statements that store sends side by side on a node. A number's go one after another, so its messages keep the order they came in. */
const LANES = 4
/** Our choice: sends one statement takes; bounded, so that none waits long for the others. */
const LANE_SENDS = 250

/**
 * Our choice: after so many sends of a process, and after four times as many each time, the planner is given the numbers of the table: it knows nothing
 * of a young one, would read a whole queue for its head (measured), and the embedded database never looks by itself.
 */
const FIRST_LOOK = 1_000

/** Claims of keys that somebody else has. */
const FIND_CLAIMS = `select c.place, ${CLAIM.list('r')}
  from json_to_recordset($1::json) as c (place integer, key_hash text, key text)
  join idempotent_requests r on r.key_id_hash = c.key_hash and r.key = c.key`

/** Accepts sends, many in a statement. */
export class AcceptLanes {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']
  #lanes: readonly Gathered<Accepting, AcceptOutcome>[]
  #stored = 0
  #nextLook = FIRST_LOOK

  constructor({ database, cipher, clock }: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#lanes = Array.from({ length: LANES }, () => new Gathered<Accepting, AcceptOutcome>({
      run: (sends) => this.#accept(sends), weightOf: () => 1, maxWeight: LANE_SENDS,
    }))
  }

  /** Durable once it resolves. */
  add(send: Accepting): Promise<AcceptOutcome> {
    const lane = this.#lanes[laneOf(send.message.numberId)]
    if (!lane) throw new Error('there is no such lane')
    return lane.add(send)
  }

  async #accept(sends: readonly Accepting[]): Promise<AcceptOutcome[]> {
    const outcomes = new Map<Accepting, AcceptOutcome>()
    // Of sends that share a key the first goes ahead; the others find its claim.
    const first = firstOfKeys(sends)
    for (const [send, outcome] of await this.#store(first)) outcomes.set(send, outcome)
    let open = sends.filter((send) => !outcomes.has(send))
    while (open.length > 0) {
      for (const [send, outcome] of await this.#findClaims(open)) outcomes.set(send, outcome)
      open = open.filter((send) => !outcomes.has(send))
      // Purged between the two statements: these claim anew.
      for (const [send, outcome] of await this.#store(firstOfKeys(open))) outcomes.set(send, outcome)
      open = open.filter((send) => !outcomes.has(send))
    }
    return sends.flatMap((send) => outcomes.get(send) ?? [])
  }

  /** Answers those whose outcome is certain; the others' keys were claimed before. */
  async #store(sends: readonly Accepting[]): Promise<Map<Accepting, AcceptOutcome>> {
    const outcomes = new Map<Accepting, AcceptOutcome>()
    if (sends.length === 0) return outcomes
    const parameters = acceptedParameters(this.#cipher, sends, this.#clock.now())
    const rows = await despiteDeadlock(() => this.#database.queryKept<{ place: number, is_current: boolean, is_stored: boolean }>(ACCEPT_MESSAGES, parameters)).catch((error: unknown) => {
      // Alone it has lost its number; among others it is tried alone.
      if (sends.length === 1 && isOwnerGone(error)) return []
      throw error
    })
    const found = new Map(rows.map((row) => [row.place, row]))
    for (const [place, send] of sends.entries()) {
      const row = found.get(place)
      if (!row) outcomes.set(send, { kind: 'gone' })
      else if (!row.is_current) outcomes.set(send, { kind: 'stale' })
      else if (row.is_stored) outcomes.set(send, { kind: 'accepted' })
    }
    this.#count(rows.length)
    return outcomes
  }

  #count(stored: number): void {
    this.#stored += stored
    if (this.#stored < this.#nextLook) return
    this.#nextLook *= 4
    // Nobody waits for it, and without it all still works.
    this.#database.chores.query('analyze messages').catch(() => {})
  }

  async #findClaims(sends: readonly Accepting[]): Promise<Map<Accepting, AcceptOutcome>> {
    const keys = sends.flatMap(({ claim }, place) => claim === null ? [] : [{ place, key_hash: digestOf(claim.request.ownerId), key: claim.request.key }])
    const rows = await this.#database.query<ClaimRow & { readonly place: number }>(FIND_CLAIMS, [toRecordset(keys)])
    const outcomes = new Map<Accepting, AcceptOutcome>()
    for (const row of rows) {
      const send = sends[row.place]
      const request = send?.claim?.request
      if (send && request) outcomes.set(send, readClaim(this.#cipher, digestOf(request.ownerId), request, row))
    }
    return outcomes
  }
}

function firstOfKeys(sends: readonly Accepting[]): Accepting[] {
  const seen = new Set<string>()
  return sends.filter(({ claim }) => {
    if (claim === null) return true
    const identity = `${claim.request.ownerId} ${claim.request.key}`
    if (seen.has(identity)) return false
    seen.add(identity)
    return true
  })
}

/** The same lane for a number's sends, always. */
function laneOf(numberId: NumberId): number {
  let hash = 0
  for (let i = 0; i < numberId.length; i++) hash = (hash * 31 + numberId.charCodeAt(i)) >>> 0
  return hash % LANES
}
