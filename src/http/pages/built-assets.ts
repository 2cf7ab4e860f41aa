import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RefusalError, refuse } from '../../domain/errors.ts'
import { CURRENT, LIST } from '../../domain/web-build.ts'
import type { BuiltFile, WebBuild } from '../../domain/web-build.ts'
import type { ReadyBytes } from '../request/ready-bytes.ts'

/** A file of the build: its bytes, plain and compressed, and its facts. */
export interface BuiltBytes extends ReadyBytes {
  readonly facts: BuiltFile
}

/**
 * The built pages and SDK, all in memory: some 100 KB. So they are still served when the folder of the build is
 * removed.
 */
export interface BuiltAssets {
  readonly sdkVersion: string
  /** Files by path below the folder of the build; only those that the build listed ([configuration.hosts.2]). */
  readonly files: ReadonlyMap<string, BuiltBytes>
  readonly later: WebBuild['later']
}

/** Reads the newest build from the folder of builds; null where there is none. */
export async function readBuiltAssets(builds: string): Promise<BuiltAssets | null> {
  try {
    const { build } = await readJson<{ readonly build: string }>(join(builds, CURRENT))
    const { sdkVersion, files, later } = await readJson<WebBuild>(join(builds, build, LIST))
    const read = Object.entries(files).map(
      async ([path, facts]) => [path, await readBuilt(join(builds, build, path), facts)] as const,
    )
    return { sdkVersion, later, files: new Map(await Promise.all(read)) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/**
 * The build. Throws 503 WEB_ASSETS_MISSING, naming the command to run, when there is none ([configuration.hosts.3]).
 */
export function builtAssetsOf(assets: BuiltAssets | null): BuiltAssets {
  if (assets) return assets
  throw new RefusalError(
    refuse(
      'WEB_ASSETS_MISSING',
      'The pages are not built: run `npm run web` in the folder of the service, then start it again',
    ),
  )
}

async function readBuilt(path: string, facts: BuiltFile): Promise<BuiltBytes> {
  const [bytes, gzip, br] = await Promise.all([
    readFile(path),
    facts.gzipBytes === null ? null : readFile(`${path}.gz`),
    facts.brBytes === null ? null : readFile(`${path}.br`),
  ])
  return { facts, hash: facts.hash, bytes, gzip, br }
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T
}
