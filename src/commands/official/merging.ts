import { isSameJson } from '../../domain/json-fields.ts'

/** What is merged into rows of templates and of Flows by the same rule. */
interface MergedRow {
  readonly ask: object | null
  readonly updatedAt: Date
}

/**
 * Whether a row stays as it is, whatever upstream shows: while it is being asked about, and where it changed since
 * `asked`, when a page was asked for: that may be older than what the row says. Null: what is shown was read for it.
 */
export function isLeftAlone({ ask, updatedAt }: MergedRow, asked: Date | null): boolean {
  return ask !== null || (asked !== null && updatedAt.getTime() >= asked.getTime())
}

/** What becomes of a row by a patch: nothing where it says all of that already. */
export function fateBy<Patch extends object>(
  row: Required<Patch>,
  patch: Patch,
): { readonly kind: 'CHANGE'; readonly patch: Patch } | { readonly kind: 'KEEP' } {
  const isChange = Object.entries(patch).some(([key, value]) => !isSameJson(value, row[key as keyof Patch]))
  return isChange ? { kind: 'CHANGE', patch } : { kind: 'KEEP' }
}
