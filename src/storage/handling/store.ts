import { fail, refuse, succeed, type Outcome } from '../../domain/errors.ts'
import { HANDLING_ROLES, MOST_NOTES, mayHandle } from '../../domain/handling.ts'
import type { AssignedConversation, Assignment, Note } from '../../domain/handling.ts'
import { newId, type ConversationId, type NoteId, type NumberId, type TenantId, type UserId } from '../../domain/ids.ts'
import type { HandlingStore, NewNote } from '../../ports/stores/handling-store.ts'
import type { Engine } from '../engine/engine.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { toDate } from '../engine/rows.ts'
import { ledTo } from '../conversations/aliases.ts'
import { UserEntity } from '../users/entity.ts'
import { ConversationAssignmentEntity, ConversationNoteEntity } from './entity.ts'

const NOTES = rowsOf(ConversationNoteEntity).without('tenantId', 'numberId', 'conversationId')
const ASSIGNED = rowsOf(ConversationAssignmentEntity).only('conversationId', 'numberId', 'assignedAt')
const PEOPLE = rowsOf(UserEntity).only('status', 'role')

/** The columns of the person `u` that a conversation is assigned to. */
const ASSIGNEE = `u.id as user_id, coalesce(u.name, u.email) as user_name, ${PEOPLE.list('u')}`

/** In every statement here `$1` is the tenant and `$2` the conversation. */
const CONVERSATION = `select c.id, c.number_id from conversations c where c.id = ${ledTo('$2')} and c.tenant_id = $1`
/** As `CONVERSATION`, while its number cannot be removed. */
const HELD = `select c.id, c.number_id from conversations c join channel_numbers n on n.id = c.number_id where c.id = ${ledTo('$2')} and c.tenant_id = $1 for key share of n`

const FIND = `select c.id as conversation_id, c.number_id, a.assigned_at, ${ASSIGNEE} from (${CONVERSATION}) c
  left join conversation_assignments a on a.conversation_id = c.id left join users u on u.id = a.user_id`

/** The person cannot be removed before the assignment is there, which would then go with the person. */
const ASSIGN = `with held as (${HELD}), person as (
    select u.* from users u where u.id = $3 and u.tenant_id = $1 and u.status = 'ACTIVE' and u.role = any($4::text[]) for key share
  ), a as (
    insert into conversation_assignments as a (conversation_id, tenant_id, number_id, user_id, assigned_at)
    select held.id, $1, held.number_id, person.id, $5::timestamptz from held, person
    on conflict (conversation_id) do update set user_id = excluded.user_id,
      assigned_at = case when a.user_id = excluded.user_id then a.assigned_at else excluded.assigned_at end
    returning *
  )
  select held.id as conversation_id, held.number_id, a.assigned_at, ${ASSIGNEE} from held left join a on true left join person u on true`

const UNASSIGN = `with found as (${CONVERSATION}), gone as (
    delete from conversation_assignments a using found where a.conversation_id = found.id
  )
  select id as conversation_id, number_id from found`

const LIST = `select ${ASSIGNED.list('a')}, ${ASSIGNEE} from conversation_assignments a join users u on u.id = a.user_id
  where a.tenant_id = $1 and ($2::text is null or a.user_id = $2) order by a.assigned_at desc, a.conversation_id limit $3::integer`

const READ = `select ${NOTES.list('n')} from (${CONVERSATION}) c left join lateral (
    select * from conversation_notes n where n.conversation_id = c.id and ($3::text is null or n.id < $3) order by n.id desc limit $4::integer) n on true
  order by n.id desc`

const ADD = `with held as (${HELD}), added as (
    insert into conversation_notes (id, tenant_id, number_id, conversation_id, author_id, author_name, text, created_at)
    select $3, $1, held.number_id, held.id, $4, $5, $6, $7::timestamptz from held
    where (select count(*) from conversation_notes n where n.conversation_id = held.id) < $8::integer
    returning id
  )
  select held.number_id, added.id from held left join added on true`

/** Removes the note when `$4` is true or `$5` is its author; answers whether it was there, and whether it is gone. */
const REMOVE = `with found as (
    select n.id, n.number_id from conversation_notes n where n.id = $3 and n.conversation_id = ${ledTo('$2')} and n.tenant_id = $1
  ), gone as (
    delete from conversation_notes n using found where n.id = found.id and ($4::boolean or n.author_id is not distinct from $5)
    returning n.id
  )
  select found.number_id, gone.id from found left join gone on true`

interface AssignedRow extends Omit<RowIn<typeof ASSIGNED>, 'assigned_at'> {
  readonly assigned_at: string | null
  readonly user_id: UserId | null
  readonly user_name: string | null
  readonly status: RowIn<typeof PEOPLE>['status'] | null
  readonly role: RowIn<typeof PEOPLE>['role'] | null
}
type NoteRow = RowIn<typeof NOTES>

const NO_CONVERSATION = fail(refuse('CONVERSATION_NOT_FOUND', 'No such conversation in this account'))
const NO_USER = fail(
  refuse('USER_NOT_FOUND', 'No such person in this account: it takes one who signed in before and may answer'),
)
const FULL = fail(refuse('NOTE_LIMIT', `A conversation has at most ${MOST_NOTES} notes: remove some first`))
const NO_NOTE = fail(refuse('NOTE_NOT_FOUND', 'No such note on this conversation'))
const NOT_OWN = fail(refuse('FORBIDDEN', 'Only its author, an admin or an owner may remove a note'))

function toAssignment({ assigned_at: at, user_id: id, user_name: name, status, role }: AssignedRow): Assignment | null {
  if (at === null || id === null || name === null || status === null || role === null) return null
  return { assignee: { id, name, isActive: mayHandle({ status, role }) }, assignedAt: toDate(at) }
}

function toNote(row: NoteRow): Note {
  const { authorId, authorName, ...note } = NOTES.read(row)
  return { ...note, author: authorId === null || authorName === null ? null : { id: authorId, name: authorName } }
}

class SqlHandlingStore implements HandlingStore {
  readonly #engine: Pick<Engine, 'database' | 'clock' | 'onMoved'>

  constructor(engine: Pick<Engine, 'database' | 'clock' | 'onMoved'>) {
    this.#engine = engine
  }

  async assignment(tenantId: TenantId, conversationId: string): Promise<Outcome<Assignment | null>> {
    const [row] = await this.#query<AssignedRow>(FIND, [tenantId, conversationId])
    return row ? succeed(toAssignment(row)) : NO_CONVERSATION
  }

  async assign(tenantId: TenantId, conversationId: string, userId: string | null): Promise<Outcome<Assignment | null>> {
    const [row] =
      userId === null
        ? await this.#query<AssignedRow>(UNASSIGN, [tenantId, conversationId])
        : await this.#query<AssignedRow>(ASSIGN, [tenantId, conversationId, userId, HANDLING_ROLES, this.#now()])
    if (!row) return NO_CONVERSATION
    const assignment = userId === null ? null : toAssignment(row)
    if (userId !== null && assignment === null) return NO_USER
    this.#tell(tenantId, row.number_id, conversationId)
    return succeed(assignment)
  }

  async assigned(tenantId: TenantId, userId: UserId | null, limit: number): Promise<readonly AssignedConversation[]> {
    const rows = await this.#query<AssignedRow>(LIST, [tenantId, userId, limit])
    return rows.flatMap((row) => {
      const assignment = toAssignment(row)
      return assignment ? [{ ...assignment, conversationId: row.conversation_id, numberId: row.number_id }] : []
    })
  }

  async notes(
    tenantId: TenantId,
    conversationId: string,
    before: string | null,
    limit: number,
  ): Promise<Outcome<readonly Note[]>> {
    const rows = await this.#query<NoteRow | { readonly id: null }>(READ, [tenantId, conversationId, before, limit])
    // A conversation without notes has one row, which says that it is there.
    return rows.length === 0 ? NO_CONVERSATION : succeed(rows.flatMap((row) => (row.id === null ? [] : toNote(row))))
  }

  async addNote(tenantId: TenantId, conversationId: string, { author, text }: NewNote): Promise<Outcome<Note>> {
    const [id, now] = [newId('note'), this.#now()]
    const [row] = await this.#query<{ number_id: NumberId; id: NoteId | null }>(ADD, [
      tenantId,
      conversationId,
      id,
      author?.id ?? null,
      author?.name ?? null,
      text,
      now,
      MOST_NOTES,
    ])
    if (!row) return NO_CONVERSATION
    if (row.id === null) return FULL
    this.#tell(tenantId, row.number_id, conversationId)
    return succeed({ id, author, text, createdAt: new Date(now) })
  }

  async removeNote(
    tenantId: TenantId,
    conversationId: string,
    noteId: string,
    author: UserId | 'nobody' | 'anybody',
  ): Promise<Outcome<NoteId>> {
    const own = author === 'nobody' || author === 'anybody' ? null : author
    const [row] = await this.#query<{ number_id: NumberId; id: NoteId | null }>(REMOVE, [
      tenantId,
      conversationId,
      noteId,
      author === 'anybody',
      own,
    ])
    if (!row) return NO_NOTE
    if (row.id === null) return NOT_OWN
    this.#tell(tenantId, row.number_id, conversationId)
    return succeed(row.id)
  }

  #query<Row extends object>(sql: string, values: Parameters<Engine['database']['query']>[1]): Promise<Row[]> {
    return this.#engine.database.query<Row>(sql, values)
  }

  #tell(tenantId: TenantId, numberId: NumberId, conversationId: string): void {
    this.#engine.onMoved.conversation({ tenantId, numberId, conversationId: conversationId as ConversationId })
  }

  #now(): string {
    return new Date(this.#engine.clock.now()).toISOString()
  }
}

/** How people handle conversations, over an open database. */
export function openHandling(engine: Pick<Engine, 'database' | 'clock' | 'onMoved'>): {
  readonly handling: HandlingStore
} {
  return { handling: new SqlHandlingStore(engine) }
}
