import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { REGISTER_TTL_MS } from '../../src/ports/register.ts'
import { followRegister, LOOK_MS } from '../../src/register/follow-register.ts'
import { LocalRegister } from '../../src/register/local.ts'
import { MEDIA_HOSTS } from '../../src/register/media-hosts.ts'
import { mediaHostEntry } from '../contracts/register.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'

test('the register is read each second; unread it changes nothing, and after that misses nobody for as long as entries last', async (t) => {
  const clock = new FakeClock()
  const register = new LocalRegister(MEDIA_HOSTS, clock)
  await register.put(mediaHostEntry())
  const seen: [number, boolean][] = []
  const warned: string[] = []
  let isAway = false
  const stop = followRegister({
    kind: MEDIA_HOSTS,
    register: {
      list: () => (isAway ? Promise.reject(new Error('away')) : register.list()),
    },
    use: (entries, isWhole) => void seen.push([entries.length, isWhole]),
    remedy: 'set MEDIA_HOSTS=child',
    clock,
    log: { ...silentLog, warn: (_fields, message) => void warned.push(message ?? '') },
  })
  const look = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) {
      await setImmediate()
      clock.advance(LOOK_MS)
    }
    await setImmediate()
  }
  await look(REGISTER_TTL_MS / LOOK_MS + 1)
  t.deepEqual(seen.at(0), [1, false])
  t.deepEqual(seen.at(-1), [0, true], 'it ran out')
  t.is(warned.filter((message) => message.includes('MEDIA_HOSTS=child')).length, 1)
  const before = seen.length
  isAway = true
  await look(3)
  t.is(seen.length, before)
  isAway = false
  await look(1)
  t.deepEqual(seen.at(-1), [0, false])
  await look(REGISTER_TTL_MS / LOOK_MS)
  t.deepEqual(seen.at(-1), [0, true])
  stop()
  const atStop = seen.length
  await look(3)
  t.is(seen.length, atStop)
})
