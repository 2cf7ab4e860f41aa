import type { InferEntity } from '@mikro-orm/core'
import type { User } from '../../domain/user.ts'
import type { SigningIn } from '../../ports/stores/user-store.ts'
import type { UserEntity } from './entity.ts'

/** A person as the entity holds it. */
export type UserRow = InferEntity<typeof UserEntity>

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name ?? null,
    role: row.role,
    status: row.status,
    lastSeenAt: row.lastSeenAt ?? null,
    createdAt: row.createdAt,
  }
}

export function toSigningIn({ id, status, password }: UserRow): SigningIn {
  return { id, isActive: status === 'ACTIVE', passwordHash: password ?? null }
}
