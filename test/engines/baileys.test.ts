import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ENGINE = join(ROOT, 'engines/baileys')
const README = readFileSync(join(ENGINE, 'README.md'), 'utf8')

// [engines.baileys.2]
test('the README of the engine says first that libsignal, which it loads, is GPL-3.0', (t) => {
  const [, first = ''] = README.split('\n\n')
  t.regex(first, /`libsignal`, which is GPL-3\.0/)
  const { packages } = JSON.parse(readFileSync(join(ENGINE, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { license?: string }>
  }
  t.is(packages['node_modules/libsignal']?.license, 'GPL-3.0')
})

// [engines.baileys-duties.10]
test('the README of the engine names for each part the tests that show it offline, and what only a phone can prove', (t) => {
  const [, table = ''] = README.split('| part | shown offline | only a phone can prove |\n')
  const rows = (table.split('\n\n')[0] ?? '').split('\n').slice(1)
  t.true(rows.length > 10)
  for (const row of rows) {
    const [part = '', offline = '', phone = ''] = row
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    t.true(part !== '' && phone !== '', row)
    const tests = [...offline.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    t.true(tests.length > 0, row)
    for (const name of tests)
      t.true(existsSync(join(ENGINE, 'test', name.endsWith('/*') ? name.slice(0, -1) : `${name}.test.ts`)), name)
  }
})

/** A stand-in for npm. It records its arguments and installs an empty package. */
const NPM = `#!/usr/bin/env node
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs')
const [, , command, flag, folder] = process.argv
appendFileSync(process.env.CALLS, command + ' ' + flag + '\\n')
mkdirSync(folder + '/node_modules/pg', { recursive: true })
writeFileSync(folder + '/node_modules/pg/package.json', '{}')
`

// [engines.baileys.3]
test('npm run engine installs the engine by its lockfile when it is missing, once, and starts it with what it is given', async (t) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { engine: string } }
  t.is(scripts.engine, 'node engines/run.ts')
  const { path, remove } = await temporaryDirectory()
  t.teardown(remove)
  const engine = join(path, 'engines/baileys')
  mkdirSync(join(path, 'bin'))
  mkdirSync(engine, { recursive: true })
  writeFileSync(join(path, 'package.json'), '{"type":"module"}')
  writeFileSync(join(path, 'bin/npm'), NPM, { mode: 0o755 })
  writeFileSync(join(path, 'bin/package.json'), '{"type":"commonjs"}')
  for (const file of ['engines/install.ts', 'engines/run.ts', 'tools/install/packages.ts'])
    cpSync(join(ROOT, file), join(path, file))
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(ENGINE, file), join(engine, file))
  writeFileSync(join(engine, 'main.ts'), 'console.log(`started ${process.argv[2]}`)')
  const env = {
    PATH: `${join(path, 'bin')}:${dirname(process.execPath)}:${process.env['PATH']}`,
    CALLS: join(path, 'calls'),
  }
  for (const part of ['doctor', 'again']) {
    const { stdout } = await promisify(execFile)(process.execPath, [join(path, 'engines/run.ts'), part], { env })
    t.is(stdout, `started ${part}\n`)
  }
  t.is(readFileSync(env.CALLS, 'utf8'), 'ci --prefix\n')
  t.deepEqual(readdirSync(engine).toSorted(), ['main.ts', 'node_modules', 'package-lock.json', 'package.json'])
})
