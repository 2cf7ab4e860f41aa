import { readFileSync } from 'node:fs'
import test from 'ava'
import { installing, packagesOf, refused, thirdParty } from './third-party.ts'
import type { Lockfile } from './third-party.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const LOCKFILE = JSON.parse(read('package-lock.json')) as Lockfile

test('THIRD_PARTY.md is what npm run licences writes of the lockfile', (t) => {
  t.true(packagesOf(LOCKFILE).length > 300)
  t.is(read('THIRD_PARTY.md'), thirdParty(LOCKFILE), 'run npm run licences')
})

test('every package has a licence that is on the list', (t) => {
  t.deepEqual(refused(packagesOf(LOCKFILE)), [])
})

test('a licence that is not on the list is refused, in a part of a compound one and where none is named too', (t) => {
  const packages = { 'node_modules/a': { version: '1', license: 'GPL-3.0' }, 'node_modules/b': { version: '1', license: '(MIT OR SSPL-1.0)' }, 'node_modules/c': { version: '1' }, 'node_modules/d': { version: '1', license: '(MIT AND Zlib)' } }
  t.deepEqual(refused(packagesOf({ packages })).map(({ name }) => name), ['a', 'b', 'c'])
})

test('npm ci runs the program of no package but the one that brings Node: what others download never comes', (t) => {
  t.deepEqual(installing(LOCKFILE), ['node'])
})
