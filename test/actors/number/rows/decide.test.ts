import test from 'ava'
import { NumberTable } from '../table.ts'

test('what follows a change of the row waits until it is stored', (t) => {
  const table = new NumberTable('UNOFFICIAL', { sessionHealth: 'GOOD' as never, engine: 'e1' as never })
  table.connect()
  t.deepEqual(
    table.hear({ type: 'credentials', seq: 7, credentials: 'new' }).map(({ type }) => type),
    ['save'],
  )
  const attempts = table.all('save').map(({ attempt }) => attempt)
  t.deepEqual(
    attempts,
    attempts.toSorted((a, b) => a - b),
    'each has a number of its own',
  )
  t.like(table.last('save'), { patch: { credentials: 'new' }, seq: 7, announce: null })
  t.deepEqual(
    table.say({ type: 'Saved', attempt: table.last('save').attempt - 1, outcome: 'fenced' }),
    [],
    'an older one',
  )
  t.is(table.ready.credentials, 'secret')
  t.deepEqual(table.saved(), [{ type: 'settle', seq: 7 }])
  t.like(table.ready, { credentials: 'new', write: null, number: { sessionHealth: 'GOOD', engine: 'e1' } })
  t.deepEqual(table.saved('failed'), [], 'it is not awaited any more')
})

test('a number whose row belongs to another node stops, and its calls go on there', (t) => {
  const table = new NumberTable('UNOFFICIAL')
  t.deepEqual(table.saved('fenced'), [
    { type: 'endCalls', how: 'fence' },
    { type: 'stop', why: 'fenced' },
  ])
})

test('a number whose row cannot be written stops, and its calls end', (t) => {
  const table = new NumberTable('UNOFFICIAL')
  t.deepEqual(table.saved('failed'), [
    { type: 'endCalls', how: 'INTERNAL_ERROR' },
    { type: 'stop', why: 'crashed' },
  ])
})
