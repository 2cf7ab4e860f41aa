import type { InboxCommands } from '../../../commands/inbox/inbox.ts'
import type { Caller } from '../../../domain/caller.ts'
import { handlerOf, mayHandle, type Assignment, type Handler, type Note } from '../../../domain/handling.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { HandlingStore } from '../../../ports/stores/handling-store.ts'
import type { UserStore } from '../../../ports/stores/user-store.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as schema from './schema.ts'

export interface HandlingDeps {
  readonly handling: HandlingStore
  readonly inboxCommands: Pick<InboxCommands, 'conversationsOf'>
  readonly users: Pick<UserStore, 'list'>
}

/** How people of the account handle its conversations: sessions alone, so that no embed and no client sees it. */
const FACTS = {
  group: 'Conversations',
  isHidden: true,
  access: { by: ['session'], of: 'tenant' },
} as const
const READS = { ...FACTS, permission: 'chat:read' } as const
const WRITES = { ...FACTS, permission: 'chat:send' } as const

/** Assignments and internal notes of conversations (docs/contract/handling.md). */
export function handlingRoutes(deps: HandlingDeps): Route[] {
  return [
    listAssigned(deps),
    listAssignees(deps),
    readAssignment(deps),
    assign(deps),
    listNotes(deps),
    addNote(deps),
    removeNote(deps),
  ]
}

function listAssigned({ handling, inboxCommands: inbox }: HandlingDeps): Route {
  return route({
    ...READS,
    method: 'get',
    path: '/api/conversations/assigned',
    name: 'listAssignedConversations',
    summary: 'List the conversations of a person, or all that are assigned',
    query: schema.assignedQuery,
    answer: { status: 200, description: 'The conversations', schema: schema.conversations },
    async handle({ caller, query: { userId = null } }) {
      const assigned = await handling.assigned(caller.tenantId, userId as UserId | null, schema.MOST_LISTED)
      const found = await inbox.conversationsOf(
        [...new Set(assigned.map(({ numberId }) => numberId))],
        assigned.map(({ conversationId }) => conversationId),
      )
      const byId = new Map(found.map((one) => [one.id, one]))
      const conversations = assigned.flatMap(({ conversationId, ...assignment }) => {
        const one = byId.get(conversationId)
        if (!one) return []
        const { id, numberId, peer: from, peerName: fromName, unreadCount, lastMessageAt } = one
        const shown = { id, numberId, from, fromName, unreadCount, lastMessageAt: lastMessageAt?.toISOString() ?? null }
        return { ...shown, ...presentAssignment(assignment) }
      })
      return { status: 200, body: { conversations } }
    },
  })
}

function listAssignees({ users }: HandlingDeps): Route {
  return route({
    ...READS,
    method: 'get',
    path: '/api/conversations/assignees',
    name: 'listAssignees',
    summary: 'List the people whom a conversation may be assigned to',
    answer: { status: 200, description: 'The people', schema: schema.assignees },
    async handle({ caller }) {
      const people = await users.list(caller.tenantId)
      return { status: 200, body: { assignees: people.filter(mayHandle).map(handlerOf) } }
    },
  })
}

function readAssignment({ handling }: HandlingDeps): Route {
  return route({
    ...READS,
    method: 'get',
    path: '/api/conversations/{id}/assignee',
    name: 'getAssignee',
    summary: 'Read whom a conversation is assigned to',
    params: schema.params,
    answer: { status: 200, description: 'The person, if there is one', schema: schema.assigned },
    refusals: ['CONVERSATION_NOT_FOUND'],
    async handle({ caller, params: { id } }) {
      return { status: 200, body: presentAssignment(unwrap(await handling.assignment(caller.tenantId, id))) }
    },
  })
}

function assign({ handling }: HandlingDeps): Route {
  return route({
    ...WRITES,
    method: 'put',
    path: '/api/conversations/{id}/assignee',
    name: 'assignConversation',
    summary: 'Assign a conversation to a person, or to nobody',
    params: schema.params,
    body: schema.assignInput,
    answer: { status: 200, description: 'The person, if there is one', schema: schema.assigned },
    refusals: ['CONVERSATION_NOT_FOUND', 'USER_NOT_FOUND'],
    async handle({ caller, params: { id }, body: { userId } }) {
      return { status: 200, body: presentAssignment(unwrap(await handling.assign(caller.tenantId, id, userId))) }
    },
  })
}

function listNotes({ handling }: HandlingDeps): Route {
  return route({
    ...READS,
    method: 'get',
    path: '/api/conversations/{id}/notes',
    name: 'listNotes',
    summary: 'List the notes on a conversation, newest first',
    params: schema.params,
    query: schema.notesQuery,
    answer: { status: 200, description: 'The notes', schema: schema.notes },
    refusals: ['CONVERSATION_NOT_FOUND'],
    async handle({ caller, params: { id }, query: { before = null } }) {
      const found = unwrap(await handling.notes(caller.tenantId, id, before, schema.MOST_LISTED + 1))
      const notes = found.slice(0, schema.MOST_LISTED).map(presentNote)
      return { status: 200, body: { notes, hasMore: found.length > notes.length } }
    },
  })
}

function addNote({ handling }: HandlingDeps): Route {
  return route({
    ...WRITES,
    method: 'post',
    path: '/api/conversations/{id}/notes',
    name: 'addNote',
    isIdempotent: true,
    summary: 'Leave a note on a conversation',
    params: schema.params,
    body: schema.noteInput,
    answer: { status: 201, description: 'The note', schema: schema.note },
    refusals: ['CONVERSATION_NOT_FOUND', 'NOTE_LIMIT'],
    async handle({ caller, params: { id }, body: { text } }) {
      const note = await handling.addNote(caller.tenantId, id, { author: authorOf(caller), text })
      return { status: 201, body: presentNote(unwrap(note)) }
    },
  })
}

function removeNote({ handling }: HandlingDeps): Route {
  return route({
    ...WRITES,
    method: 'delete',
    path: '/api/conversations/{id}/notes/{noteId}',
    name: 'deleteNote',
    summary: 'Remove a note',
    params: schema.noteParams,
    answer: { status: 200, description: 'It is gone', schema: schema.noteRemoved },
    refusals: ['NOTE_NOT_FOUND', 'FORBIDDEN'],
    async handle({ caller, params: { id, noteId } }) {
      const mayAny = caller.permissions === 'all' || caller.permissions.has('account:manage')
      const author = mayAny ? 'anybody' : (authorOf(caller)?.id ?? 'nobody')
      const removed = unwrap(await handling.removeNote(caller.tenantId, id, noteId, author))
      return { status: 200, body: { deleted: true, id: removed } }
    },
  })
}

/** The person of a session; null when the tenant's key or a login link opened it. */
function authorOf(caller: Caller): Handler | null {
  return caller.by === 'session' && caller.user !== null ? handlerOf(caller.user) : null
}

function presentAssignment(assignment: Assignment | null) {
  return { assignee: assignment?.assignee ?? null, assignedAt: assignment?.assignedAt.toISOString() ?? null }
}

function presentNote({ id, author, text, createdAt }: Note) {
  return { id, author, text, createdAt: createdAt.toISOString() }
}
