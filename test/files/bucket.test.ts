import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { Bucket } from '../../src/files/places/bucket.ts'
import { startBucket } from '../helpers/bucket-server.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const MEBIBYTE = 1_024 * 1_024

async function folder(t: { teardown(fn: () => Promise<void>): void }) {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  return (name: string) => join(directory.path, name)
}

for (const [size, what] of [
  [0, 'an empty file'],
  [100_000, 'a file'],
  [20 * MEBIBYTE + 7, 'a large file, in parts'],
] as const)
  test(`${what} comes back as it was put, and is gone once it is deleted`, async (t) => {
    const server = await startBucket(t)
    const bucket = server.bucket()
    const at = await folder(t)
    const bytes = randomBytes(size)
    await writeFile(at('sent'), bytes)
    await bucket.put('file_1', at('sent'))
    t.true(await bucket.get('file_1', at('got')))
    t.true(bytes.equals(await readFile(at('got'))), 'the bytes are the same')
    t.is(server.asked.filter((line) => line.includes('partNumber')).length, size > 16 * MEBIBYTE ? 3 : 0)
    await bucket.delete('file_1')
    t.false(await bucket.get('file_1', at('gone')))
    await bucket.delete('file_1')
  })

test('objects are listed by name behind another one, and those under other prefixes are not', async (t) => {
  const server = await startBucket(t)
  const bucket = server.bucket()
  const at = await folder(t)
  await writeFile(at('one'), 'one')
  for (const name of ['file_c', 'file_a', 'file_b']) await bucket.put(name, at('one'))
  await server.bucket({ prefix: 'other/' }).put('file_x', at('one'))
  const listed = await bucket.list('')
  t.deepEqual(
    listed.map(({ name }) => name),
    ['file_a', 'file_b', 'file_c'],
  )
  t.true(listed.every(({ modifiedAt }) => Math.abs(Date.now() - modifiedAt.getTime()) < 3_600_000))
  t.deepEqual(
    (await bucket.list('file_a')).map(({ name }) => name),
    ['file_b', 'file_c'],
  )
})

test('what goes wrong is told by the status and code of the storage, and names no secret', async (t) => {
  const server = await startBucket(t)
  const at = await folder(t)
  await writeFile(at('one'), 'one')
  const wrong = server.bucket({ secretAccessKey: 'not-the-secret' })
  const refused = await t.throwsAsync(wrong.put('file_1', at('one')))
  t.like(refused, { name: 'BucketFault', status: 403, code: 'SignatureDoesNotMatch' })
  t.false(refused.message.includes('not-the-secret'))
  server.fail('full')
  t.like(await t.throwsAsync(server.bucket().put('file_1', at('one'))), { status: 507, code: 'InsufficientStorage' })
  server.fail('away')
  t.like(await t.throwsAsync(server.bucket().get('file_1', at('got'))), { status: 0, code: '' })
  const nowhere = new Bucket({ ...server.settings, url: server.settings.url.replace(/files$/, 'none') })
  server.fail(null)
  t.like(await t.throwsAsync(nowhere.get('file_1', at('got'))), { status: 404, code: 'NoSuchBucket' })
})
