import { changedMessage, changedWaiting, waitingChanges, type ChangeableMessage, type MessageChange, type WaitingChange } from '../../domain/message-change.ts'
import type { Fence } from '../../ports/leases.ts'
import type { ChangeResult } from '../../ports/stores/message-inbox.ts'
import type { Engine } from '../engine/engine.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import { fenceFields, runFenced, type FencedItem } from '../engine/fenced-batch.ts'
import { toRecordset } from '../engine/rows.ts'
import { changeSql, FIND_CHANGEABLE, toChangeable, toWaiting, type ChangeableRow } from './changes-sql.ts'

/** A change, or (null) a message that came and may have been waited for. */
export interface Changing {
  readonly fence: Fence
  readonly externalMessageId: string
  readonly change: MessageChange | null
}

/** What is to be stored of one message of a number, and what its changes came to. */
interface Outcome {
  readonly fence: Fence
  readonly externalMessageId: string
  readonly messageId: string | null
  readonly row: ChangeableMessage | WaitingChange | null
  /** A file of ours that the message had and has no more. */
  readonly fileId: string | null
  readonly results: ReadonlyMap<Changing, ChangeResult>
}

/**
 * Changes messages. What they say now is made of what they said, and JSON that users wrote is nothing the database can take apart, so
 * it is read, made and written. No other change of the same message may run meanwhile: see who calls it.
 */
export async function changeMessages({ database, clock, onChanged }: Pick<Engine, 'database' | 'clock' | 'onChanged'>, items: readonly Changing[]): Promise<(ChangeResult | 'fenced')[]> {
  const groups = [...Map.groupBy(items, ({ fence, externalMessageId }) => JSON.stringify([fence.numberId, fence.token, externalMessageId])).values()]
  const names = groups.flatMap(([first], place) => first ? [{ place, number_id: first.fence.numberId, external_id: first.externalMessageId }] : [])
  const rows = new Map((await database.query<ChangeableRow>(FIND_CHANGEABLE, [toRecordset(names)])).map((row) => [row.place, row]))
  const outcomes = groups.map((group, place) => outcomeOf(group, rows.get(place)))
  const now = new Date(clock.now()).toISOString()
  const stored = await runFenced<Outcome, FencedItem, boolean>(outcomes, (some, isAlone) =>
    despiteDeadlock(() => database.query<FencedItem>(changeSql(isAlone), [toRecordset(some.map(toRow)), now])), () => true)
  for (const [place, { fence: { numberId }, messageId }] of outcomes.entries()) {
    if (messageId !== null && stored[place] !== 'fenced') onChanged({ numberId, messageIds: [messageId], conversationIds: [], isWhole: false })
  }
  const results = new Map(outcomes.flatMap((outcome, place) => [...outcome.results].map(([item, result]) => [item, stored[place] === 'fenced' ? 'fenced' as const : result])))
  return items.map((item) => results.get(item) ?? 'stale')
}

function outcomeOf(group: readonly Changing[], row: ChangeableRow | undefined): Outcome {
  const [first] = group
  if (!first || !row) throw new Error('a change has no row')
  const { fence, externalMessageId } = first
  const [before, waiting] = [toChangeable(row), toWaiting(row)]
  const shared = { fence, externalMessageId, messageId: before?.id ?? null }
  const results = new Map<Changing, ChangeResult>()
  if (before === null) return { ...shared, row: fold(group, waiting, changedWaiting, 'waiting', results), fileId: null, results }
  const waited = (waiting ? waitingChanges(externalMessageId, waiting) : []).reduce<ChangeableMessage>((message, change) => changedMessage(message, change) ?? message, before)
  const after = fold(group, waited, changedMessage, 'applied', results)
  return { ...shared, row: after, fileId: after.revokedAt === null ? null : fileOf(before), results }
}

/** Applies the changes of a group in their order. */
function fold<T>(group: readonly Changing[], start: T, apply: (state: T, change: MessageChange) => NonNullable<T> | null, done: ChangeResult, results: Map<Changing, ChangeResult>): T {
  let state = start
  for (const item of group) {
    const next = item.change && apply(state, item.change)
    results.set(item, next ? done : 'stale')
    if (next) state = next
  }
  return state
}

/** Media of devices are kept as files of ours, whose address names them. */
function fileOf({ content }: ChangeableMessage): string | null {
  return /\bfile_[0-9a-z]{26}\b/.exec(content?.media?.url ?? '')?.[0] ?? null
}

function toRow({ fence, externalMessageId, messageId, row, fileId }: Outcome, place: number) {
  const now = row && 'type' in row ? { type: row.type, content: row.content } : { type: row?.edited?.messageType ?? null, content: row?.edited?.content ?? null }
  return {
    place, ...fenceFields(fence), external_id: externalMessageId, message_id: messageId, file_id: fileId, type: now.type,
    content: now.content && JSON.stringify(now.content), edited_at: row?.editedAt ?? null, revoked_at: row?.revokedAt ?? null,
  }
}
