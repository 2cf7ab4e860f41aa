import test from 'ava'
import { BodyRooms } from '../../../src/http/request/body-rooms.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'

const LIMITS = { mostBytes: 100, mostBytesPerCaller: 50, mostWaiting: 6, mostWaitingPerCaller: 4, waitMs: 20_000 }

function rig(limits: Partial<typeof LIMITS> = {}) {
  const clock = new FakeClock()
  const rooms = new BodyRooms({ ...LIMITS, ...limits }, clock)
  const log: string[] = []
  const leaves = new Map<string, () => void>()
  const enter = (name: string, bytes: number, signal: AbortSignal = new AbortController().signal) =>
    rooms.enter(name.charAt(0), bytes, signal).then((leave) => {
      log.push(leave ? name : `no ${name}`)
      if (leave) leaves.set(name, leave)
    })
  const leave = async (name: string) => {
    await settled()
    leaves.get(name)?.()
    await settled()
  }
  return { clock, rooms, log, enter: (...given: Parameters<typeof enter>) => void enter(...given), leave }
}

async function settled(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve()
}

// [rest.bounds.2]
test('a caller at its limit waits, others go in', async (t) => {
  const { enter, leave, log } = rig()
  for (const name of ['a1', 'a2', 'a3', 'b1']) enter(name, 25)
  await settled()
  t.deepEqual(log, ['a1', 'a2', 'b1'])
  await leave('a1')
  t.deepEqual(log, ['a1', 'a2', 'b1', 'a3'])
})

test('callers get their turns one after another, however much one of them asks for', async (t) => {
  const { enter, leave, log } = rig({ mostBytes: 25 })
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) enter(name, 25)
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await leave(name)
  t.deepEqual(log, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

test('small bodies do not keep a large one out whose turn it is', async (t) => {
  const { enter, leave, log } = rig({ mostBytes: 50 })
  enter('a1', 40)
  enter('b1', 50)
  enter('c1', 5)
  await settled()
  t.deepEqual(log, ['a1'])
  await leave('a1')
  t.deepEqual(log, ['a1', 'b1'])
  await leave('b1')
  t.deepEqual(log, ['a1', 'b1', 'c1'])
})

// [rest.bounds.2]
test('a body that waited 20 s is refused, and those behind it go on', async (t) => {
  const { enter, log, clock, leave } = rig({ mostBytes: 50 })
  enter('a1', 30)
  enter('b1', 50)
  await settled()
  clock.advance(10_000)
  enter('c1', 20)
  clock.advance(10_000)
  await settled()
  t.deepEqual(log, ['a1', 'no b1', 'c1'])
  await leave('a1')
  clock.advance(60_000)
  t.deepEqual(log, ['a1', 'no b1', 'c1'])
})

// [rest.bounds.2]
test('more than may wait are refused at once, per caller and in all', async (t) => {
  const { enter, log } = rig({ mostBytes: 25 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'b3']) enter(name, 25)
  await settled()
  t.deepEqual(log, ['a1', 'no a6', 'no b3'])
})

test('a client that left stops waiting, and its room is freed once, however often it is released', async (t) => {
  const { enter, leave, log, rooms } = rig({ mostBytes: 25 })
  const gone = new AbortController()
  enter('a1', 25)
  enter('b1', 25, gone.signal)
  enter('c1', 25)
  gone.abort()
  await leave('a1')
  await leave('a1')
  t.deepEqual(log, ['a1', 'no b1', 'c1'])
  t.is(rooms.bytes, 25)
  await leave('c1')
  t.is(rooms.bytes, 0)
})
