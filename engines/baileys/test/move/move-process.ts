import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ExecutionContext } from 'ava'

/** `npm run engine -- move` in a process of its own. */
export interface MoveProcess {
  /** Resolves to its exit code once it is gone; null when it was killed. */
  readonly gone: Promise<number | null>
  /** What it printed. */
  said(): string
  /** Kills it with SIGKILL; resolves once it is gone. */
  kill(): Promise<void>
}

const MAIN = new URL('../../main.ts', import.meta.url).pathname

export function startMove(
  t: Pick<ExecutionContext, 'teardown'>,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): MoveProcess {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'move', ...words], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => void child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      said += bytes.toString()
    })
  const closed = once(child, 'close') as Promise<[number | null]>
  return {
    gone: closed.then(([code]) => code),
    said: () => said,
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
  }
}
