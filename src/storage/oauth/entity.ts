import { defineEntity, p } from '@mikro-orm/core'
import type { GrantId, NumberId, TenantId, UserId } from '../../domain/ids.ts'
import type { Interaction, OAuthResource } from '../../domain/oauth.ts'
import type { Permission } from '../../domain/permissions.ts'
import { OF_TENANT } from '../engine/scope.ts'

/** A client that registered itself. JSON is kept as text, as that of templates is; the secret in it is a hash. */
export const OAuthClientEntity = defineEntity({
  name: 'OAuthClient',
  tableName: 'oauth_clients',
  indexes: [
    { name: 'oauth_clients_created', properties: ['createdAt'] },
    { name: 'oauth_clients_of_address', properties: ['addressHash', 'createdAt'] },
  ],
  properties: {
    id: p.text().primary(),
    metadata: p.json<Readonly<Record<string, unknown>>>().columnType('text'),
    addressHash: p.text(),
    createdAt: p.datetime(3),
  },
})

/** A client's request that nobody has decided yet. */
export const OAuthInteractionEntity = defineEntity({
  name: 'OAuthInteraction',
  tableName: 'oauth_interactions',
  indexes: [{ name: 'oauth_interactions_over', properties: ['expiresAt'] }],
  properties: {
    idHash: p.text().primary(),
    browserHash: p.text(),
    asked: p.json<Omit<Interaction, 'expiresAt'>>().columnType('text'),
    expiresAt: p.datetime(3),
  },
})

/**
 * A grant. One that ended is kept for a while. `userId` is null when it was given in a session of the tenant key or of
 * a login link.
 */
export const OAuthGrantEntity = defineEntity({
  name: 'OAuthGrant',
  tableName: 'oauth_grants',
  filters: OF_TENANT,
  indexes: [
    { name: 'oauth_grants_of_client', properties: ['clientId'] },
    { name: 'oauth_grants_of_tenant', properties: ['tenantId', 'createdAt'] },
    { name: 'oauth_grants_of_user', properties: ['userId'] },
  ],
  properties: {
    id: p.text().$type<GrantId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    userId: p.text().$type<UserId>().nullable(),
    clientId: p.text(),
    clientName: p.text(),
    clientUri: p.text().nullable(),
    resource: p.text().$type<OAuthResource>(),
    scopes: p.array().$type<readonly Permission[]>(),
    isAccountWide: p.boolean(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
    endedAt: p.datetime(3).nullable(),
  },
})

/** A number of a grant; a removed number leaves its grants. */
export const OAuthGrantNumberEntity = defineEntity({
  name: 'OAuthGrantNumber',
  tableName: 'oauth_grant_numbers',
  indexes: [{ name: 'oauth_grant_numbers_of_number', properties: ['numberId'] }],
  properties: {
    grantId: p.text().$type<GrantId>().primary(),
    numberId: p.text().$type<NumberId>().primary(),
  },
})

/** A code or a token, kept as a hash. */
export const OAuthTokenEntity = defineEntity({
  name: 'OAuthToken',
  tableName: 'oauth_tokens',
  indexes: [
    { name: 'oauth_tokens_of_grant', properties: ['grantId'] },
    { name: 'oauth_tokens_over', properties: ['expiresAt'] },
  ],
  properties: {
    tokenHash: p.text().primary(),
    kind: p.text(),
    grantId: p.text().$type<GrantId>(),
    payload: p.json<Readonly<Record<string, unknown>>>().columnType('text'),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    consumedAt: p.datetime(3).nullable(),
  },
})
