import test from 'ava'
import {
  ID_PREFIXES,
  isFlowId,
  isMessageId,
  newId,
  newIdAt,
  newSecretId,
  newSecretName,
  timeOf,
} from '../../src/domain/ids.ts'
import type { IdPrefix } from '../../src/domain/ids.ts'

const PREFIXES = Object.keys(ID_PREFIXES) as IdPrefix[]

// [rest.ids.1]
test('an id is its prefix and 26 characters of a lower-case ULID', (t) => {
  for (const prefix of PREFIXES) t.regex(newId(prefix), new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`))
})

test('an id tells the time that it was made at, and one of a given time tells that', (t) => {
  const before = Date.now()
  const told = timeOf(newId('log')) ?? 0
  t.true(told >= before && told <= Date.now())
  for (const ms of [0, 1, 1_795_000_000_123, 2 ** 48 - 1]) {
    t.is(timeOf(newIdAt('log', ms)), ms)
    t.regex(newIdAt('log', ms), /^log_[0-9a-hjkmnp-tv-z]{26}$/)
  }
  const ofOneTime = Array.from({ length: 100 }, () => newIdAt('log', 1))
  t.deepEqual([...new Set(ofOneTime)].toSorted(), ofOneTime, 'they rise')
  for (const id of [
    '',
    'log_',
    'log_1',
    `${newId('log')}0`,
    `x${newId('log').slice(4)}`,
    'log_0000000000000000000000000u',
    `log_${'0'.repeat(9)}u${'0'.repeat(16)}`,
    `Log_${'0'.repeat(26)}`,
    ` ${newId('log')}`,
    `${newId('log')}\n`,
    `_${'0'.repeat(26)}`,
  ])
    t.is(timeOf(id), null)
})

test('ids of a time rise when their random parts run over', (t) => {
  const ids = Array.from({ length: 40_000 }, () => newId('log'))
  t.deepEqual(ids.toSorted(), ids)
  t.is(new Set(ids).size, ids.length)
})

// [rest.ids.3]
test('an id that authenticates is 26 characters of chance', (t) => {
  const secrets = Array.from({ length: 500 }, () => newSecretId('key'))
  for (const secret of secrets) t.regex(secret, /^key_[0-9a-hjkmnp-tv-z]{26}$/)
  t.is(new Set(secrets.map((secret) => secret.slice(4, 14))).size, 500)
  t.regex(newSecretName(), /^[0-9a-hjkmnp-tv-z]{26}$/)
  const drawn = new Set(secrets.join('').replaceAll('key_', ''))
  t.is(drawn.size, 32, 'each digit is drawn')
})

test('ids of messages and Flows are told from other texts by their form', (t) => {
  t.true(isMessageId(newId('msg')))
  t.true(isFlowId(newId('flow')))
  for (const [is, id] of [
    [isMessageId, newId('msg')],
    [isFlowId, newId('flow')],
  ] as const)
    for (const odd of [
      '',
      id.slice(1),
      `${id}0`,
      id.slice(0, -1),
      ` ${id}`,
      `${id}\n`,
      id.toUpperCase(),
      `x${id}`,
      newId('log'),
    ])
      t.false(is(odd), odd)
})
