import { randomBytes } from 'node:crypto'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import { newId, type TenantId, type UserId, type WebSessionId } from '../../../src/domain/ids.ts'
import { emailKeyOf, INVITATION_MS, type User } from '../../../src/domain/user.ts'
import type { StandingUser, UserFields } from '../../../src/domain/user-rules.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type {
  Decide,
  Invitation,
  Invited,
  InvitedUser,
  NewUser,
  SigningIn,
  UserStore,
} from '../../../src/ports/stores/user-store.ts'
import { storable, type MemoryRows, type MemoryUser } from './rows.ts'

/** People in memory. What identifies their sessions is in their rows (see MemoryWebSessions). */
export class MemoryUsers implements UserStore {
  readonly #rows: MemoryRows
  readonly #clock: Clock
  /** Called when a password is replaced, with the session that stays valid. */
  keepSession: (id: WebSessionId, userId: UserId, version: number) => void = () => {}

  constructor(rows: MemoryRows, clock: Clock) {
    this.#rows = rows
    this.#clock = clock
  }

  async create(tenantId: TenantId, { email, role, name }: NewUser): Promise<Outcome<InvitedUser>> {
    if (this.#byEmail(email))
      return fail(refuse('USER_ALREADY_EXISTS', 'A user with this e-mail address exists already'))
    const user: User = storable({
      id: newId('usr'),
      email,
      name,
      role,
      status: 'INVITED',
      lastSeenAt: null,
      createdAt: new Date(this.#clock.now()),
    })
    const invitation = this.#newInvitation()
    this.#rows.users.set(user.id, { tenantId, user, passwordHash: null, sessionsVersion: 1, invitation })
    return succeed({ user, invitation })
  }

  async list(tenantId: TenantId): Promise<readonly User[]> {
    return this.#of(tenantId).map(({ user }) => user)
  }

  async find(tenantId: TenantId, id: string): Promise<User | null> {
    return this.#of(tenantId).find(({ user }) => user.id === id)?.user ?? null
  }

  async change(tenantId: TenantId, id: string, decide: Decide<UserFields>): Promise<Outcome<User>> {
    return this.#decided(tenantId, id, decide, (row, fields) => {
      const isOver = fields.status === 'DISABLED'
      const user = { ...row.user, ...storable(fields) }
      this.#rows.users.set(user.id, {
        ...row,
        user,
        sessionsVersion: row.sessionsVersion + (isOver ? 1 : 0),
        invitation: isOver ? null : row.invitation,
      })
      return user
    })
  }

  async remove(tenantId: TenantId, id: string, decide: Decide<null>): Promise<Outcome<UserId>> {
    return this.#decided(tenantId, id, decide, ({ user }) => {
      this.#rows.users.delete(user.id)
      return user.id
    })
  }

  async invite(tenantId: TenantId, id: string, decide: Decide<null>): Promise<Outcome<Invitation>> {
    return this.#decided(tenantId, id, decide, (row) => {
      const invitation = this.#newInvitation()
      this.#rows.users.set(row.user.id, { ...row, invitation })
      return invitation
    })
  }

  async findInvited(token: string): Promise<Invited | null> {
    const row = [...this.#rows.users.values()].find(
      ({ user, invitation }) =>
        invitation?.token === token && invitation.expiresAt.getTime() > this.#clock.now() && user.status !== 'DISABLED',
    )
    return row
      ? { email: row.user.email, name: row.user.name, tenantName: this.#rows.tenants.get(row.tenantId)?.name ?? '' }
      : null
  }

  async findSigningIn(email: string): Promise<SigningIn | null> {
    return toSigningIn(this.#byEmail(email))
  }

  async findSignedIn(tenantId: TenantId, id: UserId): Promise<SigningIn | null> {
    return toSigningIn(this.#of(tenantId).find(({ user }) => user.id === id))
  }

  async replacePassword(
    id: UserId,
    { from, to }: { readonly from: string; readonly to: string },
    kept: WebSessionId,
  ): Promise<boolean> {
    const row = this.#rows.users.get(id)
    if (row?.user.status !== 'ACTIVE' || row.passwordHash !== from) return false
    const sessionsVersion = row.sessionsVersion + 1
    this.#rows.users.set(id, { ...row, passwordHash: to, sessionsVersion, invitation: null })
    this.keepSession(kept, id, sessionsVersion)
    return true
  }

  async purge(): Promise<number> {
    const over = [...this.#rows.users.values()].filter(
      ({ invitation }) => invitation !== null && invitation.expiresAt.getTime() <= this.#clock.now(),
    )
    for (const row of over) this.#rows.users.set(row.user.id, { ...row, invitation: null })
    return over.length
  }

  #decided<T, W>(
    tenantId: TenantId,
    id: string,
    decide: Decide<T>,
    write: (row: MemoryUser, decided: T) => W,
  ): Outcome<W> {
    const row = this.#of(tenantId).find(({ user }) => user.id === id)
    if (!row) return fail(refuse('USER_NOT_FOUND', 'No such user in this account'))
    const decided = decide(this.#standing(row))
    return decided.ok ? succeed(write(row, decided.value)) : decided
  }

  #standing({ tenantId, user, passwordHash }: MemoryUser): StandingUser {
    const owners = this.#of(tenantId).filter((one) => one.user.role === 'OWNER' && one.user.status === 'ACTIVE')
    return {
      user,
      hasPassword: passwordHash !== null,
      isLastOwner: owners.length === 1 && owners[0]?.user.id === user.id,
    }
  }

  #of(tenantId: TenantId): MemoryUser[] {
    return [...this.#rows.users.values()].filter((row) => row.tenantId === tenantId)
  }

  #byEmail(email: string): MemoryUser | undefined {
    return [...this.#rows.users.values()].find(({ user }) => emailKeyOf(user.email) === emailKeyOf(email))
  }

  #newInvitation(): Invitation {
    return { token: randomBytes(32).toString('base64url'), expiresAt: new Date(this.#clock.now() + INVITATION_MS) }
  }
}

function toSigningIn(row: MemoryUser | undefined): SigningIn | null {
  return row ? { id: row.user.id, isActive: row.user.status === 'ACTIVE', passwordHash: row.passwordHash } : null
}
