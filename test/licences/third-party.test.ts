import { existsSync, readFileSync } from 'node:fs'
import test from 'ava'
import { installing, packagesAt, packagesOf } from './lockfile.ts'
import { ALLOWED_OF_EXAMPLES, ALLOWED_OF_LIVEKIT, ALLOWED_OF_MEDIA, refused, thirdParty } from './third-party.ts'
import type { Lockfile } from './lockfile.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const LOCKFILE = JSON.parse(read('package-lock.json')) as Lockfile
const LIVEKIT = JSON.parse(read('examples/livekit/package-lock.json')) as Lockfile
const { product, media, development } = packagesOf(LOCKFILE)

test('the lists of packages are what npm run licences writes of the lockfile', (t) => {
  t.true(product.length > 150 && development.length > 150)
  for (const [path, text] of Object.entries(thirdParty(LOCKFILE, LIVEKIT)))
    t.is(read(path), text, `${path}: run npm run licences`)
})

test('every package has a licence that is on the list, with no exception for the product', (t) => {
  t.deepEqual(refused([...product, ...development]), [])
  t.deepEqual(refused(media, ALLOWED_OF_MEDIA), [])
})

test('only the program that decodes and converts media has packages under the GPL or LGPL, and its own package says so', (t) => {
  t.true(refused(media).some(({ name }) => name === '@seydx/node-av-linux-x64'))
  const names = new Set(product.map(({ name }) => name))
  t.deepEqual(
    refused(media).filter(({ name }) => names.has(name)),
    [],
  )
  t.false(names.has('node-av') || names.has('sharp'))
  t.is((JSON.parse(read('engines/media/package.json')) as { license: string }).license, 'GPL-3.0-or-later')
  t.regex(read('engines/media/LICENSE'), /GNU GENERAL PUBLIC LICENSE\s+Version 3/)
  t.true(existsSync(new URL('../../engines/media/README.md', import.meta.url)))
})

test('what binaries of the LiveKit example hold beyond what they declare is named', (t) => {
  const packages = packagesAt(LIVEKIT, Object.keys(LIVEKIT.packages))
  const licenceOf = (one: string) => packages.find(({ name }) => name === one)?.licence
  t.true(licenceOf('@livekit/rtc-ffi-bindings-linux-x64-gnu')?.includes('LGPL-2.1-or-later'))
  t.true(licenceOf('@livekit/local-inference-linux-x64-gnu')?.includes('LicenseRef-LiveKit-Model'))
  t.is(licenceOf('@img/sharp-libvips-linux-x64'), 'LGPL-3.0-or-later')
})

test('a package belongs to every program that reaches it, from where Node finds it', (t) => {
  const packages = {
    '': { dependencies: { a: '1' } },
    'engines/media': { dependencies: { b: '1' }, optionalDependencies: { 'not-here': '1' } },
    'node_modules/media': { link: true, resolved: 'engines/media' },
    'node_modules/a': { version: '1', license: 'MIT', dependencies: { shared: '1' } },
    'node_modules/b': { version: '1', license: 'MIT', dependencies: { shared: '2' } },
    'node_modules/b/node_modules/shared': { version: '2', license: 'GPL-3.0-or-later' },
    'node_modules/shared': { version: '1', license: 'MIT' },
    'node_modules/tool': { version: '1', license: 'MIT' },
  }
  const found = packagesOf({ packages })
  t.deepEqual(
    Object.values(found).map((list) => list.map(({ name, version }) => `${name} ${version}`)),
    [['a 1', 'shared 1'], ['b 1', 'shared 2'], ['tool 1']],
  )
  t.deepEqual(refused(found.product), [])
  t.deepEqual(
    refused(found.media).map(({ name }) => name),
    ['shared'],
  )
})

test('a licence that is not on the list is refused, in a part of a compound one and where none is named too', (t) => {
  const packages = {
    'node_modules/a': { version: '1', license: 'GPL-3.0' },
    'node_modules/b': { version: '1', license: '(MIT OR SSPL-1.0)' },
    'node_modules/c': { version: '1' },
    'node_modules/d': { version: '1', license: '(MIT AND Zlib)' },
  }
  t.deepEqual(
    refused(packagesAt({ packages }, Object.keys(packages))).map(({ name }) => name),
    ['a', 'b', 'c'],
  )
})

test('npm ci runs only the install script of the package that brings Node, so no other package downloads anything', (t) => {
  t.deepEqual(installing(LOCKFILE), ['node'])
  // npm 11.16 and later runs only the install scripts that are allowed here.
  t.deepEqual((JSON.parse(read('package.json')) as { allowScripts: unknown }).allowScripts, {
    node: true,
    'node-av': false,
  })
})

/** The packages that a package.json names. */
interface Wanted {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

test('packages of the examples have licences that are on the list and exact versions, and their lockfiles follow', (t) => {
  for (const name of ['openai', 'pipeline', 'vonage', 'ivr', 'browser', 'langchain', 'livekit', 'nextjs']) {
    const lockfile = JSON.parse(read(`examples/${name}/package-lock.json`)) as Lockfile
    const allowed = name === 'livekit' ? ALLOWED_OF_LIVEKIT : ALLOWED_OF_EXAMPLES
    t.deepEqual(refused(packagesAt(lockfile, Object.keys(lockfile.packages)), allowed), [], name)
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read(`examples/${name}/package.json`)) as Wanted
    t.deepEqual(lockfile.packages['']?.dependencies ?? {}, dependencies, name)
    t.deepEqual(lockfile.packages['']?.devDependencies ?? {}, devDependencies, name)
    t.true(
      Object.values({ ...dependencies, ...devDependencies }).every((version) => /^\d+\.\d+\.\d+$/.test(version)),
      name,
    )
  }
  t.regex(read('examples/python/requirements.txt'), /^websockets==\d+\.\d+\.\d+\n$/)
})
