import type { MessageId, NumberId } from '../../domain/ids.ts'
import type { MessageContent } from '../../domain/message.ts'
import type { MediaFacts, MediaFactStore } from '../../ports/stores/media-fact-store.ts'
import type { Engine } from '../engine/engine.ts'
import { isRow } from '../messages/moves.ts'

/** Our choice: an edit, a revocation and a wipe may come in between; what changes more often is let go. */
const TRIES = 3

const FIND = `select content from messages m where ${isRow('m', '$1', '$2')}`
/** Of what was read alone: nothing that was written since is undone. */
const LEARN = `update messages m set content = $4 where ${isRow('m', '$1', '$2')} and content = $3 returning id`

/** Facts of files stand in the content of their messages, which is JSON that users wrote: it is read, made and written. */
export class SqlMediaFacts implements MediaFactStore {
  readonly #engine: Pick<Engine, 'database' | 'onChanged'>

  constructor(engine: Pick<Engine, 'database' | 'onChanged'>) {
    this.#engine = engine
  }

  async learnMedia(numberId: NumberId, messageId: MessageId | string, facts: MediaFacts): Promise<void> {
    const { database, onChanged } = this.#engine
    for (let tried = 0; tried < TRIES; tried++) {
      const [row] = await database.query<{ content: string | null }>(FIND, [messageId, numberId])
      const learnt = row && withFacts(row.content, facts)
      if (!row || !learnt || learnt === row.content) return
      const [stored] = await database.query<{ id: MessageId }>(LEARN, [messageId, numberId, row.content, learnt])
      if (stored) return onChanged({ numberId, messageIds: [stored.id], conversationIds: [], isWhole: false })
    }
  }
}

/** Null: there is no file any more. */
function withFacts(text: string | null, facts: MediaFacts): string | null {
  const content = text === null ? null : JSON.parse(text) as MessageContent
  return content?.media ? JSON.stringify({ ...content, media: { ...content.media, ...facts } }) : null
}
