import { readFileSync } from 'node:fs'
import test from 'ava'
import { ID_PREFIXES, newId, newIdAt, timeOf } from '../../src/domain/ids.ts'
import type { IdPrefix } from '../../src/domain/ids.ts'

const PREFIXES = Object.entries(ID_PREFIXES) as [IdPrefix, string][]

// [rest.ids.2]
test('the contract lists every prefix that ids are made with, and what it names', (t) => {
  const contract = readFileSync(new URL('../../docs/contract/rest.md', import.meta.url), 'utf8')
  const [, rule = ''] = /\[rest\.ids\.2\] (.+?)\.\n/s.exec(contract) ?? []
  const listed = [...rule.replaceAll(/\s+/g, ' ').matchAll(/`(\w+)_` ([^,]+)/g)].map(([, prefix, names]) => [
    prefix,
    names,
  ])
  t.deepEqual(listed, PREFIXES)
})

// [rest.ids.1]
test('an id is its prefix and 26 characters of a lower-case ULID', (t) => {
  for (const [prefix] of PREFIXES) t.regex(newId(prefix), new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`))
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
  ])
    t.is(timeOf(id), null)
})
