import test from 'ava'
import { hastenCalling } from '../../../src/commands/official/hasten-calling.ts'
import { newId } from '../../../src/domain/ids.ts'

/** How often tries are woken, by how many of the account wait. */
async function wakes(waiting: () => Promise<number>): Promise<number> {
  let woken = 0
  await hastenCalling(
    {
      official: { hastenCalling: waiting },
      wakeTries: () => {
        woken++
      },
    },
    newId('ten'),
    '2000',
  )
  return woken
}

test('a risen tier has tries made at once, and only where something waits', async (t) => {
  t.is(await wakes(async () => 0), 0)
  t.is(await wakes(async () => 2), 1)
  await t.throwsAsync(
    wakes(() => Promise.reject(new Error('down'))),
    { message: 'down' },
  )
})
