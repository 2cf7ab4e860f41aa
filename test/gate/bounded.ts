/** Runs a command that comes to its end whatever it starts: it has a time, and what it leaves running ends with it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'

/**
 * our choice: so long has a run that is ended for naming the tests that are not over (`test/run.ts` takes up to a
 * minute for it).
 */
const LAST_WORDS_MS = 90_000

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

export interface Bounds {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** After so many milliseconds the command and all it started are told to end. */
  readonly forMs: number
  /**
   * The path of the file that takes the output; null where it goes where this program's own goes. A pipe would stay
   * open as long as anything that the command left running.
   */
  readonly into: string | null
}

/** Ends every process of the group; none that is left is no fault. */
function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Has the group end at its time, or when this program is told to end. The function takes that back. */
function endInTime(group: number, forMs: number): () => void {
  // Of all signals SIGINT alone has ava name the tests that are not over.
  const end = () => signalGroup(group, 'SIGINT')
  const timers = [setTimeout(end, forMs), setTimeout(() => signalGroup(group, 'SIGKILL'), forMs + LAST_WORDS_MS)]
  for (const signal of SIGNALS) process.on(signal, end)
  return () => {
    for (const timer of timers) clearTimeout(timer)
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

/** The exit status of the command; 1 for one that a signal ended. Rejects where the command cannot be started. */
export async function runBounded(
  [program = '', ...words]: readonly string[],
  { cwd, env, forMs, into }: Bounds,
): Promise<number> {
  const output = into === null ? 'inherit' : openSync(into, 'w')
  // A group of its own, so that a signal reaches whatever it starts.
  const child = spawn(program, words, { cwd, env, detached: true, stdio: ['ignore', output, output] })
  if (typeof output === 'number') closeSync(output)
  const exited = once(child, 'exit')
  const { pid } = child
  const release = pid === undefined ? () => {} : endInTime(pid, forMs)
  const [code] = await exited.finally(release)
  if (pid !== undefined) signalGroup(pid, 'SIGKILL')
  return code ?? 1
}
