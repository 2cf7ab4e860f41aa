import { defineEntity, p } from '@mikro-orm/core'
import type { TenantId, UserId, WebSessionId } from '../../domain/ids.ts'

/**
 * A session of the dashboard. It keeps a hash of the id of the key that its tenant had when it was opened; once that
 * key is gone, the session is over.
 */
export const WebSessionEntity = defineEntity({
  name: 'WebSession',
  tableName: 'web_sessions',
  indexes: [
    { name: 'web_sessions_of_tenant', properties: ['tenantId'] },
    { name: 'web_sessions_of_user', properties: ['userId'], where: 'user_id is not null' },
    { name: 'web_sessions_seen', properties: ['lastSeenAt'] },
  ],
  properties: {
    id: p.text().$type<WebSessionId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    keyIdHash: p.text(),
    secretHash: p.text().unique('web_sessions_secret_hash'),
    csrfToken: p.text(),
    createdAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
    expiresAt: p.datetime(3),
    address: p.text().nullable(),
    userAgent: p.text().nullable(),
    userId: p.text().$type<UserId>().nullable(),
    sessionsVersion: p.integer().nullable(),
  },
})

/** The token of a login link, which opens a session once, as a hash. */
export const LoginTokenEntity = defineEntity({
  name: 'LoginToken',
  tableName: 'login_tokens',
  indexes: [{ name: 'login_tokens_over', properties: ['expiresAt'] }],
  properties: {
    tokenHash: p.text().primary(),
    tenantId: p.text().$type<TenantId>(),
    expiresAt: p.datetime(3),
  },
})
