import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, readlink, stat, unlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** The process that holds a directory, as written into its lock file. */
interface Holder {
  readonly pid: number
  /** Clock ticks from boot to the start of the process, which tell it from a later process with the same pid. */
  readonly startedAt: string
  /** Boot and pid namespace that the pid belongs to: the pids of another container mean nothing here. */
  readonly machine: string
  readonly lockId: string
  /**
   * Device and inode of the lock file itself: a file that names another one came along with a copy of the directory.
   * Absent in lock files of earlier versions.
   */
  readonly file?: string
}

export interface DirectoryLock {
  /** Gives the directory free. Idempotent. */
  release(): Promise<void>
}

/**
 * our choice: a holder touches its lock file this often, and one of another container counts as gone after the longer
 * time.
 */
const BEAT_MS = 1_000
const SILENCE_MS = 4_000
/** our choice: enough looks to outlast a take-over by another starter. */
const ATTEMPTS = 10

/**
 * States of a process that was killed and only waits for its parent to collect it (proc(5)): it holds nothing any more.
 */
const DEAD_STATES = new Set(['Z', 'X', 'x'])

/** Start of a process in clock ticks, or null when it is gone or dead. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces: count fields after it. state is field 3, starttime field 22 (proc(5)).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return DEAD_STATES.has(fields[0] ?? '') ? null : (fields[19] ?? null)
  } catch {
    return null
  }
}

async function machine(): Promise<string> {
  const parts = [readFile('/proc/sys/kernel/random/boot_id', 'utf8'), readlink('/proc/self/ns/pid')]
  const known = await Promise.all(parts.map((part) => part.catch(() => 'unknown')))
  return known.map((part) => part.trim()).join(' ')
}

/** Without /proc (not Linux) the pid alone tells: a reused pid then refuses, which is the safe side. */
function isPidAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function readHolder(path: string): Promise<Holder | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return JSON.parse(text) as Holder
  } catch {
    // A torn file cannot come from us: it is linked into place whole.
    return { pid: -1, startedAt: '', machine: '', lockId: '' }
  }
}

/** Device and inode of a file, which a copy of it does not share; null when it is gone. */
async function fileOf(path: string): Promise<string | null> {
  return await stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => null,
  )
}

/**
 * True when a living holder touches the lock file, which belongs to another container, an earlier boot, or a copied
 * directory.
 */
async function isBeating(path: string): Promise<boolean> {
  const touchedAt = (): Promise<number | null> =>
    stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    )
  const before = await touchedAt()
  await pause(SILENCE_MS)
  return (await touchedAt()) !== before
}

async function isAlive(holder: Holder, path: string): Promise<boolean> {
  if (holder.pid < 0) return false
  if (holder.machine !== (await machine())) return isBeating(path)
  const started = await startOf(holder.pid)
  const isRunning = started === null ? holder.startedAt === '' && isPidAlive(holder.pid) : started === holder.startedAt
  if (!isRunning || holder.file === undefined || holder.file === (await fileOf(path))) return isRunning
  // The lock file is a copy: the holder of the original directory touches its own file, not this one.
  return isBeating(path)
}

/** Puts the whole file in place at once, or answers false when one is there. */
async function place(path: string, holder: Holder): Promise<boolean> {
  const draft = `${path}.${holder.lockId}`
  await writeFile(draft, '', { mode: 0o600 })
  await writeFile(draft, `${JSON.stringify({ ...holder, file: (await fileOf(draft)) ?? undefined })}\n`)
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (isFileThere(error)) return false
    throw error
  } finally {
    await unlink(draft)
  }
}

/** our choice: a starter that lost a take-over looks again after this long. */
const LOOK_AGAIN_MS = 20

function isFileThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

/**
 * Removes a dead holder's file. Only the starter that holds the claim on this very lock may: ids of locks
 * are never used again, so a lock it reads under the claim cannot be exchanged before it removes it.
 */
async function clear(path: string, dead: Holder): Promise<void> {
  const claim = `${path}.dead.${dead.lockId}`
  try {
    await writeFile(claim, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!isFileThere(error)) throw error
    // A starter died in the middle of a take-over: its claim is removed, and the next look takes over.
    const claimedAt = await stat(claim).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    )
    if (claimedAt !== null && Date.now() - claimedAt > SILENCE_MS) await unlink(claim).catch(() => {})
    await pause(LOOK_AGAIN_MS)
    return
  }
  if ((await readHolder(path))?.lockId === dead.lockId) await unlink(path)
  await unlink(claim)
}

async function hold(path: string, holder: Holder): Promise<DirectoryLock> {
  // Kept open: should another take over, the beats go to our own file, which is no longer in place.
  const file = await open(path, 'r+')
  let isHeld = true
  const timer = setInterval(() => void file.utimes(new Date(), new Date()).catch(() => {}), BEAT_MS)
  timer.unref()
  return {
    async release() {
      if (!isHeld) return
      isHeld = false
      clearInterval(timer)
      await file.close()
      if ((await readHolder(path))?.lockId === holder.lockId) await unlink(path).catch(() => {})
    },
  }
}

/**
 * Takes a directory, made when missing, for this process alone, by a lock file in it. A lock left by a killed process,
 * or by one whose pid was given to another since, is taken over; one of another container or boot, or one that came
 * along with a copy of the directory, after it showed no life for a few seconds. Throws when a living process holds it.
 */
export async function lockDirectory(directory: string, fileName = 'lock'): Promise<DirectoryLock> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, fileName)
  const holder: Holder = {
    pid: process.pid,
    startedAt: (await startOf(process.pid)) ?? '',
    machine: await machine(),
    lockId: randomUUID(),
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await place(path, holder)) return hold(path, holder)
    const other = await readHolder(path)
    if (other === null) continue
    if (await isAlive(other, path)) break
    await clear(path, other)
  }
  throw new Error(`${resolve(directory)} is in use by another process: stop it, or set another DATA_DIR`)
}
