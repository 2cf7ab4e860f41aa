/** The lists of packages by licence that the repository contains, and the licences that are allowed. */
import { compare, packagesAt, packagesOf } from './lockfile.ts'
import type { Lockfile, Package } from './lockfile.ts'

/**
 * The licences that a package of the product or of its development may have. Every part of a compound licence must be
 * listed.
 */
export const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])
/** The licences that only packages of the media program may have, which is itself under the GPL. */
export const ALLOWED_OF_MEDIA: ReadonlySet<string> = new Set([
  ...ALLOWED,
  'LGPL-3.0-or-later',
  'GPL-3.0-or-later',
  'FDK-AAC',
])

/** The licences that packages of examples may have: nobody passes these on, each reader of an example installs them. */
export const ALLOWED_OF_EXAMPLES: ReadonlySet<string> = new Set([
  ...ALLOWED,
  // `caniuse-lite`, which Next.js needs: a table of browsers is data, whose source is to be named.
  'CC-BY-4.0',
  // The library of `sharp`, by which Next.js would resize pictures: it is loaded as a file of its own.
  'LGPL-3.0-or-later',
])

/** The licences that only packages of the LiveKit example may have, whose folder lists them. */
export const ALLOWED_OF_LIVEKIT: ReadonlySet<string> = new Set([
  ...ALLOWED_OF_EXAMPLES,
  // `json-schema`, which may be taken under the BSD licence as well.
  'AFL-2.1',
  // FFmpeg, in `@livekit/av` and in `@livekit/rtc-ffi-bindings`.
  'LGPL-2.1-or-later',
  'LicenseRef-LiveKit-Model',
])

/** The packages with a licence, or a part of one, that is not allowed. */
export function refused(packages: readonly Package[], allowed: ReadonlySet<string> = ALLOWED): Package[] {
  return packages.filter(
    ({ licence }) =>
      !licence
        .replaceAll(/[()]/g, '')
        .split(/ (?:AND|OR) /)
        .every((part) => allowed.has(part)),
  )
}

function section(title: string, packages: readonly Package[]): string {
  const byLicence = Map.groupBy(packages, ({ licence }) => licence)
  const lists = [...byLicence]
    .toSorted(([a], [b]) => compare(a, b))
    .map(([licence, of]) => `### ${licence}\n\n${of.map(({ name, version }) => `${name} ${version}`).join(', ')}\n`)
  return `## ${title}\n\n${lists.join('\n')}`
}

/** The generated files, by path, of the lockfile of the product and that of the LiveKit example. */
export function thirdParty(lockfile: Lockfile, ofLivekit: Lockfile): Readonly<Record<string, string>> {
  const { product, media, development } = packagesOf(lockfile)
  return {
    'THIRD_PARTY.md': `# Third-party packages

Made by \`npm run licences\` of package-lock.json; a test holds it against the lockfile, and refuses licences that are not on its lists. The text of each
licence is in its package.

Two programs of their own have packages and licences of their own: what decodes and converts files (\`engines/media\`, GPL-3.0-or-later: see its README and
its THIRD_PARTY.md), which \`npm ci\` installs and the product starts as a child process and never loads; and the engine (\`engines/baileys\`: see its README). Each
example in \`examples\` has a lockfile of its own, which is held to a list as well; binaries of \`examples/livekit\` hold parts under the LGPL and weights under a
licence of LiveKit's, which its THIRD_PARTY.md names. None of the examples is part of an installation or an image.
Whoever passes on an installation or an image passes on the first of them, too.

${section('Of the product', product)}
${section('Of development alone', development)}`,
    'engines/media/THIRD_PARTY.md': `# Third-party packages of the media program

Made by \`npm run licences\` of package-lock.json, as the one above. The text of each licence is in its package; README.md here says what the binaries hold.

${section('Of the program', media)}`,
    'examples/livekit/THIRD_PARTY.md': `# Third-party packages of the LiveKit example

Made by \`npm run licences\` of package-lock.json, as the one of the product. The text of each licence is in its package. What binaries hold beyond what
their packages declare is named too: FFmpeg and libopus in \`@livekit/av-*\`; WebRTC, OpenH264 and FFmpeg's H.264 decoder in \`@livekit/rtc-ffi-bindings-*\`;
libvips in \`@img/sharp-*\`; the weights of LiveKit's own detector and of Silero's in \`@livekit/local-inference-*\`; sounds in \`@livekit/agents\`. The licence
of LiveKit's weights lets them be used with LiveKit Agents alone; the example does not load them.

${section('Of the example', packagesAt(ofLivekit, Object.keys(ofLivekit.packages)))}`,
  }
}
