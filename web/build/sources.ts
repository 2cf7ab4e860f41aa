import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The sources of a build, relative to the root of the project: the pages, the rules they share with the service, and
 * the packages.
 */
const SOURCES = ['web/**/*.*', 'src/domain/**/*.ts', 'package-lock.json', 'tsconfig.json']
/** Generated files and packages below `web`, which are no sources. */
const MADE = /(?:^|[\\/])(?:dist|node_modules)(?:[\\/]|$)/

/** Names a build by the contents of all its sources, in hexadecimal: equal sources have one name. */
export function fingerprintOf(root: string): string {
  const hash = createHash('sha256')
  const paths = globSync(SOURCES, { cwd: root, exclude: (path) => MADE.test(path) })
  for (const path of paths.map((one) => one.replaceAll('\\', '/')).toSorted()) {
    const text = readFileSync(join(root, path))
    hash.update(`${path}\0${text.length}\0`).update(text)
  }
  return hash.digest('hex').slice(0, 20)
}
