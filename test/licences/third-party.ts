/** What the packages of the lockfile are licensed under, as THIRD_PARTY.md lists it. */

/** A package as package-lock.json (version 3) describes it. */
interface Locked {
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}

export type Lockfile = { readonly packages: Readonly<Record<string, Locked>> }

/** Licences that a package of the product may have; what a compound one holds must all be here. */
export const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT', 'MPL-2.0', 'Python-2.0', 'Unlicense', 'Zlib',
  // Of libvips in sharp: a library of its own, loaded as it comes.
  'LGPL-3.0-or-later',
])

/** Packages whose description names none, and what the file LICENSE in them says. */
const READ_IN_THE_PACKAGE: Readonly<Record<string, string>> = { '@shinyoshiaki/jspack': 'BSD-3-Clause', busboy: 'MIT', streamsearch: 'MIT' }

/** Packages that hold more than their description says. */
const IN_TRUTH: readonly { readonly name: RegExp, readonly licence: string, readonly why: string }[] = [{
  name: /^@seydx\/node-av-/, licence: 'GPL-3.0-or-later AND libfdk-aac',
  why: 'The description says MIT, which is the binding. The binary holds FFmpeg 8.1 as Jellyfin builds it: `--enable-gpl --enable-version3` with x264 and x265 '
    + '(GPL-2.0-or-later), and the encoder libfdk-aac, whose licence (Fraunhofer FDK AAC) does not go with the GPL. Two programs load it, `media-host/playback/decode-child.ts` and '
    + '`src/files/media-child.ts`, each in a process of its own; gateway and media host start them and never load it. They ask for x264, for FFmpeg’s own AAC encoder and for '
    + 'libopus, never for libfdk-aac. Whoever passes the installed packages on to others passes on these too.',
}]

export interface Package {
  readonly name: string
  readonly version: string
  readonly licence: string
  /** Of development alone: no part of `npm ci --omit=dev`. */
  readonly isDev: boolean
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** Every package that is installed from a registry, sorted, each version once. */
export function packagesOf({ packages }: Lockfile): Package[] {
  const found = new Map<string, Package>()
  for (const [path, { version = '', license, dev = false, link = false }] of Object.entries(packages)) {
    if (link || !path.includes('node_modules/')) continue
    const name = nameOf(path)
    const licence = IN_TRUTH.find((one) => one.name.test(name))?.licence ?? license ?? READ_IN_THE_PACKAGE[name] ?? 'none named'
    const before = found.get(`${name}@${version}`)
    found.set(`${name}@${version}`, { name, version, licence, isDev: dev && before?.isDev !== false })
  }
  return [...found.values()].toSorted((a, b) => (a.name === b.name ? compare(a.version, b.version) : compare(a.name, b.name)))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Packages with a licence, or a part of one, that is not on the list; those of IN_TRUTH are told of by themselves. */
export function refused(packages: readonly Package[]): Package[] {
  return packages.filter(({ name, licence }) => !IN_TRUTH.some((one) => one.name.test(name)) && !licence.replaceAll(/[()]/g, '').split(/ (?:AND|OR) /).every((part) => ALLOWED.has(part)))
}

/** Packages whose own programs `npm ci` runs: npm runs what the lockfile marks. */
export function installing({ packages }: Lockfile): string[] {
  return Object.entries(packages).flatMap(([path, { hasInstallScript }]) => hasInstallScript === true ? [nameOf(path)] : [])
}

function section(title: string, packages: readonly Package[]): string {
  const byLicence = Map.groupBy(packages, ({ licence }) => licence)
  const lists = [...byLicence].toSorted(([a], [b]) => compare(a, b)).map(([licence, of]) => `### ${licence}\n\n${of.map(({ name, version }) => `${name} ${version}`).join(', ')}\n`)
  return `## ${title}\n\n${lists.join('\n')}`
}

/** The text of THIRD_PARTY.md. */
export function thirdParty(lockfile: Lockfile): string {
  const packages = packagesOf(lockfile)
  const told = IN_TRUTH.flatMap(({ name, licence, why }) => packages.some((one) => name.test(one.name)) ? [`**${packages.filter((one) => name.test(one.name)).map((one) => one.name).join(', ')}**: ${licence}. ${why}\n`] : [])
  return `# Third-party packages

Made by \`npm run licences\` of package-lock.json; a test holds it against the lockfile, and refuses licences that are not on its list. The text of each
licence is in its package. The engine (\`engines/baileys\`) is a program of its own with packages and licences of its own: see its README.

## More than their description says

${told.join('\n')}
${section('Of the product', packages.filter(({ isDev }) => !isDev))}
${section('Of development alone', packages.filter(({ isDev }) => isDev))}`
}
