import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { registerHost } from '../../media-host/registering.ts'
import { LocalRegister } from '../../src/register/local.ts'
import { MEDIA_HOSTS } from '../../src/register/media-hosts.ts'
import { REGISTER_EVERY_MS, REGISTER_TTL_MS } from '../../src/ports/register.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'

function world() {
  const clock = new FakeClock()
  const register = new LocalRegister(MEDIA_HOSTS, clock)
  const state = { calls: 0, draining: false, cpuMs: 0, isAway: false }
  const warned: string[] = []
  const entry = registerHost({
    register: {
      put: (told) => (state.isAway ? Promise.reject(new Error('away')) : register.put(told)),
      remove: (hostId) => register.remove(hostId),
      list: () => register.list(),
      close: () => register.close(),
    },
    host: {
      hostId: 'host-a',
      publicUrl: 'ws://media.example:3001',
      load: () => ({ calls: state.calls, tickLateP99Ms: 2, draining: state.draining }),
    },
    controlUrl: 'ws://10.0.0.1:3011/control',
    cpuMs: () => state.cpuMs,
    clock,
    log: { ...silentLog, warn: (_fields, message) => void warned.push(message ?? '') },
  })
  return { clock, register, state, entry, warned }
}

// [media-hosts.register.1]
test('a host is registered at once, and every 2 s anew with what it carries then', async (t) => {
  const { clock, register, state } = world()
  await setImmediate()
  t.like((await register.list())[0], {
    hostId: 'host-a',
    controlUrl: 'ws://10.0.0.1:3011/control',
    publicUrl: 'ws://media.example:3001',
    calls: 0,
    tickLateP99Ms: 2,
    cpu: 0,
    draining: false,
  })
  Object.assign(state, { calls: 3, cpuMs: 500 })
  clock.advance(REGISTER_EVERY_MS)
  await setImmediate()
  t.like((await register.list())[0], { calls: 3, cpu: 0.25 })
  for (let i = 0; i < 10; i++) {
    clock.advance(REGISTER_EVERY_MS)
    await setImmediate()
  }
  t.is((await register.list()).length, 1)
})

test('a host that drains says so in the register at once', async (t) => {
  const { register, state, entry } = world()
  state.draining = true
  await entry.tell()
  t.true((await register.list())[0]?.draining)
})

test('a host that withdraws is removed from the register for good', async (t) => {
  const { clock, register, entry } = world()
  await entry.withdraw()
  await entry.tell()
  clock.advance(REGISTER_EVERY_MS)
  await setImmediate()
  t.deepEqual(await register.list(), [])
})

test('a register that is away is said once and tried again', async (t) => {
  const { clock, register, state, warned } = world()
  await setImmediate()
  state.isAway = true
  for (let i = 0; i < 4; i++) {
    clock.advance(REGISTER_EVERY_MS)
    await setImmediate()
  }
  t.is(warned.length, 1)
  t.true(4 * REGISTER_EVERY_MS > REGISTER_TTL_MS)
  t.deepEqual(await register.list(), [])
  state.isAway = false
  clock.advance(REGISTER_EVERY_MS)
  await setImmediate()
  t.is((await register.list()).length, 1)
})
