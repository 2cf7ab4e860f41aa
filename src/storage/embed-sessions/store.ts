import { randomBytes } from 'node:crypto'
import { sessionOfToken, type EmbedOver, type EmbedSession } from '../../domain/embed-session.ts'
import { newId, type EmbedSessionId, type NumberId, type TenantId } from '../../domain/ids.ts'
import type {
  EmbedSessionStore,
  EmbedState,
  FreshToken,
  MintedSession,
  ProvedEmbed,
} from '../../ports/stores/embed-session-store.ts'
import type { Engine } from '../engine/engine.ts'
import { purgeRows } from '../engine/purge.ts'
import type { RowIn } from '../engine/rows-of.ts'
import { digestOf, toDate, toJson } from '../engine/rows.ts'
import * as sql from './sql.ts'

type SessionRow = RowIn<typeof sql.SESSIONS>
type ProvedRow = SessionRow & { readonly ends_at: string; readonly over: EmbedOver | null }

/** 32 random bytes: 43 characters (contract 17). */
function newToken(id: EmbedSessionId): string {
  return `${id}.${randomBytes(32).toString('base64url')}`
}

/** Sessions of embeds; their secrets are kept as hashes, as the ids of keys are. */
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
    const rows = await this.#database.query(sql.MINT, [
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
    ])
    return rows.length === 0 ? null : { token, session }
  }

  async prove(token: string): Promise<ProvedEmbed> {
    const id = sessionOfToken(token)
    if (id === null) return { kind: 'unknown' }
    const nowMs = this.#clock.now()
    const [row] = await this.#database.queryKept<ProvedRow>(sql.PROVE, [
      new Date(nowMs).toISOString(),
      digestOf(token),
      id,
    ])
    if (!row) return { kind: 'unknown' }
    const secretEndsAt = toDate(row.ends_at)
    const over = row.over ?? (secretEndsAt.getTime() <= nowMs ? 'EXPIRED' : null)
    return over === null
      ? { kind: 'live', session: sql.SESSIONS.read(row), secretEndsAt }
      : { kind: 'over', reason: over }
  }

  async refresh(token: string): ReturnType<EmbedSessionStore['refresh']> {
    const id = sessionOfToken(token)
    if (id === null) return { kind: 'unknown' }
    const fresh = newToken(id)
    await this.#database.query(sql.REFRESH, [this.#now(), digestOf(token), id, digestOf(fresh)])
    const proved = await this.prove(fresh)
    if (proved.kind === 'live')
      return { kind: 'fresh', token: fresh, session: { ...proved.session, expiresAt: proved.secretEndsAt } }
    const asked = await this.prove(token)
    // Live once more: it ended while it was refreshed.
    return asked.kind === 'live' ? { kind: 'over', reason: 'REVOKED' } : asked
  }

  async list(tenantId: TenantId, numberId: NumberId | null): Promise<readonly EmbedSession[]> {
    return (await this.#database.query<SessionRow>(sql.LIST, [this.#now(), tenantId, numberId])).map(sql.SESSIONS.read)
  }

  async revoke(tenantId: TenantId, numberId: NumberId | null, id: string): Promise<boolean> {
    return (await this.#database.query(sql.REVOKE, [this.#now(), tenantId, numberId, id])).length > 0
  }

  async findLive(id: string): Promise<EmbedSession | null> {
    const [row] = await this.#database.query<SessionRow>(sql.FIND_LIVE, [this.#now(), id])
    return row ? sql.SESSIONS.read(row) : null
  }

  async covering(tenantId: TenantId, numberId: NumberId): Promise<readonly EmbedSession[]> {
    return (await this.#database.query<SessionRow>(sql.COVERING, [this.#now(), tenantId, numberId])).map(
      sql.SESSIONS.read,
    )
  }

  async states(ids: readonly EmbedSessionId[]): Promise<readonly EmbedState[]> {
    const rows = await this.#database.query<{ id: EmbedSessionId; expires_at: string; over: EmbedOver | null }>(
      sql.STATES,
      [this.#now(), ids],
    )
    return rows.map(({ id, expires_at, over }) => ({ id, over, expiresAt: toDate(expires_at) }))
  }

  async touch(id: EmbedSessionId): Promise<void> {
    await this.#database.query(sql.TOUCH, [this.#now(), id])
  }

  purge(): Promise<number> {
    return purgeRows(this.#database, sql.PURGE, this.#now())
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
