import { randomBytes } from 'node:crypto'
import { newId, type KeyId, type TenantId, type UserId, type WebSessionId } from '../../../src/domain/ids.ts'
import {
  LOGIN_TOKEN_MS,
  MOST_SESSIONS,
  roleOf,
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
  SESSION_SEEN_MS,
  type WebSession,
} from '../../../src/domain/web-session.ts'
import type { Role } from '../../../src/domain/permissions.ts'
import type { UserRef } from '../../../src/domain/user.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { IssuedKey } from '../../../src/ports/stores/key-store.ts'
import type {
  OpenedSession,
  SessionOrigin,
  SessionProof,
  WebSessionStore,
} from '../../../src/ports/stores/web-session-store.ts'
import type { MemoryRows, MemoryUser } from './rows.ts'

interface Kept {
  readonly session: WebSession
  readonly keyId: KeyId
  readonly sessionsVersion: number | null
}

interface Proved {
  readonly key: IssuedKey
  readonly row: MemoryUser | null
}

/** Sessions of the dashboard in memory, by secret. */
export class MemoryWebSessions implements WebSessionStore {
  readonly #sessions = new Map<string, Kept>()
  readonly #tokens = new Map<string, { readonly tenantId: TenantId; readonly untilMs: number }>()
  readonly #rows: MemoryRows
  readonly #clock: Clock

  constructor(rows: MemoryRows, clock: Clock) {
    this.#rows = rows
    this.#clock = clock
  }

  async open(proof: SessionProof, from: SessionOrigin): Promise<OpenedSession | null> {
    const proved = this.#prove(proof)
    if (!proved) return null
    const { key, row } = proved
    const now = new Date(this.#clock.now())
    const session: WebSession = {
      ...from,
      id: newId('sess'),
      tenantId: key.tenantId,
      tenantName: this.#rows.tenants.get(key.tenantId)?.name ?? '',
      csrfToken: newSecret(),
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + SESSION_MAX_MS),
      user: row && refOf(row),
    }
    const secret = newSecret()
    this.#sessions.set(secret, { session, keyId: key.id, sessionsVersion: row?.sessionsVersion ?? null })
    const longestSeen = [...this.#sessions]
      .filter(([, one]) => one.session.tenantId === key.tenantId && one.session.user?.id === session.user?.id)
      .toSorted(
        ([, a], [, b]) =>
          b.session.lastSeenAt.getTime() - a.session.lastSeenAt.getTime() || (a.session.id < b.session.id ? 1 : -1),
      )
    for (const [older] of longestSeen.slice(MOST_SESSIONS)) this.#sessions.delete(older)
    return { session, secret }
  }

  async prove(secret: string): Promise<WebSession | null> {
    const kept = this.#sessions.get(secret)
    if (!kept || !this.#isLive(kept)) return null
    if (kept.session.lastSeenAt.getTime() > this.#clock.now() - SESSION_SEEN_MS) return this.#shown(kept)
    const seen = { ...kept, session: { ...kept.session, lastSeenAt: new Date(this.#clock.now()) } }
    this.#sessions.set(secret, seen)
    const row = this.#userOf(kept.session)
    if (row) this.#rows.users.set(row.user.id, { ...row, user: { ...row.user, lastSeenAt: seen.session.lastSeenAt } })
    return this.#shown(seen)
  }

  async list(tenantId: TenantId, userId: UserId | null = null): Promise<readonly WebSession[]> {
    return [...this.#sessions.values()]
      .filter((kept) => this.#isOf(kept, tenantId, userId))
      .map((kept) => this.#shown(kept))
      .toReversed()
  }

  async roles(ids: readonly WebSessionId[]): Promise<ReadonlyMap<WebSessionId, Role>> {
    const live = [...this.#sessions.values()].filter((kept) => ids.includes(kept.session.id) && this.#isLive(kept))
    return new Map(live.map((kept) => [kept.session.id, roleOf(this.#shown(kept))]))
  }

  async end(tenantId: TenantId, id: string, userId: UserId | null = null): Promise<boolean> {
    const found = [...this.#sessions].find(([, kept]) => kept.session.id === id && this.#isOf(kept, tenantId, userId))
    return found !== undefined && this.#sessions.delete(found[0])
  }

  async endSecret(secret: string): Promise<void> {
    this.#sessions.delete(secret)
  }

  /** The session as it is now. */
  #shown({ session }: Kept): WebSession {
    const row = this.#userOf(session)
    return { ...session, user: row && refOf(row) }
  }

  #userOf({ user }: WebSession): MemoryUser | null {
    return user ? (this.#rows.users.get(user.id) ?? null) : null
  }

  #isOf(kept: Kept, tenantId: TenantId, userId: UserId | null): boolean {
    return (
      kept.session.tenantId === tenantId && (userId === null || kept.session.user?.id === userId) && this.#isLive(kept)
    )
  }

  #prove(proof: SessionProof): Proved | null {
    const row = this.#person(proof)
    const tenantId = 'loginToken' in proof ? this.#redeem(proof.loginToken) : row?.tenantId
    const key = [...this.#rows.keys.values()].find(
      (one) => one.scope === 'TENANT' && ('keyId' in proof ? one.id === proof.keyId : one.tenantId === tenantId),
    )
    return key ? { key, row } : null
  }

  /** The person whom a proof belongs to, updated by the proof. */
  #person(proof: SessionProof): MemoryUser | null {
    const lastSeenAt = new Date(this.#clock.now())
    if ('userId' in proof) {
      const row = this.#rows.users.get(proof.userId)
      return row?.user.status === 'ACTIVE' && row.passwordHash === proof.passwordHash
        ? this.#keep({ ...row, user: { ...row.user, lastSeenAt } })
        : null
    }
    if (!('invitation' in proof)) return null
    const row = [...this.#rows.users.values()].find(
      ({ invitation }) => invitation?.token === proof.invitation && invitation.expiresAt > lastSeenAt,
    )
    if (!row || row.user.status === 'DISABLED') return null
    return this.#keep({
      ...row,
      invitation: null,
      passwordHash: proof.passwordHash,
      sessionsVersion: row.sessionsVersion + 1,
      user: { ...row.user, name: proof.name ?? row.user.name, status: 'ACTIVE', lastSeenAt },
    })
  }

  #keep(row: MemoryUser): MemoryUser {
    this.#rows.users.set(row.user.id, row)
    return row
  }

  async mintLoginToken(tenantId: string | null): Promise<string | null> {
    const found = [...this.#rows.tenants.keys()].find((id) => tenantId === null || id === tenantId)
    if (!found) return null
    const token = `lt_${newSecret()}`
    this.#tokens.set(token, { tenantId: found, untilMs: this.#clock.now() + LOGIN_TOKEN_MS })
    return token
  }

  /** Keeps a session valid when the password of its person is replaced. */
  keep(id: string, userId: UserId, sessionsVersion: number): void {
    for (const [secret, kept] of this.#sessions) {
      if (kept.session.id === id && kept.session.user?.id === userId)
        this.#sessions.set(secret, { ...kept, sessionsVersion })
    }
  }

  async purge(): Promise<number> {
    const gone = [...this.#sessions].filter(
      ([, { session }]) => session.lastSeenAt.getTime() <= this.#clock.now() - SESSION_IDLE_MS,
    )
    const over = [...this.#tokens].filter(([, { untilMs }]) => untilMs <= this.#clock.now())
    for (const [secret] of gone) this.#sessions.delete(secret)
    for (const [token] of over) this.#tokens.delete(token)
    return gone.length + over.length
  }

  /** The key that a session depends on; undefined when there is no such session. */
  keyOf(id: WebSessionId): KeyId | undefined {
    return [...this.#sessions.values()].find(({ session }) => session.id === id)?.keyId
  }

  /** Makes a session depend on another key. */
  moveTo(id: WebSessionId, keyId: KeyId): void {
    for (const [secret, kept] of this.#sessions)
      if (kept.session.id === id) this.#sessions.set(secret, { ...kept, keyId })
  }

  #redeem(token: string): TenantId | null {
    const found = this.#tokens.get(token)
    if (!found || found.untilMs <= this.#clock.now()) return null
    this.#tokens.delete(token)
    return found.tenantId
  }

  #isLive({ session, keyId, sessionsVersion }: Kept): boolean {
    const nowMs = this.#clock.now()
    const row = this.#userOf(session)
    if (session.user && (row?.user.status !== 'ACTIVE' || row.sessionsVersion !== sessionsVersion)) return false
    const hasKey = [...this.#rows.keys.values()].some(({ id }) => id === keyId)
    return hasKey && session.expiresAt.getTime() > nowMs && session.lastSeenAt.getTime() > nowMs - SESSION_IDLE_MS
  }
}

function refOf({ user: { id, email, name, role } }: MemoryUser): UserRef {
  return { id, email, name, role }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}
