import { defineEntity, p } from '@mikro-orm/core'
import type { FileId, NumberId, TemplateId, TenantId } from '../../domain/ids.ts'

export const MessageFileEntity = defineEntity({
  name: 'MessageFile',
  tableName: 'message_files',
  indexes: [
    { name: 'message_files_expiry', properties: ['expiresAt'] },
    { name: 'message_files_number', properties: ['numberId'] },
    { name: 'message_files_template', properties: ['templateId'], where: 'template_id is not null' },
  ],
  properties: {
    /** Proves the right to read the file. */
    id: p.text().$type<FileId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    /** Null once a template has the file. */
    numberId: p.text().$type<NumberId>().nullable(),
    /** The template that keeps the file, or null. */
    templateId: p.text().$type<TemplateId>().nullable(),
    path: p.text(),
    mimeType: p.text(),
    sizeBytes: p.bigint('number'),
    fileName: p.text().nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
})
