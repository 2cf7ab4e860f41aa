import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const MAKER = fileURLToPath(new URL('./pglite-maker.ts', import.meta.url))
/**
 * Our choice: a program that lives for a second is not compiled twice, and has room for what it does not keep. It takes
 * 1.6 s instead of 2.4, and 1.9 s of CPU instead of 3.3 (measured).
 */
const MAKER_FLAGS = ['--liftoff-only', '--min-semi-space-size=64', '--disable-warning=ExperimentalWarning']
/** PostgreSQL writes it into the directory of a database that it makes. */
const VERSION_FILE = 'PG_VERSION'
/** Ends the name of a folder in which a database is being made; a random text follows. */
const MAKING = '.making-'

/** Removes what makers of this directory have left that were killed. */
async function removeRemains(directory: string): Promise<void> {
  const parent = dirname(directory)
  const left = (await readdir(parent)).filter((name) => name.startsWith(`${basename(directory)}${MAKING}`))
  await Promise.all(left.map((name) => rm(join(parent, name), { recursive: true, force: true })))
}

/**
 * Makes a new database in a process of its own: what that compiled and held took 280 MiB from then on (measured). The
 * database has its place once it is whole, so that nobody who is killed meanwhile leaves half of one there. Without
 * success nothing is there, and whoever opens the database makes it, and tells why it cannot.
 */
export async function makeIfNew(directory: string): Promise<void> {
  if (existsSync(join(directory, VERSION_FILE))) return
  try {
    await removeRemains(directory)
    const making = await mkdtemp(`${directory}${MAKING}`)
    await promisify(execFile)(process.execPath, [...MAKER_FLAGS, MAKER, making])
    await rename(making, directory)
  } catch {
    await removeRemains(directory).catch(() => {})
  }
}
