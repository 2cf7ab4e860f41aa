import { REGISTRATIONS_PER_HOUR, type OAuthClient } from '../../domain/oauth.ts'
import type { OAuthClientStore } from '../../ports/stores/oauth-store.ts'
import type { Engine } from '../engine/engine.ts'
import { digestOf } from '../engine/rows.ts'
import { OAuthClientEntity } from './entity.ts'

const HOUR_MS = 3_600_000

/** Clients that registered themselves, as rows. */
export class SqlOAuthClientStore implements OAuthClientStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  /**
   * Registrations of one address take turns, so that no two count the same rows. Only a hash of the address is kept,
   * which is enough to count by.
   */
  async register({ id, metadata }: OAuthClient, address: string): Promise<boolean> {
    const counted = digestOf(address)
    const nowMs = this.#clock.now()
    return this.#database.unitOfWork(null, async (rows, session) => {
      await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`oauth-registration:${counted}`])
      if (
        (await rows.count(OAuthClientEntity, { addressHash: counted, createdAt: { $gt: new Date(nowMs - HOUR_MS) } }))
        >= REGISTRATIONS_PER_HOUR
      )
        return false
      await rows.added(OAuthClientEntity, { id, metadata, addressHash: counted, createdAt: new Date(nowMs) })
      return true
    })
  }

  async find(id: string): Promise<OAuthClient | null> {
    const client = await this.#database.entities().readOne(OAuthClientEntity, { id })
    return client && { id, metadata: client.metadata }
  }
}
