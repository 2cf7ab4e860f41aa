/**
 * SQL that is true of events `e` of the tenant or the number that the SQL `id` gives. Indexes of events have a hash in
 * the place of either id, which is a third as wide. Months that had rows before migration 0056 have indexes with the
 * ids, which serve the same statement.
 */
export function isOf(owner: 'tenant' | 'number', id: string): string {
  return `hashtextextended(e.${owner}_id, 0) = hashtextextended(${id}, 0) and e.${owner}_id = ${id}`
}
