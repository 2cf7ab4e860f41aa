import { randomBytes } from 'node:crypto'
import {
  EMBED_KEPT_MS,
  EMBED_SECRET_GRACE_MS,
  type EmbedOver,
  type EmbedSession,
} from '../../../src/domain/embed-session.ts'
import { newId, type EmbedSessionId, type NumberId, type TenantId } from '../../../src/domain/ids.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { EmbedSessionStore, MintedSession, ProvedEmbed } from '../../../src/ports/stores/embed-session-store.ts'
import type { MemoryEmbedSession, MemoryRows } from './rows.ts'

/** Sessions of embeds in memory, over the keys and numbers of the other stores. */
export class MemoryEmbedSessions implements EmbedSessionStore {
  readonly #rows: MemoryRows
  readonly #clock: Clock
  /** When secrets expire, by token. */
  readonly #secrets = new Map<string, { readonly id: EmbedSessionId; readonly endsAt: Date }>()

  constructor(rows: MemoryRows, clock: Clock) {
    this.#rows = rows
    this.#clock = clock
  }

  async mint({ maxAgeMs, ...minted }: MintedSession) {
    if (minted.numberIds.some((id) => this.#rows.numbers.get(id)?.tenantId !== minted.tenantId)) return null
    const nowMs = this.#clock.now()
    const row: MemoryEmbedSession = {
      ...minted,
      keyId:
        minted.keyId
        ?? [...this.#rows.keys.values()].find(
          ({ tenantId, scope }) => tenantId === minted.tenantId && scope === 'TENANT',
        )?.id
        ?? null,
      id: newId('emb'),
      createdAt: new Date(nowMs),
      lastUsedAt: null,
      revokedAt: null,
      expiresAt: new Date(nowMs + Math.min(minted.ttlSeconds * 1_000, maxAgeMs)),
      maxExpiresAt: new Date(nowMs + maxAgeMs),
    }
    this.#rows.embedSessions.set(row.id, row)
    return { token: this.#secret(row.id, row.expiresAt), session: this.#shown(row) }
  }

  async prove(token: string): Promise<ProvedEmbed> {
    const secret = this.#secrets.get(token)
    const row = secret && this.#rows.embedSessions.get(secret.id)
    if (!secret || !row || this.#isForgotten(row)) return { kind: 'unknown' }
    const over = this.#over(row) ?? (secret.endsAt.getTime() <= this.#clock.now() ? 'EXPIRED' : null)
    return over
      ? { kind: 'over', reason: over }
      : { kind: 'live', session: this.#shown(row), secretEndsAt: secret.endsAt }
  }

  async refresh(token: string): ReturnType<EmbedSessionStore['refresh']> {
    const proved = await this.prove(token)
    const row = proved.kind === 'live' ? this.#rows.embedSessions.get(proved.session.id) : undefined
    if (proved.kind !== 'live' || !row) return proved as Exclude<ProvedEmbed, { kind: 'live' }>
    const nowMs = this.#clock.now()
    const endsAt = new Date(Math.min(nowMs + row.ttlSeconds * 1_000, row.maxExpiresAt.getTime()))
    this.#secrets.set(token, {
      id: row.id,
      endsAt: new Date(Math.min(proved.secretEndsAt.getTime(), nowMs + EMBED_SECRET_GRACE_MS)),
    })
    const expiresAt = new Date(Math.max(row.expiresAt.getTime(), endsAt.getTime()))
    this.#rows.embedSessions.set(row.id, { ...row, expiresAt, lastUsedAt: new Date(nowMs) })
    return {
      kind: 'fresh',
      token: this.#secret(row.id, endsAt),
      session: { ...proved.session, expiresAt: endsAt, lastUsedAt: new Date(nowMs) },
    }
  }

  async list(tenantId: TenantId, numberId: NumberId | null) {
    return this.#live()
      .filter((row) => isWithin(row, tenantId, numberId))
      .map((row) => this.#shown(row))
  }

  async revoke(tenantId: TenantId, numberId: NumberId | null, id: string) {
    const row = this.#live().find((one) => one.id === id && isWithin(one, tenantId, numberId))
    if (row) this.#rows.embedSessions.set(row.id, { ...row, revokedAt: new Date(this.#clock.now()) })
    return row !== undefined
  }

  async findLive(id: string) {
    const row = this.#live().find((one) => one.id === id)
    return row ? this.#shown(row) : null
  }

  async covering(tenantId: TenantId, numberId: NumberId) {
    const rows = this.#live().filter(
      (row) =>
        row.tenantId === tenantId
        && row.surface === 'connect'
        && (row.numberIds.length === 0 || row.numberIds.includes(numberId)),
    )
    const newest = new Map(rows.toReversed().map((row) => [row.allowedOrigins.join(' '), row]))
    return rows
      .filter((row) => newest.get(row.allowedOrigins.join(' ')) === row)
      .slice(0, 100)
      .map((row) => this.#shown(row))
  }

  async states(ids: readonly EmbedSessionId[]) {
    return ids
      .flatMap((id) => this.#rows.embedSessions.get(id) ?? [])
      .map((row) => ({ id: row.id, over: this.#over(row), expiresAt: row.expiresAt }))
  }

  async touch(id: EmbedSessionId) {
    const row = this.#rows.embedSessions.get(id)
    const now = new Date(this.#clock.now())
    if (row && (row.lastUsedAt === null || now.getTime() - row.lastUsedAt.getTime() >= 60_000))
      this.#rows.embedSessions.set(id, { ...row, lastUsedAt: now })
  }

  async purge() {
    const gone = [...this.#rows.embedSessions.values()].filter((row) => this.#isForgotten(row))
    for (const { id } of gone) this.#rows.embedSessions.delete(id)
    return gone.length
  }

  #secret(id: EmbedSessionId, endsAt: Date): string {
    const token = `${id}.${randomBytes(32).toString('base64url')}`
    this.#secrets.set(token, { id, endsAt })
    return token
  }

  #live(): MemoryEmbedSession[] {
    return [...this.#rows.embedSessions.values()].toReversed().filter((row) => this.#over(row) === null)
  }

  #over(row: MemoryEmbedSession): EmbedOver | null {
    const { keys, numbers } = this.#rows
    const isBereft =
      ![...keys.values()].some(({ id }) => id === row.keyId)
      || (row.numberIds.length > 0 && !row.numberIds.some((id) => numbers.has(id)))
    if (row.revokedAt || isBereft) return 'REVOKED'
    return row.expiresAt.getTime() <= this.#clock.now() ? 'EXPIRED' : null
  }

  #isForgotten(row: MemoryEmbedSession): boolean {
    return (row.revokedAt ?? row.expiresAt).getTime() <= this.#clock.now() - EMBED_KEPT_MS
  }

  #shown(row: MemoryEmbedSession): EmbedSession {
    const { keyId: _, revokedAt: __, ...session } = row
    return { ...session, numberIds: row.numberIds.filter((id) => this.#rows.numbers.has(id)) }
  }
}

function isWithin(row: MemoryEmbedSession, tenantId: TenantId, numberId: NumberId | null): boolean {
  return (
    row.tenantId === tenantId && (numberId === null || (row.numberIds.length === 1 && row.numberIds[0] === numberId))
  )
}
