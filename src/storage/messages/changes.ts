import {
  changedMessage,
  changedWaiting,
  waitingChanges,
  type ChangeableMessage,
  type MessageChange,
  type WaitingChange,
} from '../../domain/message-change.ts'
import type { NewEvent } from '../../domain/events.ts'
import { newId } from '../../domain/ids.ts'
import type { MessageId, NumberId } from '../../domain/ids.ts'
import { kindOf } from '../../domain/kinds/kinds.ts'
import { messageKey } from '../../domain/message-key.ts'
import { revokedEvent } from '../../domain/message-event.ts'
import type { Fence } from '../../ports/leases.ts'
import type { MediaFacts, MediaFactStore } from '../../ports/stores/media-fact-store.ts'
import type { ChangeResult } from '../../ports/stores/message-inbox.ts'
import type { Engine } from '../engine/engine.ts'
import { listedEventCtes } from '../engine/outbox.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import { fencedColumns, fenceFields, ownedCtes, runFenced, type FencedItem } from '../engine/fence.ts'
import { toRecordset } from '../engine/rows.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { contentOf, contentText, wholeContent } from './content.ts'
import { MessageEntity, MessageChangeEntity } from './entity.ts'
import { ID_COLUMNS, idFields, isCalled, messagesCalled } from '../message-keys/ids.ts'
import { isRow } from '../engine/statement.ts'

const CHANGEABLE = rowsOf(MessageEntity).only(
  'id',
  'provider',
  'direction',
  'correlationId',
  'type',
  'content',
  'editedAt',
  'revokedAt',
)
const WAITING = rowsOf(MessageChangeEntity).only('type', 'content', 'editedAt', 'revokedAt')
type WaitingRow = RowIn<typeof WAITING>

/** Finds the messages that `$1` names by number and upstream id, and the changes that wait for them. */
const FIND_CHANGEABLE = `select g.place, ${CHANGEABLE.list('m')},
    w.type as waiting_type, w.content as waiting_content, w.edited_at as waiting_edited_at, w.revoked_at as waiting_revoked_at
  from json_to_recordset($1::json) as g (place integer, number_id text, ${ID_COLUMNS})
  left join lateral (${messagesCalled('q.*', 'g')}) m on true
  left join message_changes w on w.number_id = g.number_id and ${isCalled('w', 'g')}`

/** A found message; `id` is null when there is no such message yet. */
type ChangeableRow = { readonly place: number } & (RowIn<typeof CHANGEABLE> | { readonly id: null }) & {
    readonly [Column in keyof WaitingRow as `waiting_${Column}`]: WaitingRow[Column]
  }

/** A message that is stored. */
type StoredMessage = Omit<ReturnType<typeof CHANGEABLE.read>, 'content'> & ChangeableMessage

/** The message, or null when it is not stored. */
function toChangeable(row: ChangeableRow): StoredMessage | null {
  if (row.id === null) return null
  const message = CHANGEABLE.read(row)
  return { ...message, content: message.content && wholeContent(message.content) }
}

/** The change that waits for the message, or null. */
function toWaiting(row: ChangeableRow): WaitingChange | null {
  const { type, content, editedAt, revokedAt } = WAITING.read({
    type: row.waiting_type,
    content: row.waiting_content,
    edited_at: row.waiting_edited_at,
    revoked_at: row.waiting_revoked_at,
  })
  if (editedAt === null && revokedAt === null) return null
  return { edited: type && content ? { messageType: type, content: wholeContent(content) } : null, editedAt, revokedAt }
}

/** SQL of the events of changes, in the order they were told. */
const EVENTS = `select event_id, tenant_id, number_id, event, event_data as data, null as trace from wanted where event_id is not null order by place`

/**
 * SQL that stores what messages say now, or the changes that wait for them. A wiped content stays wiped, RELAY_ONLY
 * keeps of a change only that it happened, and the file of a revoked message expires. The events of the changes are
 * stored with them. `$2` is the present.
 */
function changeSql(isAlone: boolean): string {
  const columns = `${ID_COLUMNS}, message_id text, file_id text, type text, content text, edited_at timestamptz, revoked_at timestamptz, event_id text, event text, event_data text`
  return `with ${ownedCtes(columns, isAlone)}, wanted as (
      select o.*, n.tenant_id, n.pii_mode <> 'RELAY_ONLY' as is_kept from owned o join channel_numbers n on n.id = o.number_id
    ), changed as (
      update messages m set type = w.type, content = case when w.is_kept and m.content is not null then w.content end, edited_at = w.edited_at, revoked_at = w.revoked_at
      from wanted w where ${isRow('m', 'w.message_id', 'w.number_id')}
    ), expired as (
      update message_files f set expires_at = $2::timestamptz from wanted w where f.id = w.file_id and f.number_id = w.number_id and f.expires_at > $2::timestamptz
    ), applied as (
      delete from message_changes c using wanted w where c.number_id = w.number_id and ${isCalled('c', 'w')} and w.message_id is not null
    ), waiting as (
      insert into message_changes as c (number_id, external_id, type, content, edited_at, revoked_at, created_at)
      select number_id, external_id, type, case when is_kept then content end, edited_at, revoked_at, $2::timestamptz
      from wanted where message_id is null and (edited_at is not null or revoked_at is not null) order by number_id, external_id
      on conflict (number_id, external_id) do update
        set type = excluded.type, content = excluded.content, edited_at = excluded.edited_at, revoked_at = excluded.revoked_at, created_at = excluded.created_at
    ), ${listedEventCtes(EVENTS, '$2')}
    select ${fencedColumns('owned')} from given`
}

/** SQL that is true when a change waits for the message of `row`, which has `number_id` and what `idFields` gives. */
export function isAwaited(row: string): string {
  return `exists (select 1 from message_changes w where w.number_id = ${row}.number_id and ${isCalled('w', row)})`
}

/** A change; `change` is null for a new message that changes may wait for. */
export interface Changing {
  readonly fence: Fence
  readonly externalMessageId: string
  readonly change: MessageChange | null
}

/** What is to be stored of one message of a number, and the results of its changes. */
interface Outcome {
  readonly fence: Fence
  readonly externalMessageId: string
  readonly messageId: string | null
  readonly row: ChangeableMessage | WaitingChange | null
  /** A stored file that the message had and has no more, or null. */
  readonly fileId: string | null
  /** What is told of the change; null for nothing. */
  readonly event: NewEvent | null
  readonly results: ReadonlyMap<Changing, ChangeResult>
}

/**
 * Changes messages. The new content is made from the old one, and PostgreSQL refuses some JSON that users wrote, so the
 * content is read, changed here and written back. No other change of the same message may run meanwhile; callers see to
 * that.
 */
export async function changeMessages(
  { database, clock, onChanged, onEvents }: Pick<Engine, 'database' | 'clock' | 'onChanged' | 'onEvents'>,
  items: readonly Changing[],
): Promise<(ChangeResult | 'fenced')[]> {
  const groups = [
    ...Map.groupBy(items, ({ fence, externalMessageId }) =>
      JSON.stringify([fence.numberId, fence.token, messageKey(externalMessageId)]),
    ).values(),
  ]
  const names = groups.flatMap(([first], place) =>
    first ? [{ place, number_id: first.fence.numberId, ...idFields(first.externalMessageId) }] : [],
  )
  const rows = new Map(
    (await database.query<ChangeableRow>(FIND_CHANGEABLE, [toRecordset(names)])).map((row) => [row.place, row]),
  )
  const outcomes = groups.map((group, place) => outcomeOf(group, rows.get(place)))
  const now = new Date(clock.now()).toISOString()
  const stored = await runFenced<Outcome, FencedItem, boolean>(
    outcomes,
    (some, isAlone) =>
      despiteDeadlock(() => database.query<FencedItem>(changeSql(isAlone), [toRecordset(some.map(toRow)), now])),
    () => true,
  )
  wake(
    outcomes.filter((_, place) => stored[place] !== 'fenced'),
    onChanged,
    onEvents,
  )
  const results = new Map(
    outcomes.flatMap((outcome, place) =>
      [...outcome.results].map(([item, result]) => [item, stored[place] === 'fenced' ? ('fenced' as const) : result]),
    ),
  )
  return items.map((item) => results.get(item) ?? 'stale')
}

/** Tells readers of lists which messages changed, and the relay that there are events. */
function wake(stored: readonly Outcome[], onChanged: Engine['onChanged'], onEvents: Engine['onEvents']): void {
  for (const { fence, messageId } of stored)
    if (messageId !== null)
      onChanged({ numberId: fence.numberId, messageIds: [messageId], conversationIds: [], isWhole: false })
  if (stored.some(({ event }) => event !== null)) onEvents()
}

function outcomeOf(group: readonly Changing[], row: ChangeableRow | undefined): Outcome {
  const [first] = group
  if (!first || !row) throw new Error('a change has no row')
  const { fence, externalMessageId } = first
  const [before, waiting] = [toChangeable(row), toWaiting(row)]
  const shared = { fence, externalMessageId, messageId: before?.id ?? null }
  const results = new Map<Changing, ChangeResult>()
  if (before === null)
    return {
      ...shared,
      row: fold(group, waiting, changedWaiting, 'waiting', results),
      fileId: null,
      event: null,
      results,
    }
  const waited = (waiting ? waitingChanges(externalMessageId, waiting) : []).reduce<ChangeableMessage>(
    (message, change) => changedMessage(message, change) ?? message,
    before,
  )
  const after = fold(group, waited, changedMessage, 'applied', results)
  return {
    ...shared,
    row: after,
    fileId: after.revokedAt === null ? null : fileOf(before),
    event: toldOf(fence, externalMessageId, before, after),
    results,
  }
}

/** The event of a message that was taken back just now; null for any other change ([message-verbs.verbs.2]). */
function toldOf(
  { numberId }: Fence,
  externalMessageId: string,
  before: StoredMessage,
  { revokedAt }: ChangeableMessage,
): NewEvent | null {
  if (before.revokedAt !== null || revokedAt === null || !kindOf(before).can.inboundEvents) return null
  const { id, correlationId, direction } = before
  return revokedEvent({
    id,
    numberId,
    externalMessageId,
    correlationId,
    isFromMe: direction === 'OUTBOUND',
    at: revokedAt,
  })
}

/** Applies the changes of a group in their order. */
function fold<T>(
  group: readonly Changing[],
  start: T,
  apply: (state: T, change: MessageChange) => NonNullable<T> | null,
  done: ChangeResult,
  results: Map<Changing, ChangeResult>,
): T {
  let state = start
  for (const item of group) {
    const next = item.change && apply(state, item.change)
    results.set(item, next ? done : 'stale')
    if (next) state = next
  }
  return state
}

/** Id of the stored file of a message from a device, read from its address; null when there is none. */
function fileOf({ content }: ChangeableMessage): string | null {
  return /\bfile_[0-9a-z]{26}\b/.exec(content?.media?.url ?? '')?.[0] ?? null
}

function toRow({ fence, externalMessageId, messageId, row, fileId, event }: Outcome, place: number) {
  const now =
    row && 'type' in row
      ? { type: row.type, content: row.content }
      : { type: row?.edited?.messageType ?? null, content: row?.edited?.content ?? null }
  return {
    place,
    ...fenceFields(fence),
    ...idFields(externalMessageId),
    message_id: messageId,
    file_id: fileId,
    type: now.type,
    content: now.content && contentText(now.content),
    edited_at: row?.editedAt ?? null,
    revoked_at: row?.revokedAt ?? null,
    event_id: event && newId('evt'),
    event: event?.event ?? null,
    event_data: event && JSON.stringify(event.data),
  }
}

/**
 * Our choice: an edit, a revocation and a wipe may come in between. Facts of a message that changes more often are
 * dropped.
 */
const TRIES = 3

const FIND_CONTENT = `select content from messages m where ${isRow('m', '$1', '$2')}`
/** Writes facts only over the content that was read, so that no later write is undone. */
const LEARN = `update messages m set content = $4 where ${isRow('m', '$1', '$2')} and content = $3 returning id`

/**
 * Stores facts of files, which stand in the content of their messages. PostgreSQL refuses some JSON that users wrote,
 * so the content is read, changed here and written back.
 */
export class SqlMediaFacts implements MediaFactStore {
  readonly #engine: Pick<Engine, 'database' | 'onChanged'>

  constructor(engine: Pick<Engine, 'database' | 'onChanged'>) {
    this.#engine = engine
  }

  async learnMedia(numberId: NumberId, messageId: MessageId | string, facts: MediaFacts): Promise<void> {
    const { database, onChanged } = this.#engine
    for (let tried = 0; tried < TRIES; tried++) {
      const [row] = await database.query<{ content: string | null }>(FIND_CONTENT, [messageId, numberId])
      const learnt = row && withFacts(row.content, facts)
      if (!row || !learnt || learnt === row.content) return
      const [stored] = await database.query<{ id: MessageId }>(LEARN, [messageId, numberId, row.content, learnt])
      if (stored) return onChanged({ numberId, messageIds: [stored.id], conversationIds: [], isWhole: false })
    }
  }
}

/** The content with the facts; null when the file is gone. */
function withFacts(text: string | null, facts: MediaFacts): string | null {
  const content = text === null ? null : contentOf(text)
  return content?.media ? contentText({ ...content, media: { ...content.media, ...facts } }) : null
}
