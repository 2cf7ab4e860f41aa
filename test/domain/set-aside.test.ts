import test from 'ava'
import { failureCode, isOwnFault } from '../../src/domain/set-aside.ts'
import { StoreAway } from '../../src/domain/store-away.ts'

function ofDatabase(code: string): Error {
  return Object.assign(new Error('a text that may quote a value'), { code })
}

test('an error about the values is a fault of the item, an error of the database is not', (t) => {
  for (const code of ['22P02', '22003', '23514', '23502', '54000', '21000']) t.true(isOwnFault(ofDatabase(code)), code)
  for (const code of ['42703', '42P01', '40P01', '40001', '55P03', 'XX000', '58030', '0A000'])
    t.false(isOwnFault(ofDatabase(code)), code)
  t.false(isOwnFault(new StoreAway('gone')))
  for (const error of [
    new RangeError('x'),
    new TypeError('x'),
    Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG' }),
    'a text',
  ])
    t.true(isOwnFault(error))
})

test('only codes of five characters are of the database', (t) => {
  for (const code of ['4270', '427033', '42a03', 'x42703', '42703x', 'ECONNRESET'])
    t.true(isOwnFault(ofDatabase(code)), code)
  t.true(isOwnFault({ code: '42703' }), 'what is no error has no code')
  t.true(isOwnFault(null))
})

test('a reason is a code or the name of an error, never what it says', (t) => {
  t.is(failureCode(ofDatabase('23514')), '23514')
  t.is(failureCode(new RangeError('secret')), 'RangeError')
  t.is(failureCode(new Error('wrapped', { cause: ofDatabase('22003') })), '22003')
  t.is(failureCode('secret'), 'unknown')
  for (const odd of ['2351', 'a secret', 'SECRET 1', 'x'.repeat(65), 'X'.repeat(65), ' ECONNRESET', 'ECONNRESET ', ''])
    t.is(failureCode(ofDatabase(odd)), 'Error', odd)
  for (const told of ['ERR_INVALID_ARG', 'E', 'X'.repeat(64)]) t.is(failureCode(ofDatabase(told)), told)
  t.is(failureCode(Object.assign(new Error('x'), { code: 5 })), 'Error')
  t.is(failureCode(new Error('wrapped', { cause: 'secret' })), 'Error')
  const circle = new Error('wrapped')
  circle.cause = circle
  t.is(failureCode(circle), 'Error')
  t.is(failureCode(Object.assign(new Error('x'), { name: 'n'.repeat(70) })), 'n'.repeat(64))
})
