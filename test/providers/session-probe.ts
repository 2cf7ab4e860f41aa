import type { ExecutionContext } from 'ava'
import type { NumberId } from '../../src/domain/ids.ts'
import { newId } from '../../src/domain/ids.ts'
import { DEFAULT_SETTINGS } from '../../src/domain/number.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { ProviderEvent, ProviderSession, SessionSpec } from '../../src/ports/provider.ts'
import { lateClock } from '../helpers/late-clock.ts'
import { createUnofficialDriver } from '../../src/providers/unofficial/driver.ts'
import { oneEngine } from '../../src/providers/unofficial/engines.ts'
import { noMetrics, silentLog } from '../helpers/silent.ts'
import { ScriptedEngine } from './scripted-engine.ts'
import type { EngineNumber } from './scripted-engine.ts'

export const QUICK = { backoffMinMs: 2, backoffMaxMs: 20 }

export function specOf(numberId: NumberId = newId('num'), over: Partial<SessionSpec> = {}): SessionSpec {
  return {
    numberId,
    number: '5511900000000',
    credentials: null,
    settings: DEFAULT_SETTINGS,
    historyImport: false,
    wantsStories: false,
    ackedSeq: 0,
    ...over,
  }
}

/** A session against a scripted engine, and the events that it told. */
export interface Probe {
  readonly engine: ScriptedEngine
  readonly number: EngineNumber
  readonly opening: SessionSpec
  readonly session: ProviderSession
  readonly told: ProviderEvent[]
  /** Opens another session of the same number with the same driver. */
  reopen(over?: Partial<SessionSpec>): { session: ProviderSession; told: ProviderEvent[] }
}

/** Starts engine, driver and session; all end with the test. */
export async function probe(
  t: ExecutionContext,
  over: Partial<SessionSpec> = {},
  clock: Clock = lateClock,
): Promise<Probe> {
  const engine = await ScriptedEngine.start()
  const driver = createUnofficialDriver({
    engines: oneEngine(engine.url),
    bridgeToken: engine.token,
    clock,
    log: silentLog,
    metrics: noMetrics,
    tuning: QUICK,
  })
  const opening = specOf(newId('num'), over)
  const sessions: ProviderSession[] = []
  const open = (more: Partial<SessionSpec> = {}): { session: ProviderSession; told: ProviderEvent[] } => {
    const told: ProviderEvent[] = []
    const session = driver.openSession({ ...opening, ...more }, (event) => void told.push(event))
    sessions.push(session)
    return { session, told }
  }
  t.teardown(async () => {
    for (const session of sessions) session.close()
    await engine.close()
  })
  return { engine, number: engine.number(opening.numberId), opening, ...open(), reopen: open }
}

/** The told events that have a sequence number. */
export function sequenced(told: readonly ProviderEvent[]): Extract<ProviderEvent, { seq: number }>[] {
  return told.filter((event) => 'seq' in event)
}
