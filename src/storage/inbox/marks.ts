import type { ConversationId, NumberId } from '../../domain/ids.ts'
import type { ConversationMarks, ConversationMarkStore } from '../../ports/stores/conversation-mark-store.ts'
import type { Engine } from '../engine/engine.ts'
import { ledTo } from '../conversations/aliases.ts'

const MARK = `update conversations set marked_unread = coalesce($3::boolean, marked_unread),
    archived_at = case when $4::boolean is null then archived_at when $4::boolean then coalesce(archived_at, $5::timestamptz) end
  where number_id = $1 and id = ${ledTo('$2')} returning id`

/** What people note of conversations, as rows. */
export class SqlConversationMarks implements ConversationMarkStore {
  readonly #engine: Pick<Engine, 'database' | 'clock' | 'onChanged'>

  constructor(engine: Pick<Engine, 'database' | 'clock' | 'onChanged'>) {
    this.#engine = engine
  }

  async mark(
    numberId: NumberId,
    conversationId: ConversationId | string,
    { isMarkedUnread, isArchived }: ConversationMarks,
  ): Promise<boolean> {
    const { database, clock, onChanged } = this.#engine
    const now = new Date(clock.now()).toISOString()
    const [marked] = await database.query<{ id: ConversationId }>(MARK, [
      numberId,
      conversationId,
      isMarkedUnread ?? null,
      isArchived ?? null,
      now,
    ])
    if (marked) onChanged({ numberId, messageIds: [], conversationIds: [marked.id], isWhole: false })
    return marked !== undefined
  }
}
