/** Where what the clients were made of is noted, below `clients/`. */
export const MADE_FROM = 'made-from.json'

/** The text of the note: SHA-256 of the documents. A test tells when they have changed since. */
export function madeFromText(documents: string): string {
  return `${JSON.stringify({ documents }, null, 2)}\n`
}

/** The first line of a file that is made, behind the mark of a comment. */
export function headOf(comment: string): string {
  return `${comment} Made by \`npm run clients\` of the OpenAPI and the AsyncAPI document; changes are lost.`
}
