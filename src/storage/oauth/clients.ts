import { REGISTRATIONS_PER_HOUR, type OAuthClient } from '../../domain/oauth.ts'
import type { OAuthClientStore } from '../../ports/stores/oauth-store.ts'
import type { Engine } from '../engine/engine.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { digestOf } from '../engine/rows.ts'
import { OAuthClientEntity } from './entity.ts'

const CLIENTS = rowsOf(OAuthClientEntity).only('id', 'metadata')

/** Clients that registered themselves. */
export class SqlOAuthClientStore implements OAuthClientStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  /** Those of one address take turns, so that no two of them count the same rows. Which address it was is nobody's business: a hash is enough to count by. */
  async register({ id, metadata }: OAuthClient, address: string): Promise<boolean> {
    const counted = digestOf(address)
    const now = new Date(this.#clock.now()).toISOString()
    return this.#database.transaction(async (session) => {
      await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`oauth-registration:${counted}`])
      const rows = await session.query(`insert into oauth_clients (id, metadata, address_hash, created_at) select $1, $2, $3, $4::timestamptz
        where (select count(*) from oauth_clients where address_hash = $3 and created_at > $4::timestamptz - interval '1 hour') < ${REGISTRATIONS_PER_HOUR} returning 1`,
      [id, JSON.stringify(metadata), counted, now])
      return rows.length > 0
    })
  }

  async find(id: string): Promise<OAuthClient | null> {
    const [row] = await this.#database.query<RowIn<typeof CLIENTS>>(`select ${CLIENTS.list()} from oauth_clients where id = $1`, [id])
    return row ? CLIENTS.read(row) : null
  }
}
