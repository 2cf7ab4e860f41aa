import { execFile } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { packageFileName } from '../../src/domain/web-build.ts'
import type { WebBuild } from '../../src/domain/web-build.ts'
import { readBuiltAssets } from '../../src/http/pages/built-assets.ts'
import { currentBuild, dropOldBuilds } from '../../web/build/builds.ts'
import { packPackage } from '../../web/build/tarball.ts'
import { builtPages } from '../helpers/pages.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

async function folderOf(t: ExecutionContext): Promise<string> {
  const { path, remove } = await temporaryDirectory()
  t.teardown(remove)
  return path
}

/** A copy of everything that a build needs, with the packages of this tree but without a build. */
async function copiedSources(t: ExecutionContext): Promise<string> {
  const root = await folderOf(t)
  for (const path of ['web', 'src/domain', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    cpSync(join(ROOT, path), join(root, path), { recursive: true, filter: (from) => !/[\\/]dist$/.test(from) })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return root
}

function build(root: string, ...more: string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return run(process.execPath, ['web/build.ts', ...more], { cwd: root })
}

function buildsIn(root: string): string[] {
  return readdirSync(join(root, 'web/dist')).toSorted()
}

test('two builds at once leave one whole build; the same again loads nothing; a change makes another', async (t) => {
  const root = await copiedSources(t)
  const both = await Promise.all([build(root), build(root)])
  t.regex(both.map(({ stdout }) => stdout).join(''), /^(?:Pages built in \d+\.\d s\n){1,2}$/)
  const first = currentBuild(join(root, 'web/dist')) ?? ''
  t.deepEqual(buildsIn(root), [first, 'current.json'].toSorted())
  const list: WebBuild = JSON.parse(readFileSync(join(root, 'web/dist', first, 'assets.json'), 'utf8'))
  for (const [path, { gzipBytes }] of Object.entries(list.files))
    t.is(existsSync(join(root, 'web/dist', first, `${path}.br`)), gzipBytes !== null, path)

  // Without packages a build would fail, so this shows that none is made.
  renameSync(join(root, 'node_modules'), join(root, 'kept'))
  t.deepEqual(await build(root), { stdout: '', stderr: '' })
  appendFileSync(join(root, 'web/connect/main.tsx'), '\nconsole.log("another")\n')
  const failed = await t.throwsAsync<Error & { code: number; stderr: string }>(build(root))
  t.is(failed.code, 1)
  t.regex(failed.stderr, /npm run web/)
  t.regex((await build(root, '--if-possible')).stderr, /the API works without them/)
  t.is(currentBuild(join(root, 'web/dist')), first)

  renameSync(join(root, 'kept'), join(root, 'node_modules'))
  await build(root)
  const second = currentBuild(join(root, 'web/dist')) ?? ''
  t.not(second, first)
  t.deepEqual(buildsIn(root), [first, second, 'current.json'].toSorted())
  const assets = await readBuiltAssets(join(root, 'web/dist'))
  t.true(
    [...(assets?.files.values() ?? [])].some(({ bytes }) => bytes.includes('"another"') || bytes.includes('`another`')),
  )
})

// [sdk.files.6]
test('npm packs what the build serves, and installs it in an empty project without a network', async (t) => {
  const [root, served, { files, sdkVersion }] = [await copiedSources(t), await folderOf(t), await builtPages()]
  const name = packageFileName(sdkVersion)
  writeFileSync(join(served, 'served.tgz'), files.get(`embed/${name}`)?.bytes ?? '')
  const npm = (cwd: string, ...args: string[]) =>
    run('npm', [...args, '--offline', '--no-audit', '--no-fund', '--cache', join(served, 'cache')], { cwd })
  const packed = await npm(join(root, 'web/sdk'), 'pack', '--pack-destination', served)
  t.is(packed.stdout.trim().split('\n').at(-1), name)

  const installed = async (archive: string): Promise<string[]> => {
    const project = await folderOf(t)
    writeFileSync(join(project, 'package.json'), '{"private":true}')
    await npm(project, 'install', archive)
    const home = join(project, 'node_modules/@channel-messaging/embed')
    return globSync('**/*.*', { cwd: home })
      .toSorted()
      .map((path) => `${path} ${readFileSync(join(home, path), 'utf8')}`)
  }
  const byNpm = await installed(join(served, name))
  t.true(byNpm.some((file) => file.startsWith('dist/index.js ')))
  t.deepEqual(byNpm, await installed(join(served, 'served.tgz')))
})

test('a source that does not compile fails the build, names the file and leaves nothing behind', async (t) => {
  const root = await copiedSources(t)
  appendFileSync(join(root, 'web/connect/main.tsx'), '\nconst = 1\n')
  const failed = await t.throwsAsync<Error & { code: number; stderr: string }>(build(root))
  t.is(failed.code, 1)
  t.regex(failed.stderr, /main\.tsx/)
  t.deepEqual(buildsIn(root), [])
})

test('the three most recently used builds are kept, and so is a folder in which a build may still run', async (t) => {
  const builds = await folderOf(t)
  for (const [name, hoursAgo] of [
    ['a', 5],
    ['b', 1],
    ['c', 3],
    ['d', 2],
    ['.building-1', 2],
    ['.building-2', 0],
  ] as const) {
    mkdirSync(join(builds, name))
    const used = new Date(Date.now() - hoursAgo * 3_600_000)
    utimesSync(join(builds, name), used, used)
  }
  dropOldBuilds(builds)
  t.deepEqual(readdirSync(builds).toSorted(), ['.building-2', 'b', 'c', 'd'])
})

test('a package is packed as npm packs one, and equal files make equal bytes', async (t) => {
  const folder = await folderOf(t)
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'package.json'), '{}\n')
  writeFileSync(join(folder, 'dist/index.js'), 'x'.repeat(600))
  const packed = packPackage(folder)
  t.deepEqual(packPackage(folder), packed)
  const elsewhere = await folderOf(t)
  writeFileSync(join(elsewhere, 'package.tgz'), packed)
  const { stdout } = await run('tar', ['--list', '--file', 'package.tgz', '--gzip'], { cwd: elsewhere })
  t.is(stdout, 'package/dist/index.js\npackage/package.json\n')
  await run('tar', ['--extract', '--file', 'package.tgz', '--gzip'], { cwd: elsewhere })
  t.is(readFileSync(join(elsewhere, 'package/dist/index.js'), 'utf8'), 'x'.repeat(600))
})
