/** One part of the gate: a command that runs tests, and how files of it are run once more. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readResults, type Results } from './results.ts'
import { againOf, outcomeOf, type Outcome } from './verdict.ts'

export interface Command {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

type Say = (text: string) => void

export interface Part extends Command {
  readonly name: string
  /** What it takes on two quiet cores (measured). */
  readonly minutes: number
  readonly cwd: string
  /** The command that runs these files alone, one after the other. */
  readonly again: (files: readonly string[]) => Command
  /** Whether its output is held back until it is over, for a part that runs beside another. */
  readonly isHeld?: boolean
}

const OBSERVER = fileURLToPath(new URL('observer.ts', import.meta.url))

interface Run {
  readonly exit: number
  readonly results: Results
}

async function outputOf(stream: NodeJS.ReadableStream | null, into: Buffer[]): Promise<void> {
  if (stream) for await (const chunk of stream) into.push(Buffer.from(chunk))
}

async function run(part: Part, { command, env }: Command, say: Say): Promise<Run> {
  const directory = mkdtempSync(join(tmpdir(), 'cms-gate-'))
  const path = join(directory, 'results')
  const [program = '', ...words] = command
  const stdio = part.isHeld ? 'pipe' as const : 'inherit' as const
  const child = spawn(program, words, { cwd: part.cwd, stdio: ['ignore', stdio, stdio], env: { ...process.env, ...part.env, ...env, TEST_RESULTS: path, TEST_OBSERVER: OBSERVER } })
  const output: Buffer[] = []
  const exited = once(child, 'exit')
  await Promise.all([outputOf(child.stdout, output), outputOf(child.stderr, output)])
  const [code] = await exited
  say(Buffer.concat(output).toString())
  const results = readResults(path)
  rmSync(directory, { recursive: true })
  return { exit: code ?? 1, results }
}

/** Runs the part, and once more what was red in it. */
export async function runPart(part: Part, say: Say = (text) => process.stdout.write(text)): Promise<Outcome> {
  say(`\n== ${part.name}\n`)
  const first = await run(part, part, say)
  const again = first.exit === 0 ? 'nothing' : againOf(first.results)
  if (again === 'nothing') return outcomeOf(part.name, first.exit, first.results, null)
  say(`\n== ${part.name}: once more, alone: ${again === 'whole' ? 'all of it' : again.join(', ')}\n`)
  const second = await run(part, again === 'whole' ? part : part.again(again), say)
  const isTold = second.exit === 0 || second.results.red.length > 0
  return outcomeOf(part.name, first.exit, first.results, isTold ? second.results : null)
}
