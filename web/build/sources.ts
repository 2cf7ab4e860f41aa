import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What a build is made of, from the root of the project: the pages, the rules they share with the service, and the
 * packages.
 */
const SOURCES = ['web/**/*.*', 'src/domain/**/*.ts', 'package-lock.json', 'tsconfig.json']
/** What builds and packages leave below `web`. */
const MADE = /(?:^|[\\/])(?:dist|node_modules)(?:[\\/]|$)/

/** Names a build by all it is made of: two trees of equal text have one name. Hexadecimal. */
export function fingerprintOf(root: string): string {
  const hash = createHash('sha256')
  const paths = globSync(SOURCES, { cwd: root, exclude: (path) => MADE.test(path) })
  for (const path of paths.map((one) => one.replaceAll('\\', '/')).toSorted()) {
    const text = readFileSync(join(root, path))
    hash.update(`${path}\0${text.length}\0`).update(text)
  }
  return hash.digest('hex').slice(0, 20)
}
