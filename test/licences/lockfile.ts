/** What is installed by the lockfile, for which of the programs, and under which licence. */

/** A package as package-lock.json (version 3) describes it. */
interface Locked {
  readonly version?: string
  readonly license?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export type Lockfile = { readonly packages: Readonly<Record<string, Locked>> }

export interface Package {
  readonly name: string
  readonly version: string
  readonly licence: string
}

/** Where the product itself stands in the lockfile, and the program that decodes and converts. */
export const PRODUCT = ''
export const MEDIA = 'engines/media'

/** Packages whose description names no licence, and what the file LICENSE in them says. */
const READ_IN_THE_PACKAGE: Readonly<Record<string, string>> = {
  '@shinyoshiaki/jspack': 'BSD-3-Clause',
  busboy: 'MIT',
  streamsearch: 'MIT',
}

/** Packages that hold more than their description says: engines/media/README.md tells what. */
const IN_TRUTH: readonly { readonly name: RegExp; readonly licence: string }[] = [
  { name: /^@seydx\/node-av-/, licence: 'GPL-3.0-or-later AND FDK-AAC' },
]

/** Places in the lockfile of all that `npm ci --omit=dev` installs for the program at one of them. */
export function reachedFrom({ packages }: Lockfile, start: string): Set<string> {
  const reached = new Set<string>()
  const waiting = [start]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[at] ?? {}
    for (const name of Object.keys({ ...peerDependencies, ...optionalDependencies, ...dependencies })) {
      const place = placeOf(packages, at, name)
      if (place === null || reached.has(place)) continue
      reached.add(place)
      waiting.push(place)
    }
  }
  return reached
}

/** Where Node finds a package that one at another place imports; null when it is not installed. */
function placeOf(packages: Lockfile['packages'], from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    const found = packages[place]
    if (found) return found.link === true ? (found.resolved ?? null) : place
    if (folder === '') return null
  }
}

/** Packages of a registry at these places, sorted, each version once. */
export function packagesAt({ packages }: Lockfile, places: Iterable<string>): Package[] {
  const found = new Map<string, Package>()
  for (const place of places) {
    if (!place.includes('node_modules/')) continue
    const { version = '', license } = packages[place] ?? {}
    const name = nameOf(place)
    const licence =
      IN_TRUTH.find((one) => one.name.test(name))?.licence ?? license ?? READ_IN_THE_PACKAGE[name] ?? 'none named'
    found.set(`${name}@${version}`, { name, version, licence })
  }
  return [...found.values()].toSorted((a, b) =>
    a.name === b.name ? compare(a.version, b.version) : compare(a.name, b.name),
  )
}

/** Packages of the product, of the program that decodes and converts, and those of development alone. */
export function packagesOf(lockfile: Lockfile): {
  readonly product: Package[]
  readonly media: Package[]
  readonly development: Package[]
} {
  const [product, media] = [reachedFrom(lockfile, PRODUCT), reachedFrom(lockfile, MEDIA)]
  const rest = Object.entries(lockfile.packages).flatMap(([place, { link }]) =>
    link === true || product.has(place) || media.has(place) ? [] : [place],
  )
  return {
    product: packagesAt(lockfile, product),
    media: packagesAt(lockfile, media),
    development: packagesAt(lockfile, rest),
  }
}

/** Packages whose own programs `npm ci` runs: npm runs what the lockfile marks. */
export function installing({ packages }: Lockfile): string[] {
  return Object.entries(packages).flatMap(([place, { hasInstallScript }]) =>
    hasInstallScript === true ? [nameOf(place)] : [],
  )
}

function nameOf(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
