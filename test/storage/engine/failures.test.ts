import test from 'ava'
import { StoreAway } from '../../../src/domain/store-away.ts'
import { awayKindOf, isConnectionSpent } from '../../../src/storage/engine/failures.ts'

function withCode(code: string, message: string = 'what the driver says'): Error {
  return Object.assign(new Error(message), { code })
}

const CODES = {
  gone: [
    '08000',
    '08006',
    '08P01',
    '57P01',
    '57P02',
    '57P03',
    '57P05',
    '25006',
    '25P03',
    '25P04',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ENOENT',
    'EHOSTUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
  ],
  late: ['ETIMEDOUT'],
  slow: ['57014'],
  crowded: ['53000', '53200', '53300', '53400'],
  full: ['53100', 'ENOSPC', 'EDQUOT'],
} as const

for (const [kind, codes] of Object.entries(CODES)) {
  test(`a database that says ${codes.join(', ')} is away: ${kind}`, (t) => {
    for (const code of codes) t.is(awayKindOf(withCode(code)), kind as keyof typeof CODES, code)
  })
}

test('driver errors without a code are recognised by their text', (t) => {
  const texts = {
    gone: [
      'Connection terminated',
      'Connection terminated unexpectedly',
      'Client has encountered a connection error and is not queryable',
      'the embedded database has stopped',
      'PGlite is closed',
    ],
    late: ['Connection terminated due to connection timeout', 'timeout expired', 'Query read timeout'],
    crowded: ['timeout exceeded when trying to connect'],
  }
  for (const [kind, all] of Object.entries(texts))
    for (const text of all) t.is(awayKindOf(new Error(text)), kind as 'gone', text)
})

test('every other error is no outage: of a statement, of a value, of ours', (t) => {
  for (const code of ['23505', '40P01', '42601', '22P02', '42P01', '57000', '0A000', 'EACCES', ''])
    t.is(awayKindOf(withCode(code)), null, code)
  t.is(awayKindOf(withCode('22P02', 'Connection terminated')), null, 'its text may quote a value')
  t.is(awayKindOf(new TypeError('x is not a function')), null)
  t.is(awayKindOf('Connection terminated'), null)
  t.is(awayKindOf(null), null)
})

test('the reason is found inside wrapped errors', (t) => {
  t.is(awayKindOf(new AggregateError([withCode('EADDRNOTAVAIL'), withCode('ECONNREFUSED')])), 'gone')
  t.is(awayKindOf(new Error('failed', { cause: withCode('53100') })), 'full')
  t.is(awayKindOf(new StoreAway('slow')), 'slow')
})

test('a connection is given up when it broke, not when its disk is full or a statement was slow', (t) => {
  t.deepEqual((['gone', 'late', 'slow', 'crowded', 'full'] as const).filter(isConnectionSpent), ['gone', 'late'])
})
