import type { GrantId, NumberId, TenantId, UserId } from '../../domain/ids.ts'
import { REFRESH_TOKEN_MS, UNUSED_CLIENT_MS, type Grant } from '../../domain/oauth.ts'
import type { GrantFacts, GrantStore } from '../../ports/stores/oauth-store.ts'
import type { Engine } from '../engine/engine.ts'
import { PURGE_BATCH, purgeRows } from '../engine/purge.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { EVERYBODY } from '../engine/scope.ts'
import { OAuthGrantEntity } from './entity.ts'

const GRANTS = rowsOf(OAuthGrantEntity).without('isAccountWide', 'endedAt')
const FACTS = GRANTS.only('tenantId', 'userId', 'clientId', 'resource', 'scopes')

/** A grant with its numbers and the address of its user. */
type GrantRow = RowIn<typeof GRANTS> & {
  readonly number_ids: readonly NumberId[] | null
  readonly email: string | null
}

/** Numbers that a grant is for; null where it is for all of the account. */
export const NUMBERS_OF_GRANT =
  'case when g.is_account_wide then null else array(select n.number_id from oauth_grant_numbers n where n.grant_id = g.id order by n.number_id) end as number_ids'
const GRANT_HAS_NUMBERS = '(g.is_account_wide or exists (select 1 from oauth_grant_numbers n where n.grant_id = g.id))'
/** A grant that did not end: one whose numbers are all gone has, whoever was there to see it. */
export const GRANT_STANDS = `g.ended_at is null and ${GRANT_HAS_NUMBERS}`
/** Of nobody in particular, or of somebody who may come in. Needs the user as `u`. */
export const GRANT_HAS_USER = "(g.user_id is null or u.status = 'ACTIVE')"

const GRANT = `select ${GRANTS.list('g')}, u.email, ${NUMBERS_OF_GRANT}
  from oauth_grants g left join users u on u.id = g.user_id where ${GRANT_STANDS}`

/** our choice: a token that was just used may be about to be followed by another. */
const FOLLOWED_WITHIN = "interval '10 minutes'"

const PURGES = [
  `delete from oauth_interactions where id_hash in (select id_hash from oauth_interactions where expires_at <= $1::timestamptz limit ${PURGE_BATCH}) returning 1`,
  `delete from oauth_tokens where token_hash in (select token_hash from oauth_tokens where expires_at <= $1::timestamptz
    and (consumed_at is null or consumed_at <= $1::timestamptz - interval '${REFRESH_TOKEN_MS} milliseconds') limit ${PURGE_BATCH}) returning 1`,
  `delete from oauth_grants where id in (select g.id from oauth_grants g where g.created_at <= $1::timestamptz - ${FOLLOWED_WITHIN} and (not (${GRANT_STANDS}) or not exists (
    select 1 from oauth_tokens t where t.grant_id = g.id and t.expires_at > $1::timestamptz and (t.consumed_at is null or t.consumed_at > $1::timestamptz - ${FOLLOWED_WITHIN}))) limit ${PURGE_BATCH}) returning 1`,
  `delete from oauth_clients where id in (select c.id from oauth_clients c where c.created_at <= $1::timestamptz - interval '${UNUSED_CLIENT_MS} milliseconds' and not exists (
    select 1 from oauth_grants g where g.client_id = c.id and coalesce(g.last_used_at, g.created_at) > $1::timestamptz - interval '${UNUSED_CLIENT_MS} milliseconds') limit ${PURGE_BATCH}) returning 1`,
]

/** What people let clients do. */
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
   * The row stays for a while: of many who redeem the same at once, the first is answered, with what is good for
   * nothing as soon as the second came.
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

  /** One after the other: what ends a token may end its grant, and that its client. */
  async purge(): Promise<number> {
    let count = 0
    for (const sql of PURGES) count += await purgeRows(this.#database, sql, new Date(this.#clock.now()).toISOString())
    return count
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
