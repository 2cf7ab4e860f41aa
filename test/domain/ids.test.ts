import { readFileSync } from 'node:fs'
import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import type { IdPrefix } from '../../src/domain/ids.ts'

const SHOWN: readonly IdPrefix[] = [
  'ten',
  'num',
  'key',
  'call',
  'msg',
  'conv',
  'tpl',
  'flow',
  'lead',
  'wh',
  'log',
  'evt',
  'rp',
  'emb',
  'fres',
  'usr',
  'grt',
]

// [rest.ids.2]
test('the prefixes that the contract names are prefixes of ids', (t) => {
  const contract = readFileSync(new URL('../../docs/contract/rest.md', import.meta.url), 'utf8')
  const [, named = ''] = /\[rest\.ids\.2\] Prefixes are `([^`]+)`/.exec(contract) ?? []
  t.deepEqual(
    named.split(' '),
    SHOWN.map((prefix) => `${prefix}_`),
  )
  for (const prefix of SHOWN) t.regex(newId(prefix), new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`))
})
