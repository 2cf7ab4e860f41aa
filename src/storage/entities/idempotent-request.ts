import { defineEntity, p } from '@mikro-orm/core'

export const IdempotentRequestEntity = defineEntity({
  name: 'IdempotentRequest',
  tableName: 'idempotent_requests',
  indexes: [{ name: 'idempotent_requests_age', properties: ['claimedAt'] }],
  primaryKeys: ['keyIdHash', 'key'],
  properties: {
    /** Hash of the caller's key id: the id itself authenticates. */
    keyIdHash: p.text().primary(),
    key: p.text().primary(),
    fingerprint: p.text(),
    claimedAt: p.datetime(3),
    /** Null while the first request runs. */
    status: p.integer().nullable(),
    sealedBody: p.text().nullable(),
  },
})
