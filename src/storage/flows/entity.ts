import { defineEntity, p } from '@mikro-orm/core'
import type { FlowCategory, FlowHealth, FlowStatus, FlowSyncError } from '../../domain/flow.ts'
import type { FlowId, TenantId } from '../../domain/ids.ts'
import type { Fields } from '../../domain/json-fields.ts'
import type { FlowAsk } from '../../ports/stores/flow-store.ts'
import { OF_TENANT } from '../engine/scope.ts'

/** A Flow, which goes with the last number of its account. JSON is kept as text, as that of templates is. */
export const FlowEntity = defineEntity({
  name: 'Flow',
  tableName: 'flows',
  filters: OF_TENANT,
  uniques: [
    { name: 'flows_external_id', properties: ['accountId', 'externalId', 'tenantId'] },
    { name: 'flows_unborn', properties: ['accountId', 'tenantId', 'name'], where: 'external_id is null' },
  ],
  indexes: [
    { name: 'flows_asked', properties: ['askedUntil'], where: 'ask is not null' },
    {
      name: 'flows_of_account',
      columns: [
        { name: 'account_id' },
        { name: 'tenant_id' },
        { name: 'created_at', sort: 'desc' },
        { name: 'id', sort: 'desc' },
      ],
      include: ['officialStatus'],
    },
  ],
  properties: {
    id: p.text().$type<FlowId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    accountId: p.text(),
    name: p.text(),
    categories: p.json<readonly FlowCategory[]>().columnType('text'),
    officialStatus: p.text().$type<FlowStatus>(),
    externalId: p.text().nullable(),
    jsonVersion: p.text().default(''),
    healthStatus: p.text().$type<FlowHealth>(),
    validationErrors: p.json<readonly Fields[]>().columnType('text'),
    previewUrl: p.text().nullable(),
    clonedFromFlowId: p.text().$type<FlowId>().nullable(),
    supersededByFlowId: p.text().$type<FlowId>().nullable(),
    syncError: p.json<FlowSyncError>().columnType('text').nullable(),
    statusAt: p.datetime(3).nullable(),
    ask: p.json<FlowAsk>().columnType('text').nullable(),
    askedUntil: p.datetime(3).nullable(),
    askTries: p.integer().default(0),
    endpointUrl: p.text().nullable(),
    sealedEndpointSecret: p.text().nullable(),
    publishedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    nameHeldUntil: p.datetime(3).nullable(),
    isImported: p.boolean().default(false),
  },
})

/** The listing that last had a Flow. */
export const FlowSightingEntity = defineEntity({
  name: 'FlowSighting',
  tableName: 'flow_sightings',
  properties: {
    flowId: p.text().$type<FlowId>().primary(),
    listing: p.text(),
  },
})
