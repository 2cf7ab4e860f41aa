import type { NumberId } from '../domain/ids.ts'
import type { Sound } from '../ports/message-media.ts'
import { factsOf, typeOf } from './file-type.ts'
import { AUDIO_SECONDS, endsOf, withTemps } from './preparation.ts'
import type { PreparationParts } from './preparation.ts'

/**
 * Our choice: sounds that wait at once. Sends need the same children, and a sound that is not heard now is heard when
 * it is first played.
 */
const MOST_WAITING = 100

/** Listens to received files, beside the preparation of files to be sent. */
export class Hearing {
  readonly #parts: Pick<PreparationParts, 'shelf' | 'children'>
  #waiting = 0

  constructor(parts: Pick<PreparationParts, 'shelf' | 'children'>) {
    this.#parts = parts
  }

  /**
   * Listens to a file; null when it is gone or no sound, or when too many wait. Rejects when the disk or the database
   * fails.
   */
  async hear(numberId: NumberId, fileId: string): Promise<Sound | null> {
    if (this.#waiting >= MOST_WAITING) return null
    this.#waiting++
    try {
      return await this.#listen(numberId, fileId)
    } finally {
      this.#waiting--
    }
  }

  async #listen(numberId: NumberId, fileId: string): Promise<Sound | null> {
    const { shelf, children } = this.#parts
    const found = await shelf.find(fileId)
    if (!found) return null
    const { head, tail } = await endsOf(found.path)
    const { format } = factsOf(typeOf(head, tail))
    if (format === undefined) return null
    // It has an owner of its own in the queue, so that sends of the number do not wait behind all that it received.
    return await withTemps(shelf, async (temp) => {
      const task = {
        task: 'audio',
        path: found.path,
        straightPath: await temp(),
        format,
        outPath: null,
        maxSeconds: AUDIO_SECONDS,
        maxBytes: Infinity,
      } as const
      const outcome = await children.work(`received ${numberId}`, task, new AbortController().signal)
      return outcome.ok && outcome.result.task === 'audio' ? outcome.result.sound : null
    })
  }
}
