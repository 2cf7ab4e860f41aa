import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, readdir, readFile, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { lockDirectory } from '../../../src/storage/engine/data-dir-lock.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'
import { until, within } from '../../helpers/until.ts'

const LOCK_MODULE = fileURLToPath(new URL('../../../src/storage/engine/data-dir-lock.ts', import.meta.url))

async function directoryOf(t: ExecutionContext): Promise<string> {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  return directory.path
}

test('a held directory is refused by name, and free after release', async (t) => {
  const path = await directoryOf(t)
  const lock = await lockDirectory(path)
  await t.throwsAsync(lockDirectory(path), { message: new RegExp(`${path} is in use by another process`) })
  await lock.release()
  await lock.release()
  t.deepEqual(await readdir(path), [])
  const again = await lockDirectory(path)
  await again.release()
})

test('a missing directory is made, for its owner only', async (t) => {
  const path = join(await directoryOf(t), 'deep', 'data')
  const lock = await lockDirectory(path)
  t.is((await stat(path)).mode & 0o777, 0o700)
  await lock.release()
})

test('of many starters at once one gets the directory', async (t) => {
  const path = await directoryOf(t)
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => lockDirectory(path)))
  const got = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  t.is(got.length, 1)
  await got[0]?.release()
})

test('a lock left by kill -9 is taken over, by one of many starters', async (t) => {
  const path = await directoryOf(t)
  const code = `import { lockDirectory } from ${JSON.stringify(LOCK_MODULE)}; await lockDirectory(${JSON.stringify(path)}); process.stdout.write('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  await within('the other holds it', once(child.stdout, 'data'))
  await t.throwsAsync(lockDirectory(path), { message: /is in use/ })
  child.kill('SIGKILL')
  await within('the other ends', once(child, 'exit'))
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => lockDirectory(path)))
  const got = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  t.is(got.length, 1)
  await got[0]?.release()
  t.deepEqual(await readdir(path), [])
})

test('a killed holder whose parent never asked after it (a zombie) holds nothing', async (t) => {
  const path = await directoryOf(t)
  const code = `import { lockDirectory } from ${JSON.stringify(LOCK_MODULE)}; await lockDirectory(${JSON.stringify(path)}); process.stdout.write(String(process.pid)); setInterval(() => {}, 1000)`
  // The shell becomes `sleep`, which never asks for the end of its child.
  const holder = `"$0" --disable-warning=ExperimentalWarning --input-type=module -e "$1" & exec sleep 600`
  const parent = spawn('sh', ['-c', holder, process.execPath, code], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => parent.kill('SIGKILL'))
  const [pid] = await within('the other holds it', once(parent.stdout, 'data'))
  process.kill(Number(pid), 'SIGKILL')
  await until('it is a zombie', async () => (await readFile(`/proc/${String(pid)}/stat`, 'utf8')).includes(') Z '))
  const lock = await lockDirectory(path)
  await lock.release()
  t.pass()
})

test('a lock whose pid belongs to another process now is taken over', async (t) => {
  const path = await directoryOf(t)
  const lock = await lockDirectory(path)
  const text = await readFile(join(path, 'lock'), 'utf8')
  await lock.release()
  const holder = JSON.parse(text) as { startedAt: string }
  await writeFile(
    join(path, 'lock'),
    JSON.stringify({ ...holder, startedAt: `${Number(holder.startedAt) - 1}`, lockId: 'earlier' }),
  )
  const taken = await lockDirectory(path)
  t.false((await readFile(join(path, 'lock'), 'utf8')).includes('earlier'))
  await taken.release()
})

test('a holder that lost its directory neither touches nor removes the lock of the next', async (t) => {
  const path = await directoryOf(t)
  const lost = await lockDirectory(path)
  await unlink(join(path, 'lock'))
  const next = await lockDirectory(path)
  const text = await readFile(join(path, 'lock'), 'utf8')
  await lost.release()
  t.is(await readFile(join(path, 'lock'), 'utf8'), text)
  await next.release()
})

test('a lock that came along with a copy of a directory keeps nobody from the copy, and the directory stays held', async (t) => {
  const [path, copy] = [await directoryOf(t), await directoryOf(t)]
  const lock = await lockDirectory(path)
  await copyFile(join(path, 'lock'), join(copy, 'lock'))
  const own = await lockDirectory(copy)
  await t.throwsAsync(lockDirectory(path))
  await t.throwsAsync(lockDirectory(copy))
  await own.release()
  await lock.release()
})

test('a lock shows life while it is held', async (t) => {
  const path = await directoryOf(t)
  const lock = await lockDirectory(path)
  const before = (await stat(join(path, 'lock'))).mtimeMs
  await until('the lock was touched', async () => (await stat(join(path, 'lock'))).mtimeMs !== before)
  await lock.release()
  t.pass()
})

test('a lock of another container is respected while it beats and taken over when it is silent', async (t) => {
  const [beating, silent] = [await directoryOf(t), await directoryOf(t)]
  const foreign = JSON.stringify({ pid: 1, startedAt: '1', machine: 'another boot', lockId: 'foreign' })
  for (const path of [beating, silent]) await writeFile(join(path, 'lock'), foreign)
  const timer = setInterval(() => void utimes(join(beating, 'lock'), new Date(), new Date()), 100)
  t.teardown(() => clearInterval(timer))
  const [refused, taken] = await Promise.allSettled([lockDirectory(beating), lockDirectory(silent)])
  t.is(refused.status, 'rejected')
  t.is(taken.status, 'fulfilled')
  if (taken.status === 'fulfilled') await taken.value.release()
})
