/**
 * Records what ava does during a run, for the programs that start one: `TEST_OBSERVER` names this file, and
 * `TEST_RESULTS` names the file that gets one line for each fact.
 */
import { appendFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

/** A fact of a run. `file` is a path; null when ava names none. */
export type Fact =
  | { readonly fact: 'begun'; readonly file: string; readonly at: number }
  | { readonly fact: 'over'; readonly file: string; readonly at: number }
  | { readonly fact: 'red'; readonly file: string | null; readonly title: string; readonly reason: string }
  | { readonly fact: 'cut'; readonly pending: readonly { readonly file: string; readonly titles: readonly string[] }[] }
  | { readonly fact: 'end'; readonly passed: number; readonly skipped: number }

/** The part of ava's events that is read here (from its `run-status.js`; `observeRun` is marked experimental). */
interface AvaEvent {
  readonly type: string
  readonly testFile?: string
  readonly title?: string
  readonly err?: {
    readonly message?: string
    readonly stack?: string
    readonly formattedError?: string
    readonly assertion?: string
    /** What an assertion compared, drawn over several lines. */
    readonly formattedDetails?: readonly { readonly label: string; readonly formatted: string }[]
  }
  readonly nonZeroExitCode?: number
  readonly signal?: string
  readonly pendingTests?: ReadonlyMap<string, ReadonlySet<string>>
  readonly stats?: { readonly passedTests: number; readonly skippedTests: number }
}

const RED: Record<string, string> = {
  'hook-failed': 'a hook failed',
  'internal-error': 'ava failed',
  'missing-ava-import': 'no test in this file',
  'test-failed': 'a test failed',
  'uncaught-exception': 'uncaught exception',
  'unhandled-rejection': 'unhandled rejection',
  'worker-failed': 'the process of this file failed',
}

const CUT = new Set(['timeout', 'interrupt', 'process-exit'])

/** our choice: what an assertion compared is cut after this many characters. */
const MOST_DETAILS = 300

/** Why a test is red, in one line: what the error says, and what an assertion compared. */
function reasonOf(event: AvaEvent): string {
  const { err } = event
  const said =
    err?.message || err?.assertion || err?.stack || err?.formattedError || (event.signal ?? event.nonZeroExitCode)
  const line = String(said ?? RED[event.type]).split('\n')[0] ?? ''
  const details = (err?.formattedDetails ?? []).map(({ label, formatted }) => `${label} ${formatted}`).join(' ')
  return [line, stripVTControlCharacters(details).replaceAll(/\s+/g, ' ').slice(0, MOST_DETAILS)].join(' ').trim()
}

function factOf(event: AvaEvent, at: number): Fact | null {
  const file = event.testFile ?? null
  if (event.type === 'starting' && file) return { fact: 'begun', file, at }
  if (event.type === 'worker-finished' && file) return { fact: 'over', file, at }
  const red = RED[event.type]
  if (red) return { fact: 'red', file, title: event.title ?? red, reason: reasonOf(event) }
  if (!CUT.has(event.type)) return null
  return {
    fact: 'cut',
    pending: [...(event.pendingTests ?? [])].map(([named, titles]) => ({ file: named, titles: [...titles] })),
  }
}

async function observeRun({ events }: { readonly events: AsyncIterable<AvaEvent> }): Promise<void> {
  const path = process.env['TEST_RESULTS'] ?? ''
  const write = (fact: Fact) => appendFileSync(path, `${JSON.stringify(fact)}\n`)
  let stats: AvaEvent['stats']
  for await (const event of events) {
    stats = event.stats ?? stats
    const fact = factOf(event, performance.now())
    if (fact) write(fact)
  }
  write({ fact: 'end', passed: stats?.passedTests ?? 0, skipped: stats?.skippedTests ?? 0 })
}

/** Configuration for `ava.config.js`. */
export default { observeRun, nonSemVerExperiments: { observeRunsFromConfig: true } }
