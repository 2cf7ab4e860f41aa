import { randomBytes } from 'node:crypto'
import { newId, type GrantId } from '../../domain/ids.ts'
import { CODE_MS, INTERACTION_MS, type Interaction } from '../../domain/oauth.ts'
import type { Allowed, Decided, OAuthInteractionStore } from '../../ports/stores/oauth-store.ts'
import type { SqlSession } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { digestOf } from '../engine/rows.ts'
import { OAuthInteractionEntity } from './entity.ts'

const INTERACTIONS = rowsOf(OAuthInteractionEntity).only('asked', 'expiresAt')
type InteractionRow = RowIn<typeof INTERACTIONS>

/** Thrown to roll back. */
class ForeignNumber extends Error {}

/** What clients ask for, until somebody decides. */
export class SqlOAuthInteractionStore implements OAuthInteractionStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async begin(id: string, browserSecret: string, interaction: Omit<Interaction, 'expiresAt'>): Promise<void> {
    await this.#database.query('insert into oauth_interactions (id_hash, browser_hash, asked, expires_at) values ($1, $2, $3, $4::timestamptz)',
      [digestOf(id), digestOf(browserSecret), JSON.stringify(interaction), this.#in(INTERACTION_MS)])
  }

  async find(id: string, browserSecret: string): Promise<Interaction | null> {
    const [row] = await this.#database.query<InteractionRow>(`select ${INTERACTIONS.list()} from oauth_interactions where id_hash = $1 and browser_hash = $2 and expires_at > $3::timestamptz`, this.#keys(id, browserSecret))
    return row ? toInteraction(row) : null
  }

  async deny(id: string, browserSecret: string): Promise<Interaction | null> {
    return this.#close(this.#database, id, browserSecret)
  }

  async allow(id: string, browserSecret: string, allowed: Allowed): Promise<Decided> {
    try {
      return await this.#database.transaction(async (session): Promise<Decided> => {
        const interaction = await this.#close(session, id, browserSecret)
        if (!interaction) return { kind: 'unknown' }
        const grantId = await this.#grant(session, interaction, allowed)
        return { kind: 'allowed', grantId, code: await this.#code(session, grantId, interaction, allowed), interaction }
      })
    } catch (error) {
      if (error instanceof ForeignNumber) return { kind: 'foreign number' }
      throw error
    }
  }

  /** One of all that decide finds the row. */
  async #close(session: SqlSession, id: string, browserSecret: string): Promise<Interaction | null> {
    const [row] = await session.query<InteractionRow>(`delete from oauth_interactions where id_hash = $1 and browser_hash = $2 and expires_at > $3::timestamptz returning ${INTERACTIONS.list()}`, this.#keys(id, browserSecret))
    return row ? toInteraction(row) : null
  }

  async #grant(session: SqlSession, { client, resource }: Interaction, { tenantId, userId, scopes, numberIds }: Allowed): Promise<GrantId> {
    const id = newId('grt')
    await session.query(`insert into oauth_grants (id, tenant_id, user_id, client_id, client_name, client_uri, resource, scopes, is_account_wide, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8::text[], $9, $10::timestamptz)`,
    [id, tenantId, userId, client.clientId, client.name, client.uri, resource, [...scopes], numberIds === null, this.#in(0)])
    if (numberIds === null) return id
    const rows = await session.query('insert into oauth_grant_numbers (grant_id, number_id) select $1, id from channel_numbers where tenant_id = $2 and id = any($3::text[]) returning 1', [id, tenantId, [...numberIds]])
    if (rows.length !== numberIds.length) throw new ForeignNumber()
    return id
  }

  /** As the token endpoint reads it. */
  async #code(session: SqlSession, grantId: GrantId, { client, redirectUri, codeChallenge }: Interaction, { tenantId, userId, scopes }: Allowed): Promise<string> {
    const code = randomBytes(32).toString('base64url')
    const payload = { clientId: client.clientId, accountId: userId ?? tenantId, redirectUri, codeChallenge, scopes }
    await session.query('insert into oauth_tokens (token_hash, kind, grant_id, payload, created_at, expires_at) values ($1, \'code\', $2, $3, $4::timestamptz, $5::timestamptz)',
      [digestOf(code), grantId, JSON.stringify(payload), this.#in(0), this.#in(CODE_MS)])
    return code
  }

  #keys(id: string, browserSecret: string): string[] {
    return [digestOf(id), digestOf(browserSecret), this.#in(0)]
  }

  #in(ms: number): string {
    return new Date(this.#clock.now() + ms).toISOString()
  }
}

function toInteraction(row: InteractionRow): Interaction {
  const { asked, expiresAt } = INTERACTIONS.read(row)
  return { ...asked, expiresAt }
}
