import { defineEntity, p } from '@mikro-orm/core'
import type { MessageId, TenantId } from '../../domain/ids.ts'

/** A person whom an account reached outside the window. Rows outlive the account's numbers: upstream counts on. */
export const ReachedPersonEntity = defineEntity({
  name: 'ReachedPerson',
  tableName: 'reached_people',
  indexes: [
    { name: 'reached_people_latest', properties: ['accountId', 'tenantId', 'reachedAt'] },
    { name: 'reached_people_age', properties: ['reachedAt'] },
  ],
  properties: {
    accountId: p.text().primary(),
    tenantId: p.text().$type<TenantId>().primary(),
    /** A keyed digest of the address. */
    person: p.text().primary(),
    reachedAt: p.datetime(3),
    /** The message that took the place; null once it is not that message's alone. */
    messageId: p.text().$type<MessageId>().nullable(),
  },
})
