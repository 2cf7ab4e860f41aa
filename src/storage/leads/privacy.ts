import type { NumberId } from '../../domain/ids.ts'
import type { PrivacyStore } from '../../ports/stores/lead-store.ts'
import { keptStatement } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'

const RETENTION = keptStatement('select pii_mode, pii_retention_days from channel_numbers where id = $1')

/** Modes as their columns. */
class SqlPrivacyStore implements PrivacyStore {
  readonly #database: Engine['database']

  constructor({ database }: Pick<Engine, 'database'>) {
    this.#database = database
  }

  async retentionOf(numberId: NumberId): ReturnType<PrivacyStore['retentionOf']> {
    const [row] = await this.#database.queryKept<{ pii_mode: string, pii_retention_days: number | null }>(RETENTION, [numberId])
    return row ? { piiMode: row.pii_mode, piiRetentionDays: row.pii_retention_days } : null
  }
}

/** Modes over an open database. */
export function openPrivacy(engine: Pick<Engine, 'database'>): { readonly privacy: PrivacyStore } {
  return { privacy: new SqlPrivacyStore(engine) }
}
