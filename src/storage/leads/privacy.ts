import type { NumberId } from '../../domain/ids.ts'
import type { PrivacyStore } from '../../ports/stores/lead-store.ts'
import { keptStatement } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'

const RETENTION = rowsOf(ChannelNumberEntity).only('piiMode', 'piiRetentionDays')
const OF_NUMBER = keptStatement(`select ${RETENTION.list()} from channel_numbers where id = $1`)

/** Modes as their columns. */
class SqlPrivacyStore implements PrivacyStore {
  readonly #database: Engine['database']

  constructor({ database }: Pick<Engine, 'database'>) {
    this.#database = database
  }

  async retentionOf(numberId: NumberId): ReturnType<PrivacyStore['retentionOf']> {
    const [row] = await this.#database.queryKept<RowIn<typeof RETENTION>>(OF_NUMBER, [numberId])
    return row ? RETENTION.read(row) : null
  }
}

/** Modes over an open database. */
export function openPrivacy(engine: Pick<Engine, 'database'>): { readonly privacy: PrivacyStore } {
  return { privacy: new SqlPrivacyStore(engine) }
}
