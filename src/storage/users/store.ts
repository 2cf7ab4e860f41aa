import { raw } from '@mikro-orm/core'
import { randomBytes } from 'node:crypto'
import { fail, refuse, succeed, type Outcome } from '../../domain/errors.ts'
import { newId, type TenantId, type UserId, type WebSessionId } from '../../domain/ids.ts'
import { emailKeyOf, INVITATION_MS, type User } from '../../domain/user.ts'
import type { UserFields } from '../../domain/user-rules.ts'
import type {
  Decide,
  Invitation,
  Invited,
  InvitedUser,
  NewUser,
  SigningIn,
  UserStore,
} from '../../ports/stores/user-store.ts'
import { isDuplicate } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import type { UnitManager } from '../engine/orm-units.ts'
import { purgePast } from '../engine/purge.ts'
import type { RecordOf } from '../engine/rows-of.ts'
import { digestOf } from '../engine/rows.ts'
import { EVERYBODY } from '../engine/scope.ts'
import { TenantEntity } from '../tenants/entity.ts'
import { WebSessionEntity } from '../web-sessions/entity.ts'
import { InvitationEntity, UserEntity } from './entity.ts'

/** The refusal for a person who is not in the account. */
const UNKNOWN = refuse('USER_NOT_FOUND', 'No such user in this account')

/** Ends sessions that have the version before. */
const NEXT_VERSION = raw('sessions_version + 1')

/** A person as the table has it. */
type UserRow = RecordOf<typeof UserEntity>

function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    status: row.status,
    lastSeenAt: row.lastSeenAt,
    createdAt: row.createdAt,
  }
}

function toSigningIn({ id, status, password }: UserRow): SigningIn {
  return { id, isActive: status === 'ACTIVE', passwordHash: password }
}

/** A person of the tenant, locked for the unit of work, together with every decision on its other people. */
async function heldUser(
  rows: UnitManager,
  tenantId: TenantId,
  id: string,
): Promise<{ readonly row: UserRow; readonly isLastOwner: boolean } | null> {
  // This lock does not keep others from storing rows that refer to the tenant.
  await rows.readOne(TenantEntity, { id: tenantId }, { lock: 'no key update' })
  // Read after the lock is granted, so that earlier writes of others are seen.
  const row = await rows.readOne(UserEntity, { id: id as UserId }, { lock: 'update' })
  return row && { row, isLastOwner: await isLastOwner(rows, row) }
}

/** True when no other active person is OWNER. */
async function isLastOwner(rows: UnitManager, { id, role, status }: UserRow): Promise<boolean> {
  return (
    role === 'OWNER' && status === 'ACTIVE' && (await rows.count(UserEntity, { id: { $ne: id }, role, status })) === 0
  )
}

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
      const user = await this.#database.unitOfWork({ tenantId }, async (rows) => {
        const made = await rows.created(UserEntity, {
          id: newId('usr'),
          tenantId,
          email,
          emailKey: emailKeyOf(email),
          name,
          role,
          status: 'INVITED',
          createdAt: new Date(this.#clock.now()),
        })
        await rows.added(InvitationEntity, { userId: made.id, ...stored(invitation) })
        return toUser(made)
      })
      return succeed({ user, invitation })
    } catch (error) {
      if (isDuplicate(error, 'users_email_key'))
        return fail(refuse('USER_ALREADY_EXISTS', 'A user with this e-mail address exists already'))
      throw error
    }
  }

  async list(tenantId: TenantId): Promise<readonly User[]> {
    const rows = await this.#database
      .entities({ tenantId })
      .read(UserEntity, {}, { orderBy: { createdAt: 'asc', id: 'asc' } })
    return rows.map(toUser)
  }

  async find(tenantId: TenantId, id: string): Promise<User | null> {
    const row = await this.#database.entities({ tenantId }).readOne(UserEntity, { id: id as UserId })
    return row && toUser(row)
  }

  change(tenantId: TenantId, id: string, decide: Decide<UserFields>): Promise<Outcome<User>> {
    return this.#decided(tenantId, id, decide, async (rows, user, fields) => {
      const isDisabled = fields.status === 'DISABLED'
      if (isDisabled) await rows.removed(InvitationEntity, { userId: user.id })
      // A disabled person has no live session again when the disabling ends.
      const sessionsVersion = user.sessionsVersion + (isDisabled ? 1 : 0)
      await rows.changed(UserEntity, { id: user.id }, { ...fields, sessionsVersion })
      return toUser({ ...user, ...fields })
    })
  }

  remove(tenantId: TenantId, id: string, decide: Decide<null>): Promise<Outcome<UserId>> {
    return this.#decided(tenantId, id, decide, async (rows, user) => {
      await rows.removed(UserEntity, { id: user.id })
      return user.id
    })
  }

  invite(tenantId: TenantId, id: string, decide: Decide<null>): Promise<Outcome<Invitation>> {
    return this.#decided(tenantId, id, decide, async (rows, user) => {
      const invitation = this.#newInvitation()
      await rows.upserted(InvitationEntity, { userId: user.id, ...stored(invitation) })
      return invitation
    })
  }

  async findInvited(token: string): Promise<Invited | null> {
    const rows = this.#database.entities(EVERYBODY)
    const where = { tokenHash: digestOf(token), expiresAt: { $gt: new Date(this.#clock.now()) } }
    const invitation = await rows.readOne(InvitationEntity, where)
    if (!invitation) return null
    const user = await rows.readOne(UserEntity, { id: invitation.userId, status: { $ne: 'DISABLED' } })
    const tenant = user && (await rows.readOne(TenantEntity, { id: user.tenantId }))
    return tenant && { email: user.email, name: user.name, tenantName: tenant.name }
  }

  async findSigningIn(email: string): Promise<SigningIn | null> {
    const row = await this.#database.entities(EVERYBODY).readOne(UserEntity, { emailKey: emailKeyOf(email) })
    return row && toSigningIn(row)
  }

  async findSignedIn(tenantId: TenantId, id: UserId): Promise<SigningIn | null> {
    const row = await this.#database.entities({ tenantId }).readOne(UserEntity, { id })
    return row && toSigningIn(row)
  }

  async replacePassword(
    id: UserId,
    { from, to }: { readonly from: string; readonly to: string },
    kept: WebSessionId,
  ): Promise<boolean> {
    return this.#database.unitOfWork(EVERYBODY, async (rows) => {
      const [user] = await rows.updated(
        UserEntity,
        { id, password: from, status: 'ACTIVE' },
        { password: to, sessionsVersion: NEXT_VERSION },
      )
      if (!user) return false
      // This one session goes on under the new version.
      await rows.changed(WebSessionEntity, { id: kept, userId: id }, { sessionsVersion: user.sessionsVersion })
      await rows.removed(InvitationEntity, { userId: id })
      return true
    })
  }

  purge(): Promise<number> {
    return purgePast(this.#database, InvitationEntity, ['expiresAt'], this.#clock.now())
  }

  /**
   * Decisions of a tenant come one after another. Otherwise two OWNERs who demote each other at once would leave none.
   */
  #decided<T, W>(
    tenantId: TenantId,
    id: string,
    decide: Decide<T>,
    write: (rows: UnitManager, user: UserRow, decided: T) => Promise<W>,
  ): Promise<Outcome<W>> {
    return this.#database.unitOfWork({ tenantId }, async (rows) => {
      const held = await heldUser(rows, tenantId, id)
      if (!held) return fail(UNKNOWN)
      const { row, isLastOwner } = held
      const decided = decide({ user: toUser(row), hasPassword: row.password !== null, isLastOwner })
      return decided.ok ? succeed(await write(rows, row, decided.value)) : decided
    })
  }

  #newInvitation(): Invitation {
    return { token: randomBytes(32).toString('base64url'), expiresAt: new Date(this.#clock.now() + INVITATION_MS) }
  }
}

function stored({ token, expiresAt }: Invitation) {
  return { tokenHash: digestOf(token), expiresAt }
}

/** People over an open database. */
export function openUsers(engine: Pick<Engine, 'database' | 'clock'>): { readonly users: UserStore } {
  return { users: new SqlUserStore(engine) }
}
