import { isSameJson } from '../../domain/json-fields.ts'

/** What rows of templates and of Flows have in common for merging. */
interface MergedRow {
  readonly ask: object | null
  readonly updatedAt: Date
}

/**
 * Whether a row stays as it is, whatever upstream shows: while it is being asked about, and when it changed after
 * `asked`, because the page may be older than the row. `asked`: when the page was asked for, null when the item was
 * read by itself.
 */
export function isLeftAlone({ ask, updatedAt }: MergedRow, asked: Date | null): boolean {
  return ask !== null || (asked !== null && updatedAt.getTime() >= asked.getTime())
}

/**
 * What becomes of a row that was read for news. One that shows all of it already is written, too, so that an older read
 * whose answer comes later is known to be older.
 */
export function touching<Fate extends { readonly kind: string }>(
  row: MergedRow | null,
  fate: Fate,
): Fate | { readonly kind: 'CHANGE'; readonly patch: object } {
  return fate.kind === 'KEEP' && row?.ask === null ? { kind: 'CHANGE', patch: {} } : fate
}

/** What becomes of a row by a patch: it is kept when it says all of that already. */
export function fateBy<Patch extends object>(
  row: Required<Patch>,
  patch: Patch,
): { readonly kind: 'CHANGE'; readonly patch: Patch } | { readonly kind: 'KEEP' } {
  const isChange = Object.entries(patch).some(([key, value]) => !isSameJson(value, row[key as keyof Patch]))
  return isChange ? { kind: 'CHANGE', patch } : { kind: 'KEEP' }
}
