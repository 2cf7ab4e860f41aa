import test from 'ava'
import { until, within } from '../helpers/until.ts'

test('what settles is answered, and its fault is its own', async (t) => {
  t.is(await within('a value is there', 'at once'), 'at once')
  t.is(await within('it settles', Promise.resolve(7)), 7)
  await t.throwsAsync(within('it settles', Promise.reject(new Error('its own'))), { message: 'its own' })
  t.is(await until('a look says so', async () => 7), 7)
})

test('what never settles is told by its name', async (t) => {
  await t.throwsAsync(within('the gateway ends', new Promise(() => {}), 1), {
    message: 'gave up waiting until the gateway ends',
  })
})
