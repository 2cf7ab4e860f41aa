import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/**
 * The package that carries Scalar's browser bundle with the fewest dependencies (17 packages, 30 MB; the bundle's own
 * package brings 300 and 243 MB). Only that bundle is read; no code of the package runs here.
 */
const PACKAGE = '@scalar/fastify-api-reference'
/** The bundle is one string literal of the package, written as JSON except that control characters stand unescaped. */
const BEFORE = 'var standalone_default = '
const AFTER = ';\n'

/** The script of the reference page: 4.3 MB of text. Throws when the package does not have the expected form. */
export async function readBundle(): Promise<string> {
  const source = await readFile(fileURLToPath(import.meta.resolve(PACKAGE)), 'utf8')
  const start = source.indexOf(BEFORE) + BEFORE.length
  const end = source.indexOf(AFTER, start)
  if (start < BEFORE.length || end < 0)
    throw new Error(`${PACKAGE} holds its bundle in another form than this version expects`)
  const literal = source
    .slice(start, end)
    .replaceAll(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return String(JSON.parse(literal))
}
