import type { User } from '../../domain/user.ts'
import type { SigningIn } from '../../ports/stores/user-store.ts'
import type { RecordOf } from '../engine/rows-of.ts'
import type { UserEntity } from './entity.ts'

/** A person as the table has it. */
export type UserRow = RecordOf<typeof UserEntity>

export function toUser(row: UserRow): User {
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

export function toSigningIn({ id, status, password }: UserRow): SigningIn {
  return { id, isActive: status === 'ACTIVE', passwordHash: password }
}
