import { readFileSync } from 'node:fs'
import test from 'ava'
import { ID_PREFIXES } from '../../src/domain/ids.ts'

// [rest.ids.2]
test('the contract lists every prefix that ids are made with, and what it names', (t) => {
  const contract = readFileSync(new URL('../../docs/contract/rest.md', import.meta.url), 'utf8')
  const [, rule = ''] = /\[rest\.ids\.2\] (.+?)\.\n/s.exec(contract) ?? []
  const listed = [...rule.replaceAll(/\s+/g, ' ').matchAll(/`(\w+)_` ([^,]+)/g)].map(([, prefix, names]) => [
    prefix,
    names,
  ])
  t.deepEqual(listed, Object.entries(ID_PREFIXES))
})
