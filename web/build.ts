/**
 * `npm run web` builds the pages and both forms of the SDK into `web/dist`, and prints one line. When nothing has
 * changed, it ends at once and prints nothing. With `--if-possible`, missing development packages are reported and do
 * not fail the command, because the API works without pages. `--pack` makes the files of the SDK's package, for `npm
 * pack`.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILDS } from '../src/domain/web-build.ts'
import { currentBuild, dropOldBuilds, hasBuild, makeCurrent } from './build/builds.ts'
import { fingerprintOf } from './build/sources.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MISSING =
  'The pages are not built, because the packages of development are missing: the API works without them. For pages run `npm ci` and `npm run web`.'

/**
 * Builds, unless the same sources were built before. Vite is loaded only for a build, because loading it takes longer
 * than everything else here.
 */
async function build(): Promise<void> {
  const builds = join(ROOT, BUILDS)
  const name = fingerprintOf(ROOT)
  if (currentBuild(builds) === name && hasBuild(builds, name)) return
  if (!hasBuild(builds, name)) {
    const startedMs = performance.now()
    const { makeBuild } = await import('./build/make.ts')
    await makeBuild(ROOT, builds, name)
    process.stdout.write(`Pages built in ${((performance.now() - startedMs) / 1000).toFixed(1)} s\n`)
  }
  makeCurrent(builds, name)
  dropOldBuilds(builds)
}

async function pack(): Promise<void> {
  const { makePackageFiles } = await import('./build/package.ts')
  await makePackageFiles(ROOT, join(ROOT, 'web/sdk'))
}

/** Whether a package that the pages are made of could not be found. */
function isMissingPackage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}

try {
  await (process.argv.includes('--pack') ? pack() : build())
} catch (error) {
  const isLetOff = process.argv.includes('--if-possible') && isMissingPackage(error)
  process.stderr.write(
    `${isMissingPackage(error) ? MISSING : error instanceof Error ? error.message : String(error)}\n`,
  )
  process.exitCode = isLetOff ? 0 : 1
}
