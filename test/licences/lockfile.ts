/** The packages of the lockfile: which programs install them, and under which licence. */

/** A package as package-lock.json (version 3) describes it. */
interface Locked {
  readonly version?: string
  readonly license?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export type Lockfile = { readonly packages: Readonly<Record<string, Locked>> }

export interface Package {
  readonly name: string
  readonly version: string
  readonly licence: string
}

/** The places of the product and of the program that decodes and converts media, in the lockfile. */
export const PRODUCT = ''
export const MEDIA = 'engines/media'

/** Packages that declare no licence, with the licence that their LICENSE file or README states. */
const READ_IN_THE_PACKAGE: Readonly<Record<string, string>> = {
  '@shinyoshiaki/jspack': 'BSD-3-Clause',
  async: 'MIT',
  busboy: 'MIT',
  dicer: 'MIT',
  'humanize-number': 'MIT',
  only: 'MIT',
  streamsearch: 'MIT',
}

/** Packages that contain more than they declare (engines/media/README.md, docs/frameworks.md). */
const IN_TRUTH: readonly { readonly name: RegExp; readonly licence: string }[] = [
  { name: /^@seydx\/node-av-/, licence: 'GPL-3.0-or-later AND FDK-AAC' },
  // FFmpeg with libopus.
  { name: /^@livekit\/av-/, licence: 'LGPL-2.1-or-later AND BSD-3-Clause' },
  // WebRTC, with OpenH264 and the H.264 decoder of FFmpeg.
  {
    name: /^@livekit\/rtc-ffi-bindings-/,
    licence: 'Apache-2.0 AND BSD-2-Clause AND BSD-3-Clause AND LGPL-2.1-or-later',
  },
  // The weights of a detector of LiveKit's, and of Silero's.
  { name: /^@livekit\/local-inference/, licence: 'Apache-2.0 AND MIT AND LicenseRef-LiveKit-Model' },
  // Sounds for callers who wait.
  { name: /^@livekit\/agents$/, licence: 'Apache-2.0 AND CC-BY-4.0' },
]

/** The places in the lockfile of everything that `npm ci --omit=dev` installs for the program at `start`. */
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

/** The place at which Node finds a package that the package at `from` imports; null when it is not installed. */
function placeOf(packages: Lockfile['packages'], from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    const found = packages[place]
    if (found) return found.link === true ? (found.resolved ?? null) : place
    if (folder === '') return null
  }
}

/** The registry packages at these places, sorted, each version once. */
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

/** The packages of the product, of the media program, and of development alone. */
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

/** The packages whose install scripts `npm ci` runs: npm runs those that the lockfile marks. */
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
