import { randomBytes } from 'node:crypto'
import {
  sessionOfToken,
  EMBED_KEPT_MS,
  EMBED_SECRET_GRACE_MS,
  type EmbedOver,
  type EmbedSession,
} from '../../domain/embed-session.ts'
import { newId, type EmbedSessionId, type NumberId, type TenantId } from '../../domain/ids.ts'
import type {
  EmbedSessionStore,
  EmbedState,
  FreshToken,
  MintedSession,
  ProvedEmbed,
} from '../../ports/stores/embed-session-store.ts'
import { keptStatement } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { purgeRows, PURGE_BATCH } from '../engine/purge.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { digestOf, toDate, toJson } from '../engine/rows.ts'
import { EmbedSessionEntity } from './entity.ts'

/** The columns of a session that callers see. */
const SESSIONS = rowsOf(EmbedSessionEntity).without('keyIdHash', 'revokedAt')

/**
 * True when the key or all numbers of a session are gone, which ends it. Nothing is written for it, so no rotation and
 * no removal can miss a session.
 */
const IS_BEREFT = `not exists (select 1 from api_keys k where k.id_hash = s.key_id_hash)
  or (cardinality(s.number_ids) > 0 and not exists (select 1 from channel_numbers n where n.id = any(s.number_ids)))`

/** In every statement here `$1` is the present. */
const OVER = `case when s.revoked_at is not null or ${IS_BEREFT} then 'REVOKED' when s.expires_at <= $1::timestamptz then 'EXPIRED' end`
const IS_LIVE = `s.revoked_at is null and s.expires_at > $1::timestamptz and not (${IS_BEREFT})`
const IS_KEPT = `coalesce(s.revoked_at, s.expires_at) > $1::timestamptz - interval '${EMBED_KEPT_MS} milliseconds'`

/** The columns of a session, with those of its numbers that are left. */
const COLUMNS = `${SESSIONS.without('numberIds').list('s')},
  array(select n.id from channel_numbers n where n.id = any(s.number_ids) order by array_position(s.number_ids, n.id)) as number_ids`

/** Sessions of tenant `$2`; only those of number `$3` alone when it is not null. */
const IS_WITHIN = 's.tenant_id = $2 and ($3::text is null or s.number_ids = array[$3::text])'

/** Finds a session by the hash of its token and by the id in the token. */
const PROVE = keptStatement(`select ${COLUMNS}, x.ends_at::text, ${OVER} as over
  from embed_secrets x join embed_sessions s on s.id = x.session_id where x.secret_hash = $2 and s.id = $3 and ${IS_KEPT}`)

/** Makes a session with its token; makes nothing when one of its numbers is not the tenant's. */
const MINT = `with made as (
    insert into embed_sessions (id, tenant_id, key_id_hash, surface, number_ids, allowed_origins, branding, can_start, ttl_seconds, created_at, expires_at, max_expires_at)
    select $2, $3, coalesce($4, (select k.id_hash from api_keys k where k.tenant_id = $3 and k.scope = 'TENANT')), $5, $6::text[], $7::text[], $8, $13::boolean, $9::integer, $1::timestamptz, $10::timestamptz, $11::timestamptz
    where (select count(*) from channel_numbers n where n.tenant_id = $3 and n.id = any($6::text[])) = cardinality($6::text[])
    returning id
  )
  insert into embed_secrets (secret_hash, session_id, ends_at) select $12, made.id, $10::timestamptz from made returning session_id`

/** Locks the session first, so that of several refreshes at once none undoes what another did. */
const REFRESH = `with s as (
    select s.id, least($1::timestamptz + s.ttl_seconds * interval '1 second', s.max_expires_at) as ends_at
    from embed_secrets x join embed_sessions s on s.id = x.session_id
    where x.secret_hash = $2 and s.id = $3 and x.ends_at > $1::timestamptz and ${IS_LIVE} for update of s
  ), aged as (
    update embed_secrets set ends_at = least(embed_secrets.ends_at, $1::timestamptz + interval '${EMBED_SECRET_GRACE_MS} milliseconds')
    from s where embed_secrets.secret_hash = $2
  ), fresh as (
    insert into embed_secrets (secret_hash, session_id, ends_at) select $4, s.id, s.ends_at from s
  )
  update embed_sessions set expires_at = greatest(embed_sessions.expires_at, s.ends_at), last_used_at = $1::timestamptz from s where embed_sessions.id = s.id
  returning s.ends_at::text`

const LIST = `select ${COLUMNS} from embed_sessions s where ${IS_WITHIN} and ${IS_LIVE} order by s.created_at desc, s.id desc`
const REVOKE = `update embed_sessions s set revoked_at = $1::timestamptz where ${IS_WITHIN} and s.id = $4 and ${IS_LIVE} returning s.id`
const FIND_LIVE = `select ${COLUMNS} from embed_sessions s where s.id = $2 and ${IS_LIVE}`

/** our choice: more sessions would not fit into the header that names their origins. */
const MOST_COVERING = 100
const COVERING = `select * from (
    select distinct on (s.allowed_origins) ${COLUMNS} from embed_sessions s
    where s.tenant_id = $2 and s.surface = 'connect' and (cardinality(s.number_ids) = 0 or $3 = any(s.number_ids)) and ${IS_LIVE}
    order by s.allowed_origins, s.created_at desc, s.id desc
  ) newest order by newest.created_at desc, newest.id desc limit ${MOST_COVERING}`

const STATES = `select s.id, s.expires_at::text, ${OVER} as over from embed_sessions s where s.id = any($2::text[])`
const TOUCH = `update embed_sessions set last_used_at = $1::timestamptz
  where id = $2 and (last_used_at is null or last_used_at <= $1::timestamptz - interval '1 minute')`
const PURGE = `delete from embed_sessions where id in (select s.id from embed_sessions s where not (${IS_KEPT}) limit ${PURGE_BATCH}) returning 1`

type SessionRow = RowIn<typeof SESSIONS>
type ProvedRow = SessionRow & { readonly ends_at: string; readonly over: EmbedOver | null }

/** A token: the id, then 32 random bytes as 43 characters ([embeds.tokens.1]). */
function newToken(id: EmbedSessionId): string {
  return `${id}.${randomBytes(32).toString('base64url')}`
}

/** Embed sessions as rows; their secrets, and the ids of the keys that minted them, are kept as hashes. */
class SqlEmbedSessionStore implements EmbedSessionStore {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async mint(minted: MintedSession): Promise<FreshToken | null> {
    const { keyId, maxAgeMs, ...fields } = minted
    const nowMs = this.#clock.now()
    const id = newId('emb')
    const token = newToken(id)
    const session: EmbedSession = {
      ...fields,
      id,
      createdAt: new Date(nowMs),
      lastUsedAt: null,
      expiresAt: new Date(nowMs + Math.min(minted.ttlSeconds * 1_000, maxAgeMs)),
      maxExpiresAt: new Date(nowMs + maxAgeMs),
    }
    const rows = await this.#database.query(MINT, [
      session.createdAt.toISOString(),
      id,
      session.tenantId,
      keyId === null ? null : digestOf(keyId),
      session.surface,
      session.numberIds,
      session.allowedOrigins,
      toJson(session.branding),
      session.ttlSeconds,
      session.expiresAt.toISOString(),
      session.maxExpiresAt.toISOString(),
      digestOf(token),
      session.canStart,
    ])
    return rows.length === 0 ? null : { token, session }
  }

  async prove(token: string): Promise<ProvedEmbed> {
    const id = sessionOfToken(token)
    if (id === null) return { kind: 'unknown' }
    const nowMs = this.#clock.now()
    const [row] = await this.#database.queryKept<ProvedRow>(PROVE, [new Date(nowMs).toISOString(), digestOf(token), id])
    if (!row) return { kind: 'unknown' }
    const secretEndsAt = toDate(row.ends_at)
    const over = row.over ?? (secretEndsAt.getTime() <= nowMs ? 'EXPIRED' : null)
    return over === null ? { kind: 'live', session: SESSIONS.read(row), secretEndsAt } : { kind: 'over', reason: over }
  }

  async refresh(token: string): ReturnType<EmbedSessionStore['refresh']> {
    const id = sessionOfToken(token)
    if (id === null) return { kind: 'unknown' }
    const fresh = newToken(id)
    await this.#database.query(REFRESH, [this.#now(), digestOf(token), id, digestOf(fresh)])
    const proved = await this.prove(fresh)
    if (proved.kind === 'live')
      return { kind: 'fresh', token: fresh, session: { ...proved.session, expiresAt: proved.secretEndsAt } }
    const asked = await this.prove(token)
    // The old token is live although the new one is not: the session ended while it was refreshed.
    return asked.kind === 'live' ? { kind: 'over', reason: 'REVOKED' } : asked
  }

  async list(tenantId: TenantId, numberId: NumberId | null): Promise<readonly EmbedSession[]> {
    return (await this.#database.query<SessionRow>(LIST, [this.#now(), tenantId, numberId])).map(SESSIONS.read)
  }

  async revoke(tenantId: TenantId, numberId: NumberId | null, id: string): Promise<boolean> {
    return (await this.#database.query(REVOKE, [this.#now(), tenantId, numberId, id])).length > 0
  }

  async findLive(id: string): Promise<EmbedSession | null> {
    const [row] = await this.#database.query<SessionRow>(FIND_LIVE, [this.#now(), id])
    return row ? SESSIONS.read(row) : null
  }

  async covering(tenantId: TenantId, numberId: NumberId): Promise<readonly EmbedSession[]> {
    return (await this.#database.query<SessionRow>(COVERING, [this.#now(), tenantId, numberId])).map(SESSIONS.read)
  }

  async states(ids: readonly EmbedSessionId[]): Promise<readonly EmbedState[]> {
    const rows = await this.#database.query<{ id: EmbedSessionId; expires_at: string; over: EmbedOver | null }>(
      STATES,
      [this.#now(), ids],
    )
    return rows.map(({ id, expires_at, over }) => ({ id, over, expiresAt: toDate(expires_at) }))
  }

  async touch(id: EmbedSessionId): Promise<void> {
    await this.#database.query(TOUCH, [this.#now(), id])
  }

  purge(): Promise<number> {
    return purgeRows(this.#database, PURGE, this.#now())
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

/** Sessions of embeds over an open database. */
export function openEmbedSessions(engine: Pick<Engine, 'database' | 'clock'>): {
  readonly embedSessions: EmbedSessionStore
} {
  return { embedSessions: new SqlEmbedSessionStore(engine) }
}
