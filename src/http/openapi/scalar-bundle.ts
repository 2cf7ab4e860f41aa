import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/**
 * The package that carries Scalar's browser bundle with the fewest others (17 packages, 30 MB; the bundle's own brings
 * 300 and 243 MB). Of it only that bundle is used: nothing of the package is run here.
 */
const PACKAGE = '@scalar/fastify-api-reference'
/**
 * The bundle stands in the package as one text literal, written as JSON writes it but for control characters, which
 * stand as they are.
 */
const BEFORE = 'var standalone_default = '
const AFTER = ';\n'

/** The reference page's script: 4.3 MB of text. */
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
