import { OptimisticLockError } from '@mikro-orm/core'
import { isDuplicate } from './database.ts'

/**
 * Reads and changes again as often as somebody else changed the row in between, or made it first; `key` is the
 * constraint that a second row violates.
 */
export async function despiteOthers<T>(key: string, change: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await change()
    } catch (error) {
      if (!(error instanceof OptimisticLockError) && !isDuplicate(error, key)) throw error
    }
  }
}
