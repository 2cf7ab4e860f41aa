import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { trim } from '../../tools/install/trim.ts'
import { isUnread } from '../../tools/install/trimmed.ts'
import { diskUse, productionTree } from './production-tree.ts'
import { Program } from '../helpers/service.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const RUNTIME = { platform: process.platform, arch: process.arch, modules: process.versions.modules }
/** CONTRACT's bound, in bytes. */
const LARGEST = 350 * 1_048_576

const dependenciesOf = (path: string): string[] =>
  Object.keys((JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as { dependencies: object }).dependencies)

test('of the binaries of uWebSockets.js that of this Node stays; maps and declarations go, licences and sources stay', (t) => {
  const runtime = { platform: 'linux', arch: 'x64', modules: '127' }
  const binaries = readdirSync(join(ROOT, 'node_modules/uWebSockets.js/dist/bin'))
  const kept = binaries.filter((name) => !isUnread(`node_modules/uWebSockets.js/dist/bin/${name}`, runtime))
  t.true(binaries.length > 8)
  t.deepEqual(kept, ['uws_linux_x64_127.node'])
  for (const path of ['a/b.js.map', 'a/b.mjs.map', 'a/b.d.ts', 'a/b.d.cts', 'a/b.d.mts.map', 'a/b.css.map'])
    t.true(isUnread(path, runtime), path)
  for (const path of [
    'a/LICENSE',
    'a/README.md',
    'a/map.js',
    'a/b.ts',
    'a/world.map',
    'a/other_darwin.node',
    'a/b.json',
  ])
    t.false(isUnread(path, runtime), path)
})

test('packages with those of development are not trimmed', (t) => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools/install/trim.ts')], { encoding: 'utf8' })
  t.is(status, 1)
  t.regex(stderr, /npm prune --omit=dev/)
  t.true(existsSync(join(ROOT, 'node_modules/typescript/package.json')))
})

test('[operation.packages.3] the packages of an installation take less than 350 MB, and the programs run on what is left', async (t) => {
  const tree = productionTree()
  const dataDir = mkdtempSync(join(tmpdir(), 'trimmed-'))
  t.teardown(() => {
    tree.remove()
    rmSync(dataDir, { recursive: true, force: true })
  })
  t.true(trim(tree.packages, RUNTIME).files > 1_000)
  const size = diskUse(tree.packages)
  t.true(size > 100 * 1_048_576 && size < LARGEST, `${size} bytes`)
  for (const [folder, names] of [
    ['.', dependenciesOf('package.json')],
    ['engines/media', dependenciesOf('engines/media/package.json')],
  ] as const) {
    const program = names.map((name) => `await import(${JSON.stringify(name)})`).join('\n')
    await t.notThrowsAsync(
      promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
        cwd: join(tree.folder, folder),
      }),
    )
  }
  const gateway = new Program(`${tree.folder.slice(ROOT.length)}/src/main.ts`, {
    PORT: '0',
    MEDIA_PORT: '0',
    MEDIA_CONTROL_PORT: '0',
    SANDBOX_PORT: '0',
    DATA_DIR: dataDir,
  })
  try {
    const { port } = await gateway.listening
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`)
    t.is(ready.status, 200, await ready.text())
  } finally {
    await gateway.kill('SIGTERM')
  }
})
