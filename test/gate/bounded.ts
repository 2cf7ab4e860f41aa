/** Runs a command that certainly ends: it has a time limit, and everything it leaves running ends with it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { signalGroup } from '../helpers/process-group.ts'

/**
 * our choice, in ms: how long a command that was told to end may take to name the unfinished tests (`test/run.ts` takes
 * up to a minute for it).
 */
const LAST_WORDS_MS = 90_000

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

export interface Bounds {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Ms after which the command and everything it started are told to end. */
  readonly forMs: number
  /**
   * Path of a file for the output; null when it goes to this program's own output. A pipe would stay open as long as
   * anything that the command left running.
   */
  readonly into: string | null
}

/** Ends the group at its time limit, or when this program is told to end. Returns the function that cancels this. */
function endInTime(group: number, forMs: number): () => void {
  // SIGINT is the only signal on which ava names the unfinished tests.
  const end = () => signalGroup(group, 'SIGINT')
  const timers = [setTimeout(end, forMs), setTimeout(() => signalGroup(group, 'SIGKILL'), forMs + LAST_WORDS_MS)]
  for (const signal of SIGNALS) process.on(signal, end)
  return () => {
    for (const timer of timers) clearTimeout(timer)
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

/** Resolves to the exit status of the command, 1 when a signal ended it. Rejects when the command cannot be started. */
export async function runBounded(
  [program = '', ...words]: readonly string[],
  { cwd, env, forMs, into }: Bounds,
): Promise<number> {
  const output = into === null ? 'inherit' : openSync(into, 'w')
  // The command gets a process group of its own, so that a signal reaches everything it starts.
  const child = spawn(program, words, { cwd, env, detached: true, stdio: ['ignore', output, output] })
  if (typeof output === 'number') closeSync(output)
  const exited = once(child, 'exit')
  const { pid } = child
  const release = pid === undefined ? () => {} : endInTime(pid, forMs)
  const [code] = await exited.finally(release)
  signalGroup(pid, 'SIGKILL')
  return code ?? 1
}
