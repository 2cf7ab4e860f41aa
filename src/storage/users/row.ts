import type { UserId } from '../../domain/ids.ts'
import type { Role } from '../../domain/permissions.ts'
import type { User, UserStatus } from '../../domain/user.ts'
import type { StandingUser } from '../../domain/user-rules.ts'
import type { SigningIn } from '../../ports/stores/user-store.ts'
import { toDate, toDateOrNull } from '../engine/rows.ts'

export interface UserRow {
  readonly id: UserId
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly status: UserStatus
  readonly last_seen_at: string | null
  readonly created_at: string
}

export interface StandingRow extends UserRow {
  readonly has_password: boolean
  readonly is_last_owner: boolean
}

export interface InvitedRow {
  readonly email: string
  readonly name: string | null
  readonly tenant_name: string
}

export interface SigningInRow {
  readonly id: UserId
  readonly is_active: boolean
  readonly password: string | null
}

export function toUser(row: UserRow): User {
  return { id: row.id, email: row.email, name: row.name, role: row.role, status: row.status, lastSeenAt: toDateOrNull(row.last_seen_at), createdAt: toDate(row.created_at) }
}

export function toStanding(row: StandingRow): StandingUser {
  return { user: toUser(row), hasPassword: row.has_password, isLastOwner: row.is_last_owner }
}

export function toSigningIn({ id, is_active: isActive, password: passwordHash }: SigningInRow): SigningIn {
  return { id, isActive, passwordHash }
}
