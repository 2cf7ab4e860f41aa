import { readFileSync } from 'node:fs'
import test from 'ava'
import { ID_PREFIXES, newId } from '../../src/domain/ids.ts'
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
