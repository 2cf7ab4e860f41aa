import test from 'ava'
import { until, within } from '../helpers/until.ts'

test('a promise that settles in time keeps its result or error', async (t) => {
  t.is(await within('a value is there', 'at once'), 'at once')
  t.is(await within('it settles', Promise.resolve(7)), 7)
  await t.throwsAsync(within('it settles', Promise.reject(new Error('its own'))), { message: 'its own' })
  t.is(await until('a look says so', async () => 7), 7)
})

test('a promise that never settles fails with its name', async (t) => {
  await t.throwsAsync(within('the gateway ends', new Promise(() => {}), 1), {
    message: 'gave up waiting until the gateway ends',
  })
})
