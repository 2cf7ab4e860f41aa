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

/** Our choice: as many builds stay, for who goes back and forth between two states of the code. */
const KEPT = 3
/** Our choice, in ms: a folder of a build that was cut off is somebody's who builds still until it is this old. */
const ABANDONED_MS = 3_600_000

/** Whether a folder of builds has the whole of one. */
export function hasBuild(builds: string, name: string): boolean {
  return existsSync(join(builds, name, LIST))
}

/** The build that pages are served from; null where there is none. */
export function currentBuild(builds: string): string | null {
  try {
    const { build } = JSON.parse(readFileSync(join(builds, CURRENT), 'utf8')) as { readonly build: string }
    return build
  } catch {
    return null
  }
}

/** A new folder that nobody else builds in. */
export function temporaryBuild(builds: string): string {
  const folder = join(builds, `.building-${process.pid}-${Date.now()}`)
  mkdirSync(folder, { recursive: true })
  return folder
}

/**
 * Puts a finished folder in its place at once. Where another did so meanwhile its build stays: both are made of the
 * same.
 */
export function keepBuild(builds: string, folder: string, name: string): void {
  try {
    renameSync(folder, join(builds, name))
  } catch (error) {
    if (!hasBuild(builds, name)) throw error
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Makes a build the one that pages are served from: whoever reads meanwhile has the old one or the new one, never a
 * part.
 */
export function makeCurrent(builds: string, name: string): void {
  const now = new Date()
  utimesSync(join(builds, name), now, now)
  const written = join(builds, `.current-${process.pid}-${Date.now()}`)
  writeFileSync(written, `${JSON.stringify({ build: name })}\n`)
  renameSync(written, join(builds, CURRENT))
}

/** Removes all but the builds used last, and what was left by builds that were cut off. */
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

/** 0 where it was removed meanwhile. */
function usedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
