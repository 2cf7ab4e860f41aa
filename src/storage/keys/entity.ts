import { defineEntity, p } from '@mikro-orm/core'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { KeyScope } from '../../domain/api-key.ts'
import { OF_TENANT } from '../engine/scope.ts'

/**
 * An API key. Key and key id each authenticate by themselves ([keys.credentials.1]), so both are kept as a hash and as
 * a sealed copy.
 */
export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  filters: OF_TENANT,
  indexes: [
    { name: 'api_keys_replaced_id', properties: ['replacedIdHash'], where: 'replaced_id_hash is not null' },
    { name: 'api_keys_replaced_key', properties: ['replacedKeyHash'], where: 'replaced_key_hash is not null' },
    { name: 'api_keys_tenant', properties: ['tenantId'] },
  ],
  properties: {
    idHash: p.text().primary(),
    keyHash: p.text().unique('api_keys_key_hash'),
    sealedId: p.text(),
    /** Null for keys stored without a sealed copy. */
    sealedKey: p.text().nullable(),
    tenantId: p.text().$type<TenantId>(),
    /** Null on TENANT scope. A number has exactly one key ([keys.routes.7]). */
    numberId: p.text().$type<NumberId>().nullable().unique('api_keys_one_per_number'),
    scope: p.text().$type<KeyScope>(),
    name: p.text(),
    prefix: p.text(),
    last4: p.text(),
    createdAt: p.datetime(3),
    /**
     * Hash of the key before this one, when that replaced itself with the Idempotency-Key `replacedWith`: the old key
     * may then ask for that answer again.
     */
    replacedKeyHash: p.text().nullable(),
    replacedIdHash: p.text().nullable(),
    replacedWith: p.text().nullable(),
    replacedAt: p.datetime(3).nullable(),
  },
})
