import { randomBytes } from 'node:crypto'
import { newId, type TenantId, type UserId, type WebSessionId } from '../../domain/ids.ts'
import type { Role } from '../../domain/permissions.ts'
import {
  LOGIN_TOKEN_MS,
  MOST_SESSIONS,
  roleOf,
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
  SESSION_SEEN_MS,
  type WebSession,
} from '../../domain/web-session.ts'
import type {
  OpenedSession,
  SessionOrigin,
  SessionProof,
  WebSessionStore,
} from '../../ports/stores/web-session-store.ts'
import { isOwnerGone } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { purgePast } from '../engine/purge.ts'
import { rowsOf, type RowIn, type RowOf } from '../engine/rows-of.ts'
import { digestOf } from '../engine/rows.ts'
import { Parameters } from '../engine/statement.ts'
import { LoginTokenEntity, WebSessionEntity } from './entity.ts'

const SESSIONS = rowsOf(WebSessionEntity).only(
  'id',
  'tenantId',
  'csrfToken',
  'createdAt',
  'lastSeenAt',
  'expiresAt',
  'address',
  'userAgent',
)
/** A session with the account's name and the person. */
type SessionRow = RowIn<typeof SESSIONS>
  & RowOf<{
    readonly tenantName: string
    readonly userId: UserId | null
    readonly email: string
    readonly userName: string | null
    readonly role: Role
  }>

const SESSION = `${SESSIONS.list('s')}, t.name as tenant_name, u.id as user_id, u.email, u.name as user_name, u.role`

/**
 * SQL of live sessions. A session whose key was replaced has no key to join; a session older than the person's password
 * has an older version.
 */
const LIVE = `select ${SESSION} from web_sessions s join tenants t on t.id = s.tenant_id join api_keys k on k.id_hash = s.key_id_hash left join users u on u.id = s.user_id
  where (s.user_id is null or (u.status = 'ACTIVE' and u.sessions_version = s.sessions_version)) and s.expires_at > $1::timestamptz and s.last_seen_at > $1::timestamptz - interval '${SESSION_IDLE_MS} milliseconds'`

const NOBODY =
  'null::text as user_id, null::integer as sessions_version, null::text as email, null::text as name, null::text as role'

/**
 * SQL of CTEs, the last of them `proved`: the key of the tenant that a proof stands for, and the person when it is one.
 * `proved` is empty when nothing is proved. A proof that works once is used up by them. `now` is a placeholder.
 */
function provedBy(proof: SessionProof, p: Parameters, now: string): string {
  if ('keyId' in proof)
    return `proved as (select tenant_id, id_hash, ${NOBODY} from api_keys where id_hash = ${p.add(digestOf(proof.keyId))} and scope = 'TENANT')`
  if ('loginToken' in proof) {
    return `redeemed as (delete from login_tokens where token_hash = ${p.add(digestOf(proof.loginToken))} and expires_at > ${now} returning tenant_id),
      proved as (select k.tenant_id, k.id_hash, ${NOBODY} from api_keys k join redeemed r on r.tenant_id = k.tenant_id where k.scope = 'TENANT')`
  }
  return `${'userId' in proof ? withPassword(proof, p, now) : withInvitation(proof, p, now)},
    proved as (select k.tenant_id, k.id_hash, u.id as user_id, u.sessions_version, u.email, u.name, u.role from u join api_keys k on k.tenant_id = u.tenant_id where k.scope = 'TENANT')`
}

/** A person who was disabled or got another password since this one was found right is not let in. */
function withPassword(
  { userId, passwordHash }: Extract<SessionProof, { userId: unknown }>,
  p: Parameters,
  now: string,
): string {
  return `u as (update users set last_seen_at = ${now} where id = ${p.add(userId)} and password = ${p.add(passwordHash)} and status = 'ACTIVE' returning *)`
}

/**
 * The password replaces any before it, and all earlier sessions are over, because an invitation also replaces a
 * forgotten password.
 */
function withInvitation(
  { invitation, passwordHash, name }: Extract<SessionProof, { invitation: unknown }>,
  p: Parameters,
  now: string,
): string {
  return `accepted as (delete from invitations where token_hash = ${p.add(digestOf(invitation))} and expires_at > ${now} returning user_id),
    u as (update users set password = ${p.add(passwordHash)}, name = coalesce(${p.add(name)}, name), status = 'ACTIVE', sessions_version = sessions_version + 1, last_seen_at = ${now}
      from accepted a where id = a.user_id and status <> 'DISABLED' returning users.*)`
}

/** 256 random bits, for which a fast hash is enough. */
function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Sessions of the dashboard, found by the hashes of their secrets. */
class SqlWebSessionStore implements WebSessionStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  /** One statement, so that a login token or an invitation is used up by the session it opens, or not at all. */
  async open(proof: SessionProof, { address, userAgent }: SessionOrigin): Promise<OpenedSession | null> {
    const secret = newSecret()
    const p = new Parameters()
    const now = p.time(this.#clock.now())
    const columns = [
      p.add(newId('sess')),
      p.add(digestOf(secret)),
      p.add(newSecret()),
      now,
      now,
      p.time(this.#clock.now() + SESSION_MAX_MS),
      p.add(address),
      p.add(userAgent),
    ]
    const rows = await this.#database
      .query<SessionRow>(
        `with ${provedBy(proof, p, now)}, s as (
        insert into web_sessions (tenant_id, key_id_hash, user_id, sessions_version, id, secret_hash, csrf_token, created_at, last_seen_at, expires_at, address, user_agent)
        select tenant_id, id_hash, user_id, sessions_version, ${columns.join(', ')} from proved returning *
      ) select ${SESSION} from s join tenants t on t.id = s.tenant_id
        left join (select user_id as id, email, name, role from proved) u on u.id = s.user_id`,
        p.values,
      )
      .catch(noneIfRemoved)
    const row = rows[0]
    if (!row) return null
    await this.#makeRoom(row)
    return { session: toSession(row), secret }
  }

  async prove(secret: string): Promise<WebSession | null> {
    const hash = digestOf(secret)
    const nowMs = this.#clock.now()
    const [row] = await this.#database.query<SessionRow>(`${LIVE} and s.secret_hash = $2`, [
      new Date(nowMs).toISOString(),
      hash,
    ])
    if (!row) return null
    const session = toSession(row)
    if (session.lastSeenAt.getTime() > nowMs - SESSION_SEEN_MS) return session
    const lastSeenAt = new Date(nowMs)
    await this.#database.query(
      'update web_sessions set last_seen_at = $2::timestamptz where secret_hash = $1 and last_seen_at < $2::timestamptz',
      [hash, lastSeenAt.toISOString()],
    )
    // Not in one statement, because the removal of a person locks that row first, and its sessions then.
    if (row.user_id !== null)
      await this.#database.query(
        'update users set last_seen_at = $2::timestamptz where id = $1 and last_seen_at < $2::timestamptz',
        [row.user_id, lastSeenAt.toISOString()],
      )
    return { ...session, lastSeenAt }
  }

  async list(tenantId: TenantId, userId: UserId | null = null): Promise<readonly WebSession[]> {
    const rows = await this.#database.query<SessionRow>(
      `${LIVE} and s.tenant_id = $2 and ($3::text is null or s.user_id = $3) order by s.created_at desc, s.id desc`,
      [this.#now(), tenantId, userId],
    )
    return rows.map(toSession)
  }

  async roles(ids: readonly WebSessionId[]): Promise<ReadonlyMap<WebSessionId, Role>> {
    const rows = await this.#database.query<SessionRow>(`${LIVE} and s.id = any($2::text[])`, [this.#now(), ids])
    return new Map(rows.map(toSession).map((session) => [session.id, roleOf(session)]))
  }

  async end(tenantId: TenantId, id: string, userId: UserId | null = null): Promise<boolean> {
    const ended = await this.#database.query(
      `delete from web_sessions where id in (
      select live.id from (${LIVE} and s.tenant_id = $2 and s.id = $3 and ($4::text is null or s.user_id = $4)) live) returning 1`,
      [this.#now(), tenantId, id, userId],
    )
    return ended.length > 0
  }

  async endSecret(secret: string): Promise<void> {
    await this.#database.query('delete from web_sessions where secret_hash = $1', [digestOf(secret)])
  }

  async mintLoginToken(tenantId: string | null): Promise<string | null> {
    const token = `lt_${newSecret()}`
    const expiresAt = new Date(this.#clock.now() + LOGIN_TOKEN_MS).toISOString()
    const rows = await this.#database.query(
      `insert into login_tokens (token_hash, tenant_id, expires_at)
      select $1, id, $2::timestamptz from tenants where $3::text is null or id = $3 order by created_at, id limit 1 returning 1`,
      [digestOf(token), expiresAt, tenantId],
    )
    return rows.length > 0 ? token : null
  }

  /** A session that is over by its age or by its key is idle from then on, so one purge finds them all. */
  async purge(): Promise<number> {
    const nowMs = this.#clock.now()
    const counts = await Promise.all([
      purgePast(this.#database, WebSessionEntity, ['lastSeenAt'], nowMs - SESSION_IDLE_MS),
      purgePast(this.#database, LoginTokenEntity, ['expiresAt'], nowMs),
    ])
    return counts.reduce((sum, count) => sum + count, 0)
  }

  /**
   * Ends the oldest sessions of the person, or of those that the tenant key opened, so that nobody pushes others out.
   */
  async #makeRoom({ tenant_id: tenantId, user_id: userId }: SessionRow): Promise<void> {
    await this.#database.query(
      `delete from web_sessions where id in (
      select id from web_sessions where tenant_id = $1 and user_id is not distinct from $2 order by last_seen_at desc, id desc offset ${MOST_SESSIONS})`,
      [tenantId, userId],
    )
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

/** No rows when the person or the account was removed meanwhile. */
function noneIfRemoved(error: unknown): SessionRow[] {
  if (isOwnerGone(error)) return []
  throw error
}

function toSession(row: SessionRow): WebSession {
  return {
    ...SESSIONS.read(row),
    tenantName: row.tenant_name,
    user: row.user_id === null ? null : { id: row.user_id, email: row.email, name: row.user_name, role: row.role },
  }
}

/** Sessions of the dashboard over an open database. */
export function openWebSessions(engine: Pick<Engine, 'database' | 'clock'>): { readonly webSessions: WebSessionStore } {
  return { webSessions: new SqlWebSessionStore(engine) }
}
