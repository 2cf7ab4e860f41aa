import test from 'ava'
import { hastenCalling } from '../../../src/commands/official/hasten-calling.ts'
import { openOfficialRig } from './official-rig.ts'

/** How often pending tries are woken, when `waiting` says how many numbers of the account wait. */
async function wakes(waiting: () => Promise<number>): Promise<number> {
  const { world, store, ports } = openOfficialRig()
  store.hastenCalling = waiting
  let woken = 0
  const wakeTries = () => {
    woken++
  }
  await hastenCalling({ ...ports, wakeTries }, world.tenantId, '2000')
  return woken
}

// [official.calling.1]
test('a higher tier makes the waiting tries due at once, and wakes nobody when none waits', async (t) => {
  t.is(await wakes(async () => 0), 0)
  t.is(await wakes(async () => 2), 1)
  await t.throwsAsync(
    wakes(() => Promise.reject(new Error('down'))),
    { message: 'down' },
  )
})
