import { defineEntity, p } from '@mikro-orm/core'
import type { ConversationId, NoteId, NumberId, TenantId, UserId } from '../../domain/ids.ts'
import { OF_TENANT } from '../engine/scope.ts'

/** Whom a conversation is assigned to; it goes with the person and with the number. */
export const ConversationAssignmentEntity = defineEntity({
  name: 'ConversationAssignment',
  tableName: 'conversation_assignments',
  filters: OF_TENANT,
  indexes: [
    {
      name: 'conversation_assignments_of_tenant',
      columns: [{ name: 'tenant_id' }, { name: 'assigned_at', sort: 'desc' }, { name: 'conversation_id' }],
    },
    {
      name: 'conversation_assignments_of_user',
      columns: [{ name: 'user_id' }, { name: 'assigned_at', sort: 'desc' }],
    },
    { name: 'conversation_assignments_of_number', properties: ['numberId'] },
  ],
  properties: {
    conversationId: p.text().$type<ConversationId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    numberId: p.text().$type<NumberId>(),
    userId: p.text().$type<UserId>(),
    assignedAt: p.datetime(3),
  },
})

/** A note on a conversation. The author is kept by name, because a note outlives its author. */
export const ConversationNoteEntity = defineEntity({
  name: 'ConversationNote',
  tableName: 'conversation_notes',
  filters: OF_TENANT,
  indexes: [
    {
      name: 'conversation_notes_newest',
      columns: [{ name: 'conversation_id' }, { name: 'id', sort: 'desc' }],
    },
    { name: 'conversation_notes_of_number', properties: ['numberId'] },
  ],
  properties: {
    id: p.text().$type<NoteId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    numberId: p.text().$type<NumberId>(),
    conversationId: p.text().$type<ConversationId>(),
    authorId: p.text().$type<UserId>().nullable(),
    authorName: p.text().nullable(),
    text: p.text(),
    createdAt: p.datetime(3),
  },
})
