import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { CURRENT, LIST } from '../../src/domain/web-build.ts'

/** Our choice: the last three builds are kept, for whoever switches between two states of the code. */
const KEPT = 3
/**
 * Our choice, in ms: the folder of an interrupted build is removed after one hour; a younger one may still be in use.
 */
const ABANDONED_MS = 3_600_000

/** Whether a folder of builds holds a complete build of this name. */
export function hasBuild(builds: string, name: string): boolean {
  return existsSync(join(builds, name, LIST))
}

/** The build that pages are served from; null when there is none. */
export function currentBuild(builds: string): string | null {
  try {
    const { build } = JSON.parse(readFileSync(join(builds, CURRENT), 'utf8')) as { readonly build: string }
    return build
  } catch {
    return null
  }
}

/** Makes a new folder that no other build writes into. */
export function temporaryBuild(builds: string): string {
  const folder = join(builds, `.building-${process.pid}-${Date.now()}`)
  mkdirSync(folder, { recursive: true })
  return folder
}

/**
 * Moves a finished folder into its place in one step. When another process did so meanwhile, its build stays, because
 * both are made of the same sources.
 */
export function keepBuild(builds: string, folder: string, name: string): void {
  try {
    renameSync(folder, join(builds, name))
  } catch (error) {
    if (!hasBuild(builds, name)) throw error
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes a build the one that pages are served from. A reader sees the old build or the new one, never a part of it. */
export function makeCurrent(builds: string, name: string): void {
  const now = new Date()
  utimesSync(join(builds, name), now, now)
  const written = join(builds, `.current-${process.pid}-${Date.now()}`)
  writeFileSync(written, `${JSON.stringify({ build: name })}\n`)
  renameSync(written, join(builds, CURRENT))
}

/** Removes all builds but those used last, and the folders that interrupted builds left. */
export function dropOldBuilds(builds: string): void {
  const folders = readdirSync(builds, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, usedMs: usedMs(join(builds, name)) }))
  const cutOff = folders.filter(({ name, usedMs }) => name.startsWith('.') && usedMs < Date.now() - ABANDONED_MS)
  const old = folders
    .filter(({ name }) => !name.startsWith('.'))
    .toSorted((a, b) => b.usedMs - a.usedMs)
    .slice(KEPT)
  for (const { name } of [...cutOff, ...old]) rmSync(join(builds, name), { recursive: true, force: true })
}

/** When the path was last used, in ms since the epoch; 0 when it was removed meanwhile. */
function usedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
