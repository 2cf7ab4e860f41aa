import test from 'ava'
import type { ExecutionContext } from 'ava'
import { newId } from '../../../src/domain/ids.ts'
import type { NumberId } from '../../../src/domain/ids.ts'
import type { ProviderEvent, ProviderSession } from '../../../src/ports/provider.ts'
import { createUnofficialDriver } from '../../../src/providers/unofficial/driver.ts'
import { oneEngine } from '../../../src/providers/unofficial/engines.ts'
import { lateClock } from '../../helpers/late-clock.ts'
import { noMetrics, silentLog } from '../../helpers/silent.ts'
import { until } from '../../helpers/until.ts'
import { ScriptedEngine, type EngineNumber } from '../scripted-engine.ts'
import { QUICK, sequenced, specOf } from '../session-probe.ts'

interface Side {
  readonly engine: EngineNumber
  readonly session: ProviderSession
  readonly told: ProviderEvent[]
}

interface Sides {
  readonly hostile: Side
  readonly honest: Side
  /** The messages of warnings, in order. */
  readonly warned: string[]
}

/** A hostile and an honest number at one driver. Only the test settles events. */
async function sides(t: ExecutionContext, tuning: object = {}): Promise<Sides> {
  const engine = await ScriptedEngine.start()
  engine.onRequest = ({ op }) => (op === 'message.send' ? { result: { externalMessageId: 'sent' } } : undefined)
  const warned: string[] = []
  const log = { ...silentLog, warn: (_fields: object, message: string) => void warned.push(message), child: () => log }
  const driver = createUnofficialDriver({
    engines: oneEngine(engine.url),
    bridgeToken: null,
    clock: lateClock,
    log,
    metrics: noMetrics,
    tuning: { ...QUICK, ...tuning },
  })
  const open = (id: NumberId): Side => {
    const told: ProviderEvent[] = []
    return {
      engine: engine.number(id),
      told,
      session: driver.openSession(specOf(id), (event) => void told.push(event)),
    }
  }
  const made: Sides = { hostile: open(newId('num')), honest: open(newId('num')), warned }
  t.teardown(async () => {
    made.hostile.session.close()
    made.honest.session.close()
    await engine.close()
  })
  await until('both are up', () =>
    [made.hostile, made.honest].every(({ told }) => told.some(({ type }) => type === 'linkUp')),
  )
  return made
}

/** Asserts that the honest number works: it sends, and its received messages are told and acknowledged. */
async function serves(t: ExecutionContext, { engine, session, told }: Side, name: string): Promise<void> {
  t.deepEqual(await session.sendText('5511988880001', 'hi', `msg_${name}`), {
    ok: true,
    value: { externalMessageId: 'sent' },
  })
  const seq = engine.emit({
    ev: 'message.received',
    externalMessageId: name,
    from: '5511988880001',
    fromName: null,
    to: '5511900000000',
    historical: false,
    timestamp: 1,
    content: { type: 'text', text: name },
  })
  const event = await until(`${name} is told`, () =>
    sequenced(told).find((one) => one.type === 'messageReceived' && one.externalMessageId === name),
  )
  session.settle(event.seq)
  await until(`${name} is acknowledged`, () => engine.acks.at(-1) === seq)
}

function message(seq: number): object {
  return {
    ev: 'message.received',
    seq,
    externalMessageId: `m${seq}`,
    from: '5511988880001',
    timestamp: 1,
    content: { type: 'text', text: 'x'.repeat(100) },
  }
}

const FLOOD = 20_000
/** Frames that may be read beyond the bound, because the socket had received them before. */
const AT_HAND = (64 * 1024) / 200

test('an engine that tells more than is stored waits; the number beside it is served, and nothing is lost', async (t) => {
  const { hostile, honest } = await sides(t, { maxFramesPerSecond: 1e9, maxBytesPerSecond: 1e12 })
  for (let seq = 1; seq <= FLOOD; seq += 1) hostile.engine.raw(message(seq))
  await until('it is held', () => sequenced(hostile.told).length >= 2_000)
  for (const name of ['first', 'second', 'third']) await serves(t, honest, name)
  const held = sequenced(hostile.told).length
  t.true(held <= 2_000 + AT_HAND, String(held))
  let settled = 0
  await until('all is told', () => {
    for (const { seq } of sequenced(hostile.told).slice(settled)) {
      hostile.session.settle(seq)
      settled += 1
    }
    return settled === FLOOD
  })
  t.deepEqual(
    sequenced(hostile.told).map((event) => event.type === 'messageReceived' && event.externalMessageId),
    Array.from({ length: FLOOD }, (_, at) => `m${at + 1}`),
  )
  await until('all is acknowledged', () => hostile.engine.acks.at(-1) === FLOOD)
})

const GARBAGE: readonly unknown[] = [
  'no JSON',
  '',
  '[]',
  'null',
  '7',
  '{"ev":',
  '{}',
  { ev: 7, seq: 1 },
  { ev: 'session.qr' },
  { ev: 'session.qr', seq: 'one', qr: 'x' },
  { re: 'r1' },
  { re: 'nobody', ok: true },
  { re: { deep: [] }, ok: 'perhaps' },
  { ev: 'hologram', seq: 3, depth: 3 },
  { ev: '__proto__', seq: 4 },
  { ev: 'session.state', seq: 5, state: 'MELTED' },
  { ev: 'session.qr', seq: 6, qr: 'x'.repeat(5_000), expiresInMs: 1 },
  { ev: 'message.received', seq: 7, externalMessageId: 'x'.repeat(5_000), from: '1' },
  { ev: 'message.received', seq: 8, externalMessageId: 'm', from: 'x'.repeat(5_000) },
  { ev: 'call.incoming', seq: 9, callId: 'x'.repeat(5_000), from: '1' },
  { ev: 'message.status', seq: 10, externalMessageId: ['m'], status: 'SENT' },
  { ev: 'session.credentials', seq: 11, credentials: null },
]

test('garbage frames cause no events, are logged once for each connection, and harm neither their own number nor the other', async (t) => {
  const { hostile, honest, warned } = await sides(t)
  for (let round = 0; round < 20; round += 1) for (const frame of GARBAGE) hostile.engine.raw(frame)
  await serves(t, honest, 'beside')
  hostile.engine.seq = 100
  await serves(t, hostile, 'itself')
  t.deepEqual(
    sequenced(hostile.told).map(({ type }) => type),
    ['messageReceived'],
  )
  t.true(warned.length <= 12, `${warned.length} warnings of ${20 * GARBAGE.length} frames`)
})

test('events with invalid or absurdly high sequence numbers are ignored', async (t) => {
  const { hostile, warned } = await sides(t)
  for (const seq of [Number.MAX_SAFE_INTEGER, 2 ** 50, -1, 1.5, '7', null])
    hostile.engine.raw({ ev: 'call.ringing', seq, callId: `c${String(seq)}` })
  await serves(t, hostile, 'after')
  t.deepEqual(
    sequenced(hostile.told).map(({ type }) => type),
    ['messageReceived'],
  )
  t.deepEqual(warned, ['engine sends what is no frame of the bridge'])
})

test('an engine that lies about its counting is told so in the log, and every event it tells is told once and settled alone', async (t) => {
  const { hostile, honest, warned } = await sides(t)
  const lies = [900, 5, 5_000_000, 5, 4, 900, 2 ** 49, 1]
  for (const [at, seq] of lies.entries()) hostile.engine.raw({ ...message(seq), externalMessageId: `lie${at}` })
  await until('all are told', () => sequenced(hostile.told).length === lies.length)
  const tickets = sequenced(hostile.told).map(({ seq }) => seq)
  t.is(new Set(tickets).size, lies.length)
  t.true(tickets.every((ticket) => Number.isSafeInteger(ticket)))
  for (const ticket of tickets) hostile.session.settle(ticket)
  await until('the last is acknowledged', () => hostile.engine.acks.at(-1) === 1)
  t.true(
    hostile.engine.acks.every((ack) => lies.includes(ack)),
    'no number is acknowledged that it did not give',
  )
  t.deepEqual(
    warned,
    ['engine does not count its events one by one', 'engine does not count its events one by one'],
    'a gap once, going back once',
  )
  await serves(t, honest, 'beside')
})

test('a flood beyond what may come in a second is read later, while the number beside it is served', async (t) => {
  const { hostile, honest } = await sides(t, { maxFramesPerSecond: 500 })
  for (let frame = 0; frame < 100_000; frame += 1) hostile.engine.raw('{"ev":"hologram","seq":1}')
  for (const name of ['first', 'second', 'third', 'fourth']) await serves(t, honest, name)
  t.is(sequenced(hostile.told).length, 0)
})
