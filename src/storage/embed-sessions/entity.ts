import { defineEntity, p } from '@mikro-orm/core'
import type { OwnBranding } from '../../domain/branding.ts'
import type { EmbedSurface } from '../../domain/embed-session.ts'
import type { EmbedSessionId, NumberId, TenantId } from '../../domain/ids.ts'

/**
 * A session of surface connect without numbers covers all numbers of its tenant. Key and numbers are not foreign keys,
 * so that a session that ended with them can be told from one that never was.
 */
export const EmbedSessionEntity = defineEntity({
  name: 'EmbedSession',
  tableName: 'embed_sessions',
  indexes: [
    { name: 'embed_sessions_of_tenant', properties: ['tenantId', 'surface', 'expiresAt'] },
    {
      name: 'embed_sessions_over',
      expression: 'create index embed_sessions_over on embed_sessions (coalesce(revoked_at, expires_at))',
    },
  ],
  properties: {
    id: p.text().$type<EmbedSessionId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    keyIdHash: p.text(),
    surface: p.text().$type<EmbedSurface>(),
    numberIds: p.array().$type<NumberId[]>(),
    allowedOrigins: p.array(),
    branding: p.json<OwnBranding>().columnType('text').nullable(),
    ttlSeconds: p.integer(),
    canStart: p.boolean().default(false),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3),
    maxExpiresAt: p.datetime(3),
    revokedAt: p.datetime(3).nullable(),
  },
})

/** A token of a session, as a hash. */
export const EmbedSecretEntity = defineEntity({
  name: 'EmbedSecret',
  tableName: 'embed_secrets',
  indexes: [{ name: 'embed_secrets_of_session', properties: ['sessionId'] }],
  properties: {
    secretHash: p.text().primary(),
    sessionId: p.text().$type<EmbedSessionId>(),
    endsAt: p.datetime(3),
  },
})
