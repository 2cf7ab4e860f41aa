/** A spreadsheet reads a cell that begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/

/**
 * Writes rows as CSV (RFC 4180). A cell that a spreadsheet would run as a formula begins with an apostrophe (our
 * choice).
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(text: string): string {
  const shown = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}
