import { OptimisticLockError } from '@mikro-orm/core'
import { isDuplicate } from './database.ts'

/**
 * Reads and changes anew as often as somebody else's change of the row came between, or made the row first; `key` is
 * the constraint that says so.
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
