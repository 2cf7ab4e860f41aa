import type { GrantId, NumberId, TenantId, UserId } from '../../domain/ids.ts'
import type { RequestLimits } from '../../domain/limits.ts'
import {
  GRANT_USED_MS,
  REFRESH_TOKEN_MS,
  UNUSED_CLIENT_MS,
  type Grant,
  type OAuthResource,
} from '../../domain/oauth.ts'
import { permissionsOf, type Role } from '../../domain/permissions.ts'
import type { AccessTokens, ProvedToken } from '../../ports/access-tokens.ts'
import type { GrantFacts, GrantStore } from '../../ports/stores/oauth-store.ts'
import { keptStatement } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { PURGE_BATCH, purgePast, purgeRows } from '../engine/purge.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { digestOf, toDate } from '../engine/rows.ts'
import { EVERYBODY } from '../engine/scope.ts'
import { LIMITS, limitsOf } from '../tenants/limits.ts'
import { OAuthGrantEntity, OAuthInteractionEntity, OAuthTokenEntity } from './entity.ts'

const GRANTS = rowsOf(OAuthGrantEntity).without('isAccountWide', 'endedAt')
const FACTS = GRANTS.only('tenantId', 'userId', 'clientId', 'resource', 'scopes')

/** A grant with its numbers and the e-mail address of its user. */
type GrantRow = RowIn<typeof GRANTS> & {
  readonly number_ids: readonly NumberId[] | null
  readonly email: string | null
}

/** SQL of the numbers of a grant; null when it is account-wide. */
const NUMBERS_OF_GRANT =
  'case when g.is_account_wide then null else array(select n.number_id from oauth_grant_numbers n where n.grant_id = g.id order by n.number_id) end as number_ids'
const GRANT_HAS_NUMBERS = '(g.is_account_wide or exists (select 1 from oauth_grant_numbers n where n.grant_id = g.id))'
/** True of a grant that has not ended. A grant whose numbers are all gone has ended, though no write says so. */
const GRANT_STANDS = `g.ended_at is null and ${GRANT_HAS_NUMBERS}`
/** True of a grant of no user, or of an active one. Needs the user as `u`. */
const GRANT_HAS_USER = "(g.user_id is null or u.status = 'ACTIVE')"

const GRANT = `select ${GRANTS.list('g')}, u.email, ${NUMBERS_OF_GRANT}
  from oauth_grants g left join users u on u.id = g.user_id where ${GRANT_STANDS}`

/** our choice: a token that was just used may soon be followed by another. */
const FOLLOWED_WITHIN = "interval '10 minutes'"

/** A used token is kept this long, so that its second use is noticed. */
const IS_FORGOTTEN = `(consumed_at is null or consumed_at <= $1::timestamptz - interval '${REFRESH_TOKEN_MS} milliseconds')`

const PURGE_GRANTS = `delete from oauth_grants where id in (select g.id from oauth_grants g where g.created_at <= $1::timestamptz - ${FOLLOWED_WITHIN} and (not (${GRANT_STANDS}) or not exists (
    select 1 from oauth_tokens t where t.grant_id = g.id and t.expires_at > $1::timestamptz and (t.consumed_at is null or t.consumed_at > $1::timestamptz - ${FOLLOWED_WITHIN}))) limit ${PURGE_BATCH}) returning 1`

const PURGE_CLIENTS = `delete from oauth_clients where id in (select c.id from oauth_clients c where c.created_at <= $1::timestamptz - interval '${UNUSED_CLIENT_MS} milliseconds' and not exists (
    select 1 from oauth_grants g where g.client_id = c.id and coalesce(g.last_used_at, g.created_at) > $1::timestamptz - interval '${UNUSED_CLIENT_MS} milliseconds') limit ${PURGE_BATCH}) returning 1`

/** Grants, as rows. */
export class SqlGrantStore implements GrantStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async facts(id: string): Promise<GrantFacts | null> {
    const [row] = await this.#database.query<GrantRow>(`${GRANT} and ${GRANT_HAS_USER} and g.id = $1`, [id])
    return row ? FACTS.read(row) : null
  }

  /**
   * Ends a grant. The row stays for a while: when several redeem the same code at once, the first still gets its
   * answer, whose tokens are worthless once the second has come.
   */
  async end(id: string): Promise<boolean> {
    return (
      (await this.#database
        .entities(EVERYBODY)
        .changed(OAuthGrantEntity, { id: id as GrantId, endedAt: null }, { endedAt: new Date(this.#clock.now()) })) > 0
    )
  }

  async list(tenantId: TenantId, userId: UserId | null): Promise<readonly Grant[]> {
    const rows = await this.#database.query<GrantRow>(
      `${GRANT} and g.tenant_id = $1 and ($2::text is null or g.user_id = $2) order by g.created_at desc, g.id desc`,
      [tenantId, userId],
    )
    return rows.map(toGrant)
  }

  async endOwn(tenantId: TenantId, userId: UserId | null, id: string): Promise<boolean> {
    return (
      (await this.#database
        .entities({ tenantId })
        .removed(OAuthGrantEntity, { id: id as GrantId, endedAt: null, ...(userId === null ? {} : { userId }) })) > 0
    )
  }

  /** One purge after the other, because the end of a token may end its grant, and that the client. */
  async purge(): Promise<number> {
    const nowMs = this.#clock.now()
    const now = new Date(nowMs).toISOString()
    const interactions = await purgePast(this.#database, OAuthInteractionEntity, ['expiresAt'], nowMs)
    const tokens = await purgePast(this.#database, OAuthTokenEntity, ['expiresAt'], nowMs, IS_FORGOTTEN)
    const grants = await purgeRows(this.#database, PURGE_GRANTS, now)
    return interactions + tokens + grants + (await purgeRows(this.#database, PURGE_CLIENTS, now))
  }
}

function toGrant(row: GrantRow): Grant {
  const { userId, clientId, clientName, clientUri, ...grant } = GRANTS.read(row)
  return {
    ...grant,
    user: userId === null || row.email === null ? null : { id: userId, email: row.email },
    client: { clientId, name: clientName, uri: clientUri },
    numberIds: row.number_ids,
  }
}

const PROVED = rowsOf(OAuthGrantEntity).only('id', 'tenantId', 'userId', 'clientId', 'scopes', 'lastUsedAt')

type ProvedRow = RowIn<typeof PROVED>
  & RowIn<typeof LIMITS> & { readonly number_ids: readonly NumberId[] | null; readonly role: Role | null }

const STANDING = `select ${PROVED.list('g')}, u.role, ${LIMITS.list('t')}, ${NUMBERS_OF_GRANT}
  from oauth_grants g join tenants t on t.id = g.tenant_id left join users u on u.id = g.user_id`
const LIVES = `${GRANT_STANDS} and ${GRANT_HAS_USER}`

/** Every request with a token that is not remembered runs this: token, grant, person and numbers as they are now. */
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
      const lastUsedAt = new Date(nowMs)
      await this.#database
        .entities(EVERYBODY)
        .changed(
          OAuthGrantEntity,
          { id: row.id, $or: [{ lastUsedAt: null }, { lastUsedAt: { $lt: lastUsedAt } }] },
          { lastUsedAt },
        )
    }
    return this.#toProved(row)
  }

  async find(grantId: GrantId): Promise<ProvedToken | null> {
    const [row] = await this.#database.query<ProvedRow>(`${STANDING} where g.id = $1 and ${LIVES}`, [grantId])
    return row ? this.#toProved(row) : null
  }

  /**
   * Permissions that were granted and that the person's role still has; sessions without a person acted as OWNER
   * ([people.permissions.14]).
   */
  #toProved(row: ProvedRow): ProvedToken {
    const { id: grantId, clientId, tenantId, userId, scopes } = PROVED.read(row)
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
