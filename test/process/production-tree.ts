import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MEDIA, PRODUCT, reachedFrom, type Lockfile } from '../licences/lockfile.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What the image holds of the tree beside packages. */
const PROGRAMS = [
  'package.json',
  'src',
  'actors',
  'media-host',
  'sandbox',
  'tools',
  'migrations',
  'docs',
  'engines/media',
]

/** The programs with the packages that `npm ci --omit=dev` installs, as a folder of their own. */
export interface ProductionTree {
  readonly folder: string
  readonly packages: string
  remove(): void
}

/** Makes such a folder of hard links, on the disk of the sources: what is removed from it stays where it came from. */
export function productionTree(): ProductionTree {
  const cache = join(ROOT, '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'production-'))
  const lockfile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile
  const places = new Set([...reachedFrom(lockfile, PRODUCT), ...reachedFrom(lockfile, MEDIA)])
  // Packages inside packages come with these.
  const tops = [...places].filter((place) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(place))
  for (const path of [...PROGRAMS, ...tops]) {
    // Those of other platforms are in the lockfile, and not installed.
    if (!existsSync(join(ROOT, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    execFileSync('cp', ['-al', join(ROOT, path), join(folder, path)])
  }
  return {
    folder,
    packages: join(folder, 'node_modules'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** What the files below `folder` take of a disk, in bytes. */
export function diskUse(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => lstatSync(join(entry.parentPath, entry.name)).blocks * 512)
    .reduce((sum, size) => sum + size, 0)
}
