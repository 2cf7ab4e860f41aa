import { defineEntity, p } from '@mikro-orm/core'

export const IdempotentRequestEntity = defineEntity({
  name: 'IdempotentRequest',
  tableName: 'idempotent_requests',
  primaryKeys: ['keyIdHash', 'key'],
  indexes: [{ name: 'idempotent_requests_age', properties: ['claimedAt'] }],
  properties: {
    /**
     * Hash of the owner's id, a number's or a tenant's; the column is called what it held first, the hash of a key's
     * id.
     */
    keyIdHash: p.text().primary(),
    key: p.text().primary(),
    fingerprint: p.text(),
    /** Answers sealed for a key's id, before they belonged to its number or tenant; null: for the owner. */
    sealedFor: p.text().nullable(),
    claimedAt: p.datetime(3),
    /** Null while the first request runs. */
    status: p.integer().nullable(),
    sealedBody: p.text().nullable(),
  },
})
