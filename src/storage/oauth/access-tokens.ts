import type { GrantId, NumberId } from '../../domain/ids.ts'
import type { RequestLimits } from '../../domain/limits.ts'
import { GRANT_USED_MS, type OAuthResource } from '../../domain/oauth.ts'
import { permissionsOf, type Role } from '../../domain/permissions.ts'
import type { AccessTokens, ProvedToken } from '../../ports/access-tokens.ts'
import { keptStatement } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { digestOf, toDate } from '../engine/rows.ts'
import { LIMITS, limitsOf } from '../tenants/limits.ts'
import { OAuthGrantEntity } from './entity.ts'
import { GRANT_HAS_USER, GRANT_STANDS, NUMBERS_OF_GRANT } from './grants.ts'

const GRANTS = rowsOf(OAuthGrantEntity).only('id', 'tenantId', 'userId', 'clientId', 'scopes', 'lastUsedAt')

type ProvedRow = RowIn<typeof GRANTS>
  & RowIn<typeof LIMITS> & { readonly number_ids: readonly NumberId[] | null; readonly role: Role | null }

const STANDING = `select ${GRANTS.list('g')}, u.role, ${LIMITS.list('t')}, ${NUMBERS_OF_GRANT}
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
      await this.#database.query(
        'update oauth_grants set last_used_at = $2::timestamptz where id = $1 and (last_used_at is null or last_used_at < $2::timestamptz)',
        [row.id, now],
      )
    }
    return this.#toProved(row)
  }

  async find(grantId: GrantId): Promise<ProvedToken | null> {
    const [row] = await this.#database.query<ProvedRow>(`${STANDING} where g.id = $1 and ${LIVES}`, [grantId])
    return row ? this.#toProved(row) : null
  }

  /** What was granted and the person's role still has; sessions without a person acted as OWNER. */
  #toProved(row: ProvedRow): ProvedToken {
    const { id: grantId, clientId, tenantId, userId, scopes } = GRANTS.read(row)
    const rolePermissions = permissionsOf(row.role ?? 'OWNER')
    return {
      grantId,
      clientId,
      tenantId,
      userId,
      numberIds: row.number_ids,
      rolePermissions,
      permissions: new Set(scopes.filter((scope) => rolePermissions.has(scope))),
      limits: limitsOf(row, this.#limits),
    }
  }
}
