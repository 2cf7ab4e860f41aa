/** One part of the gate: a command that runs tests, and how its files are run once more. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runBounded } from './bounded.ts'
import { readResults, type Results } from './results.ts'
import { againOf, outcomeOf, type Outcome } from './verdict.ts'

export interface Command {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** The frame of a run: where its words go, and when everything must be over, in ms since 1970. */
export interface Frame {
  readonly say: (text: string) => void
  readonly until: number
}

export interface Part extends Command {
  readonly name: string
  /** Minutes it takes on two idle cores (measured); a run is ended after `MOST_TIMES` that. */
  readonly minutes: number
  readonly cwd: string
  /** The command that runs only these files, one after another. */
  readonly again: (files: readonly string[]) => Command
  /** Whether its output is held back until it ends, for a part that runs beside another. */
  readonly isHeld?: boolean
}

/**
 * our choice: a run that takes this many times its time on an idle machine hangs. Some machines take more than three
 * times as long (seen), and a part that is cut is run whole once more, for which there is no time there.
 */
const MOST_TIMES = 5

const OBSERVER = fileURLToPath(new URL('observer.ts', import.meta.url))

interface Run {
  readonly exit: number
  readonly results: Results
}

async function run(part: Part, { command, env }: Command, { say, until }: Frame): Promise<Run> {
  const directory = mkdtempSync(join(tmpdir(), 'cms-gate-'))
  const path = join(directory, 'results')
  const output = join(directory, 'output')
  const exit = await runBounded(command, {
    cwd: part.cwd,
    env: { ...process.env, ...part.env, ...env, TEST_RESULTS: path, TEST_OBSERVER: OBSERVER },
    forMs: Math.max(0, Math.min(part.minutes * MOST_TIMES * 60_000, until - Date.now())),
    into: part.isHeld ? output : null,
  })
  if (part.isHeld) say(readFileSync(output, 'utf8'))
  const results = readResults(path)
  rmSync(directory, { recursive: true })
  return { exit, results }
}

/** Runs the part, and once more the tests that failed in it. */
export async function runPart(part: Part, frame: Frame): Promise<Outcome> {
  const { say } = frame
  say(`\n== ${part.name}\n`)
  const first = await run(part, part, frame)
  const again = first.exit === 0 ? 'nothing' : againOf(first.results)
  if (again === 'nothing') return outcomeOf(part.name, first.exit, first.results, null)
  say(`\n== ${part.name}: once more, alone: ${again === 'whole' ? 'all of it' : again.join(', ')}\n`)
  const second = await run(part, again === 'whole' ? part : part.again(again), frame)
  const isTold = second.exit === 0 || second.results.red.length > 0
  return outcomeOf(part.name, first.exit, first.results, isTold ? second.results : null)
}
