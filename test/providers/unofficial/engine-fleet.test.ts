import test from 'ava'
import type { ExecutionContext } from 'ava'
import { newId } from '../../../src/domain/ids.ts'
import type { NumberId } from '../../../src/domain/ids.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { EngineEntry } from '../../../src/ports/engine-register.ts'
import type { ProviderEvent, ProviderSession } from '../../../src/ports/provider.ts'
import { DEFAULT_TUNING } from '../../../src/net/json-socket-tuning.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { createUnofficialDriver } from '../../../src/providers/unofficial/driver.ts'
import { EngineFleet } from '../../../src/providers/unofficial/engine-fleet.ts'
import { lateClock } from '../../helpers/late-clock.ts'
import { noMetrics, silentLog } from '../../helpers/silent.ts'
import { until } from '../../helpers/until.ts'
import { ScriptedEngine } from '../scripted-engine.ts'
import { QUICK, specOf } from '../session-probe.ts'

interface World {
  readonly fleet: EngineFleet
  readonly engines: readonly ScriptedEngine[]
  /** Gives the fleet these entries, of engine-0, engine-1 and so on; null for one whose entry is gone. */
  register(entries: readonly (Partial<EngineEntry> | null)[], isWhole?: boolean): void
  open(numberId?: NumberId): Opened
}

interface Opened {
  readonly numberId: NumberId
  readonly session: ProviderSession
  readonly told: ProviderEvent[]
}

/** Engines that are real sockets, and a driver that knows them by a register. Draws take the first one. */
async function world(
  t: ExecutionContext,
  engines: readonly ScriptedEngine[],
  clock: Clock = lateClock,
): Promise<World> {
  const fleet = new EngineFleet({ clock, known: noMetrics.gauge('', ''), random: () => 0 })
  const driver = createUnofficialDriver({
    engines: fleet,
    bridgeToken: 'engine-token',
    clock,
    log: silentLog,
    metrics: noMetrics,
    tuning: QUICK,
  })
  const sessions: ProviderSession[] = []
  t.teardown(async () => {
    for (const session of sessions) session.close()
    await Promise.all(engines.map((engine) => engine.close()))
  })
  return {
    fleet,
    engines,
    register(entries, isWhole = true) {
      const told = entries.flatMap((entry, i) => (entry === null ? [] : [{ ...entryOf(i, engines[i]), ...entry }]))
      fleet.useRegistered(told, isWhole)
    },
    open(numberId = newId('num')) {
      const told: ProviderEvent[] = []
      const session = driver.openSession(specOf(numberId), (event) => void told.push(event))
      sessions.push(session)
      return { numberId, session, told }
    },
  }
}

function entryOf(i: number, engine: ScriptedEngine | undefined): EngineEntry {
  return {
    engineId: `engine-${i}`,
    url: engine?.url ?? '',
    version: '1.0.0',
    sessions: 0,
    capacity: 10,
    draining: false,
  }
}

async function started(count: number): Promise<ScriptedEngine[]> {
  return Promise.all(Array.from({ length: count }, () => ScriptedEngine.start()))
}

function isUp({ told }: Opened): boolean {
  const last = told.findLast(({ type }) => type === 'linkUp' || type === 'linkDown')
  return last?.type === 'linkUp'
}

const upgradesOf = (engines: readonly ScriptedEngine[]): number[] => engines.map(({ upgrades }) => upgrades)

test('a number waits until there is an engine, and is opened there with what follows from its address', async (t) => {
  const engines = await started(1)
  const { fleet, register, open } = await world(t, engines)
  const one = open()
  register([])
  t.false(isUp(one))
  register([{}])
  await until('the session is up', () => isUp(one))
  const number = engines[0]?.number(one.numberId)
  t.is(number?.lastHeaders['authorization'], 'Bearer engine-token')
  t.is(
    number?.opsOf('session.start')[0]?.['mediaBearerOrigin'],
    new URL(engines[0]?.url.replace('ws', 'http') ?? '').origin,
  )
  t.deepEqual(fleet.list(), [{ engineId: 'engine-0', sessions: 1, capacity: 10, isDraining: false, connected: 1 }])
})

// [engine-fleet.register.2]
test('a number stays at its engine over a lost connection, although another one has less to do', async (t) => {
  const engines = await started(2)
  const { register, open } = await world(t, engines)
  register([{}, { sessions: 5 }])
  const one = open()
  await until('the session is up', () => isUp(one))
  register([{ sessions: 9 }, { sessions: 0 }])
  engines[0]?.number(one.numberId).drop()
  await until('it is up again', () => engines[0]?.number(one.numberId).connects === 2 && isUp(one))
  one.session.close()
  const again = open(one.numberId)
  await until('a later session is up', () => isUp(again))
  t.deepEqual(upgradesOf(engines), [3, 0])
})

// [engine-fleet.register.7]
test('an engine that does not hold the number names the one that does, which is dialled at once', async (t) => {
  const engines = await started(2)
  const { register, open } = await world(t, engines)
  engines[0]!.refusal = { status: 421, headers: { 'engine-id': 'engine-1', 'retry-after': '20' } }
  register([{}, { sessions: 5 }])
  const one = open()
  await until('the session is up', () => isUp(one))
  t.deepEqual(upgradesOf(engines), [1, 1])
})

// [engine-fleet.register.7]
test('where the holder is not registered the number is tried again, until it is free or the holder is there', async (t) => {
  const engines = await started(2)
  const { register, open } = await world(t, engines)
  engines[0]!.refusal = { status: 421, headers: { 'engine-id': 'engine-1', 'retry-after': '20' } }
  register([{}])
  const one = open()
  await until('it was tried again', () => (engines[0]?.upgrades ?? 0) >= 3)
  t.false(isUp(one))
  engines[0]!.refusal = null
  await until('it is free', () => isUp(one))
  engines[0]!.refusal = { status: 421, headers: { 'engine-id': 'engine-1' } }
  engines[0]?.number(one.numberId).drop()
  await until('it is held elsewhere', () => !isUp(one))
  register([{}, {}])
  await until('the holder is there', () => engines[1]?.number(one.numberId).connects === 1 && isUp(one))
})

// [engine-fleet.register.7]
test('an engine that takes no session is passed over for a while, also by numbers that it held', async (t) => {
  const engines = await started(2)
  // For what is measured no time passes, so that the while is not over.
  const { register, open } = await world(t, engines, { ...lateClock, monotonicMs: () => 0 })
  register([{}, { sessions: 5 }])
  const one = open()
  await until('the session is up', () => isUp(one))
  engines[0]!.refusal = { status: 503 }
  engines[0]?.number(one.numberId).drop()
  await until('it is up elsewhere', () => engines[1]?.number(one.numberId).connects === 1 && isUp(one))
  const other = open()
  await until('another number is up', () => isUp(other))
  t.is(engines[1]?.number(other.numberId).connects, 1)
  t.is(engines[0]?.upgrades, 2, 'nobody asked it again')
})

// [engine-fleet.register.7]
test('a draining engine keeps its sessions until it hands them over, one by one', async (t) => {
  const engines = await started(2)
  const { register, open } = await world(t, engines)
  register([{}, { sessions: 5 }])
  const [one, other] = [open(), open()]
  await until('both are up', () => isUp(one) && isUp(other))
  register([{ draining: true }, { sessions: 5 }])
  engines[0]?.number(one.numberId).socket?.close(1001)
  await until('it is up elsewhere', () => engines[1]?.number(one.numberId).connects === 1 && isUp(one))
  t.is(engines[0]?.number(other.numberId).connects, 1)
  t.true(isUp(other))
  t.not(engines[0]?.number(other.numberId).socket, null)
})

// [engine-fleet.register.8]
test('an engine that froze is left once its entry is gone from a register that is whole, and no sooner', async (t) => {
  const engines = [await ScriptedEngine.start({ autoPong: false }), await ScriptedEngine.start()]
  // A probe takes a tenth of a second here, and nothing else pings. Nothing hangs on how fast the machine is, because
  // no pong ever comes.
  const paced = new Map([
    [1_000, 20],
    [DEFAULT_TUNING.keepaliveMs, 3_600_000],
  ])
  const clock: Clock = { ...systemClock, after: (ms, fire) => systemClock.after(paced.get(ms) ?? ms, fire) }
  const { register, open } = await world(t, engines, clock)
  register([{}, { sessions: 5 }])
  const one = open()
  await until('the session is up', () => isUp(one))
  register([null, { sessions: 5 }], false)
  t.is(engines[0]?.pings, 0)
  register([null, { sessions: 5 }], true)
  await until('it is up elsewhere', () => engines[1]?.number(one.numberId).connects === 1 && isUp(one))
  t.is(engines[0]?.pings, 1)
})

// [engine-fleet.register.8]
test('an engine whose entry is gone keeps its sessions while it answers', async (t) => {
  const engines = await started(2)
  const { fleet, register, open } = await world(t, engines)
  register([{}, { sessions: 5 }])
  const one = open()
  await until('the session is up', () => isUp(one))
  register([null, { sessions: 5 }])
  await until('it was asked', () => engines[0]?.pings === 1)
  t.true(isUp(one))
  register([{}, { sessions: 5 }])
  t.is(fleet.list()[0]?.connected, 1)
  t.deepEqual(upgradesOf(engines), [1, 0])
})

test('while the register is not whole no engine counts as gone, and numbers are placed on all that were known', async (t) => {
  const engines = await started(2)
  const { fleet, register, open } = await world(t, engines)
  register([{}, { sessions: 5 }])
  const urls = fleet.urls()
  register([], false)
  t.deepEqual(fleet.urls(), urls)
  t.is(fleet.urls(), urls, 'nothing changed')
  const one = open()
  await until('the session is up', () => isUp(one))
  register([null, {}])
  t.deepEqual(fleet.urls(), [engines[1]?.url])
})

test('what a gateway placed counts until an engine has had the time to report it', async (t) => {
  const engines = await started(2)
  const { fleet, register, open } = await world(t, engines)
  register([{ sessions: 8 }, { sessions: 8 }])
  const opened = Array.from({ length: 4 }, () => open())
  await until('all are up', () => opened.every(isUp))
  t.deepEqual(
    fleet.list().map(({ sessions }) => sessions),
    [10, 10],
  )
  const fifth = open()
  register([{ sessions: 8 }, { sessions: 8 }])
  register([{ sessions: 8 }, { sessions: 8 }])
  t.false(isUp(fifth), 'both are full as far as it is known')
  for (let look = 0; look < 3; look++) register([{ sessions: 10 }, { sessions: 7 }])
  await until('there was room', () => isUp(fifth))
  t.is(engines[1]?.number(fifth.numberId).connects, 1)
})
