import type { GrantId, NumberId, TenantId, UserId } from '../../domain/ids.ts'
import type { RequestLimits } from '../../domain/limits.ts'
import { GRANT_USED_MS, type OAuthResource } from '../../domain/oauth.ts'
import { permissionsOf, type Permission, type Role } from '../../domain/permissions.ts'
import type { AccessTokens, ProvedToken } from '../../ports/access-tokens.ts'
import { keptStatement } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { digestOf, toDate } from '../engine/rows.ts'
import { GRANT_HAS_USER, GRANT_STANDS, NUMBERS_OF_GRANT } from './grants.ts'

interface ProvedRow {
  readonly id: GrantId
  readonly tenant_id: TenantId
  readonly user_id: UserId | null
  readonly role: Role | null
  readonly client_id: string
  readonly scopes: readonly Permission[]
  readonly number_ids: readonly NumberId[] | null
  readonly last_used_at: string | null
  readonly requests_per_minute: number | null
  readonly sends_per_minute: number | null
}

const STANDING = `select g.id, g.tenant_id, g.user_id, u.role, g.client_id, g.scopes, g.last_used_at, t.requests_per_minute, t.sends_per_minute, ${NUMBERS_OF_GRANT}
  from oauth_grants g join tenants t on t.id = g.tenant_id left join users u on u.id = g.user_id`
const LIVES = `${GRANT_STANDS} and ${GRANT_HAS_USER}`

/** Every request with a token that is not remembered asks this: token, grant, person and numbers as they are now. */
const PROVE = keptStatement(`${STANDING} join oauth_tokens a on a.grant_id = g.id
  where a.token_hash = $1 and a.kind = 'access' and a.expires_at > $2::timestamptz and g.resource = $3 and ${LIVES}`)

/** Proves access tokens by their rows. */
export class SqlAccessTokens implements AccessTokens {
  #database: Engine['database']
  #clock: Engine['clock']
  #limits: RequestLimits

  constructor({ database, clock, limits }: Pick<Engine, 'database' | 'clock' | 'limits'>) {
    this.#database = database
    this.#clock = clock
    this.#limits = limits
  }

  async prove(token: string, resource: OAuthResource): Promise<ProvedToken | null> {
    const nowMs = this.#clock.now()
    const now = new Date(nowMs).toISOString()
    const [row] = await this.#database.queryKept<ProvedRow>(PROVE, [digestOf(token), now, resource])
    if (!row) return null
    if (row.last_used_at === null || toDate(row.last_used_at).getTime() <= nowMs - GRANT_USED_MS) {
      await this.#database.query('update oauth_grants set last_used_at = $2::timestamptz where id = $1 and (last_used_at is null or last_used_at < $2::timestamptz)', [row.id, now])
    }
    return this.#toProved(row)
  }

  async find(grantId: GrantId): Promise<ProvedToken | null> {
    const [row] = await this.#database.query<ProvedRow>(`${STANDING} where g.id = $1 and ${LIVES}`, [grantId])
    return row ? this.#toProved(row) : null
  }

  /** What was granted and the person's role still has; sessions without a person acted as OWNER. */
  #toProved({ id, client_id, tenant_id, user_id, role, scopes, number_ids, requests_per_minute, sends_per_minute }: ProvedRow): ProvedToken {
    const rolePermissions = permissionsOf(role ?? 'OWNER')
    return {
      grantId: id, clientId: client_id, tenantId: tenant_id, userId: user_id, numberIds: number_ids, rolePermissions,
      permissions: new Set(scopes.filter((scope) => rolePermissions.has(scope))),
      limits: { requestsPerMinute: requests_per_minute ?? this.#limits.requestsPerMinute, sendsPerMinute: sends_per_minute ?? this.#limits.sendsPerMinute },
    }
  }
}
