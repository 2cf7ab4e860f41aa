import { randomBytes } from 'node:crypto'
import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { newId, type TenantId, type UserId, type WebSessionId } from '../../domain/ids.ts'
import { emailKeyOf, INVITATION_MS, type User } from '../../domain/user.ts'
import type { UserFields } from '../../domain/user-rules.ts'
import type { Decide, Invitation, Invited, InvitedUser, NewUser, SigningIn, UserStore } from '../../ports/stores/user-store.ts'
import { isDuplicate, type SqlSession } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { purgeRows } from '../engine/purge.ts'
import { digestOf } from '../engine/rows.ts'
import { toSigningIn, toStanding, toUser, type InvitedRow, type SigningInRow, type StandingRow, type UserRow } from './row.ts'
import * as sql from './sql.ts'

/** What is decided of somebody nobody knows here. */
const UNKNOWN = refuse('USER_NOT_FOUND', 'No such user in this account')

/** People of tenants, with the hashes of their passwords and invitations. */
class SqlUserStore implements UserStore {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async create(tenantId: TenantId, { email, role, name }: NewUser): Promise<Outcome<InvitedUser>> {
    const invitation = this.#newInvitation()
    try {
      const [row] = await this.#database.query<UserRow>(sql.CREATE, [newId('usr'), tenantId, email, emailKeyOf(email), name, role, this.#now(), digestOf(invitation.token), invitation.expiresAt.toISOString()])
      if (!row) throw new Error('a user was stored and not answered')
      return succeed({ user: toUser(row), invitation })
    } catch (error) {
      if (isDuplicate(error, 'users_email_key')) return fail(refuse('USER_ALREADY_EXISTS', 'There is a user of this address already'))
      throw error
    }
  }

  async list(tenantId: TenantId): Promise<readonly User[]> {
    const rows = await this.#database.query<UserRow>(sql.LIST, [tenantId])
    return rows.map(toUser)
  }

  async find(tenantId: TenantId, id: string): Promise<User | null> {
    const [row] = await this.#database.query<UserRow>(sql.FIND, [tenantId, id])
    return row ? toUser(row) : null
  }

  change(tenantId: TenantId, id: string, decide: Decide<UserFields>): Promise<Outcome<User>> {
    return this.#decided(tenantId, id, decide, async (session, userId, { role, name, status }) => {
      const [row] = await session.query<UserRow>(sql.CHANGE, [tenantId, userId, role, name, status])
      if (status === 'DISABLED') await session.query(sql.UNINVITE, [userId])
      if (!row) throw new Error('a user that was locked is gone')
      return toUser(row)
    })
  }

  remove(tenantId: TenantId, id: string, decide: Decide<null>): Promise<Outcome<UserId>> {
    return this.#decided(tenantId, id, decide, async (session, userId) => {
      await session.query('delete from users where tenant_id = $1 and id = $2', [tenantId, userId])
      return userId
    })
  }

  invite(tenantId: TenantId, id: string, decide: Decide<null>): Promise<Outcome<Invitation>> {
    return this.#decided(tenantId, id, decide, async (session, userId) => {
      const invitation = this.#newInvitation()
      await session.query(sql.INVITE, [userId, digestOf(invitation.token), invitation.expiresAt.toISOString()])
      return invitation
    })
  }

  async findInvited(token: string): Promise<Invited | null> {
    const [row] = await this.#database.query<InvitedRow>(sql.INVITED, [digestOf(token), this.#now()])
    return row ? { email: row.email, name: row.name, tenantName: row.tenant_name } : null
  }

  async findSigningIn(email: string): Promise<SigningIn | null> {
    const [row] = await this.#database.query<SigningInRow>(`${sql.SIGNING_IN} where email_key = $1`, [emailKeyOf(email)])
    return row ? toSigningIn(row) : null
  }

  async findSignedIn(tenantId: TenantId, id: UserId): Promise<SigningIn | null> {
    const [row] = await this.#database.query<SigningInRow>(`${sql.SIGNING_IN} where tenant_id = $1 and id = $2`, [tenantId, id])
    return row ? toSigningIn(row) : null
  }

  async replacePassword(id: UserId, { from, to }: { readonly from: string, readonly to: string }, kept: WebSessionId): Promise<boolean> {
    const rows = await this.#database.query(sql.REPLACE_PASSWORD, [id, from, to, kept])
    return rows.length > 0
  }

  purge(): Promise<number> {
    return purgeRows(this.#database, sql.PURGE, this.#now())
  }

  /** Two decisions of a tenant come one after the other: else each of two OWNERs that demote each other would leave the other one. */
  #decided<T, W>(tenantId: TenantId, id: string, decide: Decide<T>, write: (session: SqlSession, id: UserId, decided: T) => Promise<W>): Promise<Outcome<W>> {
    return this.#database.transaction(async (session) => {
      await session.query(sql.LOCK, [tenantId])
      const [row] = await session.query<StandingRow>(sql.STANDING, [tenantId, id])
      if (!row) return fail(UNKNOWN)
      const decided = decide(toStanding(row))
      return decided.ok ? succeed(await write(session, row.id, decided.value)) : decided
    })
  }

  #newInvitation(): Invitation {
    return { token: randomBytes(32).toString('base64url'), expiresAt: new Date(this.#clock.now() + INVITATION_MS) }
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

/** People over an open database. */
export function openUsers(engine: Pick<Engine, 'database' | 'clock'>): { readonly users: UserStore } {
  return { users: new SqlUserStore(engine) }
}
