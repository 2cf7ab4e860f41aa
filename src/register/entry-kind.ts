import type { z } from 'zod'

/** What a register of one kind of programs holds. */
export interface EntryKind<Entry extends object> {
  /** The first word of what entries are signed under; it is never changed, because versions run side by side. */
  readonly label: string
  /** The name of the keys in Redis. */
  readonly keys: string
  /** The programs, in the words of the log. */
  readonly programs: string
  /** What an entry is. */
  readonly shape: z.ZodType<Entry>
  idOf(entry: Entry): string
}
