import { defineEntity, p } from '@mikro-orm/core'
import type { LeadBackfillId, NumberId, TenantId } from '../../domain/ids.ts'
import type { BackfillStatus } from '../../ports/stores/lead-backfill-store.ts'

/** An import of past leads. */
export const LeadBackfillEntity = defineEntity({
  name: 'LeadBackfill',
  tableName: 'lead_backfills',
  uniques: [{ name: 'lead_backfills_running', properties: ['pageId', 'formId'], where: "status = 'RUNNING'" }],
  indexes: [
    { name: 'lead_backfills_due', properties: ['dueAt'], where: 'due_at is not null' },
    {
      name: 'lead_backfills_of_form',
      columns: [
        { name: 'page_id' },
        { name: 'form_id' },
        { name: 'started_at', sort: 'desc' },
        { name: 'id', sort: 'desc' },
      ],
    },
  ],
  properties: {
    id: p.text().$type<LeadBackfillId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    numberId: p.text().$type<NumberId>(),
    pageId: p.text(),
    formId: p.text(),
    status: p.text().$type<BackfillStatus>(),
    since: p.datetime(3),
    until: p.datetime(3),
    cursor: p.text().nullable(),
    read: p.integer().default(0),
    imported: p.integer().default(0),
    duplicates: p.integer().default(0),
    tries: p.integer().default(0),
    waitingUntil: p.datetime(3).nullable(),
    dueAt: p.datetime(3).nullable(),
    errorCode: p.text().nullable(),
    errorMessage: p.text().nullable(),
    startedAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
})
