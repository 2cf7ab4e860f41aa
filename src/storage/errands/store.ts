import type { NumberId } from '../../domain/ids.ts'
import type { Errand, ErrandStore, StoredErrand } from '../../ports/stores/errand-store.ts'
import type { Engine } from '../engine/engine.ts'
import { purgePast } from '../engine/purge.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { NumberErrandEntity } from './entity.ts'

const NOTE = `insert into number_errands (number_id, errand, created_at, due_at)
  select id, $2, $3::timestamptz, $4::timestamptz from channel_numbers where id = $1 returning id`

/** Columns of errands that are taken. */
const TAKEN = rowsOf(NumberErrandEntity).only('id', 'numberId', 'errand')

const TAKE = `with due as materialized (
    select id from number_errands where due_at <= $1::timestamptz order by due_at, id limit $3::integer for update skip locked
  )
  update number_errands set due_at = $2::timestamptz where id in (select id from due) returning ${TAKEN.list()}`

function readErrand(text: string): Errand | null {
  try {
    return JSON.parse(text) as Errand
  } catch {
    return null
  }
}

/** Errands as rows. `due_at` says when an errand is tried, and until when it belongs to whoever took it. */
class SqlErrandStore implements ErrandStore {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async note(numberId: NumberId, errand: Errand, heldMs: number): Promise<string | null> {
    const [row] = await this.#database.query<{ id: string }>(NOTE, [
      numberId,
      JSON.stringify(errand),
      this.#at(0),
      this.#at(heldMs),
    ])
    return row ? String(row.id) : null
  }

  async done(id: string): Promise<void> {
    await this.#database.query('delete from number_errands where id = $1::bigint', [id])
  }

  async failed(id: string): Promise<number> {
    const [row] = await this.#database.query<{ tries: number }>(
      'update number_errands set tries = tries + 1 where id = $1::bigint returning tries',
      [id],
    )
    return row?.tries ?? 0
  }

  async takeDue(limit: number, heldMs: number): Promise<readonly StoredErrand[]> {
    const rows = await this.#database.query<RowIn<typeof TAKEN>>(TAKE, [this.#at(0), this.#at(heldMs), limit])
    return rows
      .map(TAKEN.read)
      .toSorted((a, b) => a.id - b.id)
      .map(({ id, numberId, errand }) => ({ id: String(id), numberId, errand: readErrand(errand) }))
  }

  purge(keptMs: number): Promise<number> {
    return purgePast(this.#database, NumberErrandEntity, ['createdAt'], this.#clock.now() - keptMs)
  }

  #at(inMs: number): string {
    return new Date(this.#clock.now() + inMs).toISOString()
  }
}

/** Errands over an open database. */
export function openErrands(engine: Pick<Engine, 'database' | 'clock'>): { readonly errands: ErrandStore } {
  return { errands: new SqlErrandStore(engine) }
}
