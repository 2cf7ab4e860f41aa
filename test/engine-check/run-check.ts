import type { ExecutionContext } from 'ava'
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { systemClock } from '../../src/process/clock.ts'
import { lineOf, type Finding } from '../../tools/engine-check/finding.ts'
import type { CheckOptions } from '../../tools/engine-check/options.ts'
import { runChecks, type Ran } from '../../tools/engine-check/run.ts'
import { silentLog } from '../helpers/silent.ts'
import { PATIENCE_MS } from '../helpers/until.ts'
import { TOKEN } from './small-engine.ts'

export const OPTIONS: Omit<CheckOptions, 'url'> = {
  token: TOKEN,
  number: '5511988887777',
  peer: '5511990000005',
  scanUrl: null,
  isReplyAsked: false,
  areCallsAsked: false,
  isRotationAsked: false,
  takeover: null,
  mediaAddress: '127.0.0.1',
  patienceMs: PATIENCE_MS,
  isJson: false,
}
/**
 * In ms: how long the check waits for a missing answer. It may be short, because the engine runs in this thread and its
 * clock ticks faster.
 */
export const SILENCE_MS = 2_000

export interface RunParts {
  readonly clock?: Clock
  /** Hears what whoever runs the check is told. */
  readonly tell?: (text: string) => void
}

/** Runs the checks in this thread. */
export async function run(
  t: Pick<ExecutionContext, 'teardown'>,
  options: CheckOptions,
  { clock = systemClock, tell = () => {} }: RunParts = {},
): Promise<Ran & { of(name: string): Finding | undefined }> {
  const fetchUrl = createGuardedFetch({ egressAllow: ['127.0.0.0/8'], clock })
  t.teardown(() => fetchUrl.close())
  const ran = await runChecks({ options, clock, log: silentLog, fetchUrl, tell }, () => {})
  return { ...ran, of: (name) => ran.findings.find((finding) => finding.name === name) }
}

/** The lines of the checks that do not hold. */
export function unsound(findings: readonly Finding[]): string[] {
  return findings.filter(({ verdict }) => verdict !== 'holds').map(lineOf)
}
