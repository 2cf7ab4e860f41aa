import { defineEntity, p } from '@mikro-orm/core'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { Trace } from '../../domain/trace.ts'

/**
 * A change that upstream told of a number; `numberId` is null when no known number is meant. A settled change keeps its
 * key only, so that a repetition is recognised.
 */
export const InboundChangeEntity = defineEntity({
  name: 'InboundChange',
  tableName: 'inbound_changes',
  uniques: [
    {
      name: 'inbound_changes_key',
      expression:
        'create unique index inbound_changes_key on inbound_changes (account_id, key, tenant_id, number_id) nulls not distinct',
    },
  ],
  indexes: [
    { name: 'inbound_changes_age', type: 'brin', properties: ['receivedAt'] },
    { name: 'inbound_changes_pending', properties: ['numberId', 'position'], where: 'is_pending' },
  ],
  properties: {
    position: p.bigint('number').primary().generated('identity'),
    tenantId: p.text().$type<TenantId>(),
    accountId: p.text(),
    key: p.text(),
    numberId: p.text().$type<NumberId>().nullable(),
    field: p.text(),
    value: p.text().nullable(),
    isPending: p.boolean(),
    receivedAt: p.datetime(3),
    /** Null when nothing is recorded, and once the change is settled. */
    trace: p.text().$type<Trace>().nullable(),
  },
})

/** A change that upstream told of an account, for one tenant that has the account. */
export const AccountChangeEntity = defineEntity({
  name: 'AccountChange',
  tableName: 'account_changes',
  uniques: [{ name: 'account_changes_key', properties: ['accountId', 'key', 'tenantId'] }],
  indexes: [{ name: 'account_changes_lane', properties: ['accountId', 'tenantId', 'position'] }],
  properties: {
    position: p.bigint('number').primary().generated('identity'),
    tenantId: p.text().$type<TenantId>(),
    accountId: p.text(),
    key: p.text(),
    field: p.text(),
    value: p.text(),
    receivedAt: p.datetime(3),
    leasedUntil: p.datetime(3).nullable(),
    toldAt: p.datetime(3).nullable(),
    tries: p.integer().default(0),
  },
})
