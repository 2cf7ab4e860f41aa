import { defineEntity, p } from '@mikro-orm/core'
import type { TenantId, UserId } from '../../domain/ids.ts'
import type { Role } from '../../domain/permissions.ts'
import type { UserStatus } from '../../domain/user.ts'
import { OF_TENANT } from '../engine/scope.ts'

/**
 * A person. `emailKey` is what addresses are compared by. `password` is a hash with its parameters, null until an
 * invitation is accepted. `sessionsVersion` rises with whatever ends all sessions.
 */
export const UserEntity = defineEntity({
  name: 'User',
  tableName: 'users',
  filters: OF_TENANT,
  indexes: [{ name: 'users_of_tenant', properties: ['tenantId', 'createdAt', 'id'] }],
  properties: {
    id: p.text().$type<UserId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    email: p.text(),
    emailKey: p.text().unique('users_email_key'),
    name: p.text().nullable(),
    role: p.text().$type<Role>(),
    status: p.text().$type<UserStatus>(),
    password: p.text().nullable(),
    sessionsVersion: p.integer().default(1),
    lastSeenAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
})

/** An invitation; a person has one, and a newer one replaces it. */
export const InvitationEntity = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  indexes: [{ name: 'invitations_over', properties: ['expiresAt'] }],
  properties: {
    userId: p.text().$type<UserId>().primary(),
    tokenHash: p.text().unique('invitations_token_hash'),
    expiresAt: p.datetime(3),
  },
})
