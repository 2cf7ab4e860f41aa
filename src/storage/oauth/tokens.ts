import type { GrantId } from '../../domain/ids.ts'
import type { OAuthTokenKind, OAuthTokenStore, StoredToken } from '../../ports/stores/oauth-store.ts'
import { isOwnerGone } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { digestOf } from '../engine/rows.ts'
import { OAuthTokenEntity } from './entity.ts'

/** Codes and tokens of grants, as rows. */
export class SqlOAuthTokenStore implements OAuthTokenStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async add(
    kind: OAuthTokenKind,
    token: string,
    { grantId, payload }: Omit<StoredToken, 'isConsumed'>,
    seconds: number,
  ): Promise<boolean> {
    try {
      await this.#database.entities().added(OAuthTokenEntity, {
        tokenHash: digestOf(token),
        kind,
        grantId: grantId as GrantId,
        payload,
        createdAt: this.#in(0),
        expiresAt: this.#in(seconds * 1_000),
      })
      return true
    } catch (error) {
      if (isOwnerGone(error)) return false
      throw error
    }
  }

  /** Finds a used token too for as long as it is kept, because its second use ends the grant, however late. */
  async find(kind: OAuthTokenKind, token: string): Promise<StoredToken | null> {
    const row = await this.#database.entities().readOne(OAuthTokenEntity, {
      tokenHash: digestOf(token),
      kind,
      $or: [{ expiresAt: { $gt: this.#in(0) } }, { consumedAt: { $ne: null } }],
    })
    return row && { grantId: row.grantId, payload: row.payload, isConsumed: row.consumedAt !== null }
  }

  async consume(kind: OAuthTokenKind, token: string): Promise<boolean> {
    return (
      (await this.#database
        .entities()
        .changed(
          OAuthTokenEntity,
          { tokenHash: digestOf(token), kind, consumedAt: null, expiresAt: { $gt: this.#in(0) } },
          { consumedAt: this.#in(0) },
        )) > 0
    )
  }

  async remove(kind: OAuthTokenKind, token: string): Promise<void> {
    await this.#database.entities().removed(OAuthTokenEntity, { tokenHash: digestOf(token), kind })
  }

  #in(ms: number): Date {
    return new Date(this.#clock.now() + ms)
  }
}
