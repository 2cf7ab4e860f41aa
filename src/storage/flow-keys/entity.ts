import { defineEntity, p } from '@mikro-orm/core'
import type { FlowKeyId, TenantId } from '../../domain/ids.ts'
import { OF_TENANT } from '../engine/scope.ts'

/** A key pair of an account in a tenant. The newest is in use; the one before it still decrypts for a while. */
export const FlowKeyEntity = defineEntity({
  name: 'FlowKey',
  tableName: 'flow_keys',
  filters: OF_TENANT,
  indexes: [
    {
      name: 'flow_keys_of_account',
      columns: [{ name: 'account_id' }, { name: 'tenant_id' }, { name: 'created_at', sort: 'desc' }],
    },
  ],
  properties: {
    id: p.text().$type<FlowKeyId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    accountId: p.text(),
    publicKey: p.text(),
    sealedPrivateKey: p.text(),
    createdAt: p.datetime(3),
    replacedAt: p.datetime(3).nullable(),
  },
})
