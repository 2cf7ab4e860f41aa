/** The program of an example, as a child of this one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Example } from './examples.ts'

/** The line in which a program says where it listens: as the others do, or as Next.js does. */
const LISTENS = /^(?:Listens on|- Local:) +(\S+)$/

export interface Running {
  /** Where it listens. */
  readonly url: string
  stop(): void
}

/**
 * Starts the example, shows its lines, and resolves once it listens. Rejects when it ends before; `ended` is called
 * when it ends later.
 */
export async function startProgram(
  { folder, command: [program, ...words] }: Example,
  env: Readonly<Record<string, string>>,
  ended: () => void,
): Promise<Running> {
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the example ended with ${code}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, at] = LISTENS.exec(line) ?? []
      if (at === undefined) process.stdout.write(`  ${line}\n`)
      else resolve(at)
    })
  })
  child.once('exit', ended)
  return { url, stop: () => void child.kill() }
}

/** Runs a command of an example that does its work and ends. Rejects when it ends otherwise. */
export async function runProgram(
  { folder, command: [program, ...words] }: Pick<Example, 'folder' | 'command'>,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const child = spawn(program, words, { cwd: folder, env: { ...process.env, ...env }, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the example ended with ${code}`)
}
