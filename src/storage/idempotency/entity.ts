import { defineEntity, p } from '@mikro-orm/core'

export const IdempotentRequestEntity = defineEntity({
  name: 'IdempotentRequest',
  tableName: 'idempotent_requests',
  primaryKeys: ['keyIdHash', 'key'],
  indexes: [{ name: 'idempotent_requests_age', properties: ['claimedAt'] }],
  properties: {
    /**
     * Hash of the owner's id, a number's or a tenant's. The column has the name of what it held first, the hash of a
     * key's id.
     */
    keyIdHash: p.text().primary(),
    key: p.text().primary(),
    fingerprint: p.text(),
    /**
     * Hash of the key's id that the answer was sealed for, in rows written before answers belonged to a number or
     * tenant; null when sealed for the owner.
     */
    sealedFor: p.text().nullable(),
    claimedAt: p.datetime(3),
    /** Null while the first request runs. */
    status: p.integer().nullable(),
    sealedBody: p.text().nullable(),
  },
})
