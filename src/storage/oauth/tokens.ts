import type { OAuthTokenKind, OAuthTokenStore, StoredToken } from '../../ports/stores/oauth-store.ts'
import { isOwnerGone } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { digestOf } from '../engine/rows.ts'
import { OAuthTokenEntity } from './entity.ts'

const TOKENS = rowsOf(OAuthTokenEntity).only('grantId', 'payload')

/** Codes and tokens of grants. */
export class SqlOAuthTokenStore implements OAuthTokenStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async add(kind: OAuthTokenKind, token: string, { grantId, payload }: Omit<StoredToken, 'isConsumed'>, seconds: number): Promise<boolean> {
    try {
      await this.#database.query('insert into oauth_tokens (token_hash, kind, grant_id, payload, created_at, expires_at) values ($1, $2, $3, $4, $5::timestamptz, $6::timestamptz)',
        [digestOf(token), kind, grantId, JSON.stringify(payload), this.#in(0), this.#in(seconds * 1_000)])
      return true
    } catch (error) {
      if (isOwnerGone(error)) return false
      throw error
    }
  }

  /** One that was used is found for as long as it is kept: that it comes again ends its grant, however late. */
  async find(kind: OAuthTokenKind, token: string): Promise<StoredToken | null> {
    const [row] = await this.#database.query<RowIn<typeof TOKENS> & { readonly is_consumed: boolean }>(`select ${TOKENS.list()}, consumed_at is not null as is_consumed from oauth_tokens
      where token_hash = $1 and kind = $2 and (expires_at > $3::timestamptz or consumed_at is not null)`,
    [digestOf(token), kind, this.#in(0)])
    return row ? { ...TOKENS.read(row), isConsumed: row.is_consumed } : null
  }

  async consume(kind: OAuthTokenKind, token: string): Promise<boolean> {
    const rows = await this.#database.query('update oauth_tokens set consumed_at = $3::timestamptz where token_hash = $1 and kind = $2 and consumed_at is null and expires_at > $3::timestamptz returning 1',
      [digestOf(token), kind, this.#in(0)])
    return rows.length > 0
  }

  async remove(kind: OAuthTokenKind, token: string): Promise<void> {
    await this.#database.query('delete from oauth_tokens where token_hash = $1 and kind = $2', [digestOf(token), kind])
  }

  #in(ms: number): string {
    return new Date(this.#clock.now() + ms).toISOString()
  }
}
