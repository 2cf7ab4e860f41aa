import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { StoreAway } from '../../src/domain/store-away.ts'
import { BucketPlace } from '../../src/files/places/bucket-place.ts'
import { DiskPlace } from '../../src/files/places/disk-place.ts'
import type { FilePlace } from '../../src/ports/file-place.ts'
import { createMetrics } from '../../src/process/metrics.ts'
import { startBucket, type BucketFailure, type BucketServer } from '../helpers/bucket-server.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { until } from '../helpers/until.ts'

const HOUR_MS = 3_600_000

interface World {
  readonly place: FilePlace
  readonly clock: FakeClock
  /** Puts a file with this text; it expires in an hour. */
  put(name: string, text: string, place?: FilePlace): Promise<void>
  /** The text of a file; null when there is none. */
  read(name: string, place?: FilePlace): Promise<string | null>
}

async function folder(t: ExecutionContext): Promise<string> {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  return directory.path
}

async function worldOf(t: ExecutionContext, make: (clock: FakeClock) => Promise<FilePlace>): Promise<World> {
  const clock = new FakeClock(Date.now())
  const outside = await folder(t)
  const place = await make(clock)
  await place.open()
  return {
    place,
    clock,
    async put(name, text, to = place) {
      const path = join(outside, name)
      await writeFile(path, text)
      const createdAt = new Date(clock.now())
      await to.put(name, path, { createdAt, expiresAt: new Date(clock.now() + HOUR_MS) })
    },
    async read(name, from = place) {
      const path = await from.find(name, new Date(clock.now() - 2 * HOUR_MS))
      return path === null ? null : readFile(path, 'utf8')
    },
  }
}

interface BucketWorld extends World {
  readonly server: BucketServer
  readonly place: BucketPlace
  readonly directory: string
  /** The same bucket as another node has it, or this one once it is started again. */
  node(directory?: string, cacheBytes?: number): Promise<BucketPlace>
}

async function bucketWorld(t: ExecutionContext): Promise<BucketWorld> {
  const server = await startBucket(t)
  const directory = await folder(t)
  let made: BucketPlace | null = null
  const parts = (clock: FakeClock) => ({ bucket: server.bucket(), clock, log: silentLog, metrics: createMetrics() })
  const world = await worldOf(t, async (clock) => (made = new BucketPlace({ ...parts(clock), directory })))
  if (!made) throw new Error('there is no place')
  return {
    ...world,
    server,
    place: made,
    directory,
    async node(at, cacheBytes) {
      const place = new BucketPlace({
        ...parts(world.clock),
        directory: at ?? (await folder(t)),
        ...(cacheBytes === undefined ? {} : { cacheBytes }),
      })
      await place.open()
      return place
    },
  }
}

const WORLDS: readonly (readonly [string, (t: ExecutionContext) => Promise<World>])[] = [
  ['a directory', async (t) => worldOf(t, async (clock) => new DiskPlace(await folder(t), clock))],
  ['a bucket', bucketWorld],
]

for (const [name, makeWorld] of WORLDS) {
  test(`${name}: a file is found as it was put, under its name alone, until it is deleted`, async (t) => {
    const { place, put, read } = await makeWorld(t)
    await put('file_1', 'one')
    await put('file_2', '')
    t.is(await read('file_1'), 'one')
    t.is(await read('file_2'), '')
    t.is(await read('file_3'), null)
    await place.delete(['file_1', 'file_3'])
    t.is(await read('file_1'), null)
    t.is(await read('file_2'), '')
  })

  test(`${name}: files that are overdue are named, and others are not`, async (t) => {
    const { place, put, clock } = await makeWorld(t)
    await put('file_1', 'one')
    const overdue = async () => {
      const names = []
      for await (const one of place.overdue(24 * HOUR_MS)) names.push(one)
      return names
    }
    t.deepEqual(await overdue(), [])
    clock.advance(26 * HOUR_MS)
    t.deepEqual(await overdue(), ['file_1'])
    await place.delete(await overdue())
    t.deepEqual(await overdue(), [])
  })
}

test('a bucket: what one node put is found by another one, which keeps a copy', async (t) => {
  const { server, put, read, node } = await bucketWorld(t)
  await put('file_1', 'one')
  const other = await node()
  t.is(await read('file_1', other), 'one')
  const asked = server.asked.length
  t.is(await read('file_1', other), 'one')
  t.is(server.asked.length, asked, 'the bucket is not asked again')
  t.deepEqual(await Promise.all([read('file_9', other), read('file_9', other)]), [null, null])
})

// [operation.files.5]
for (const failure of ['away', 'full', 'denying'] as const satisfies readonly BucketFailure[])
  test(`a bucket that is ${failure} takes no file, loses none, and gets it later, also after a restart`, async (t) => {
    const { server, place, put, read, node, directory, clock } = await bucketWorld(t)
    server.fail(failure)
    await put('file_1', 'one')
    t.is(place.waiting, 1)
    t.is(await read('file_1'), 'one', 'it is read here meanwhile')
    const other = await node()
    await t.throwsAsync(other.find('file_1', new Date(clock.now())), { instanceOf: StoreAway })
    await place.upload()
    t.is(place.waiting, 1)

    const restarted = await node(directory)
    t.is(restarted.waiting, 1)
    server.fail(null)
    await t.throwsAsync(other.find('file_1', new Date(clock.now())), { instanceOf: StoreAway }, 'it is on its way')
    await restarted.upload()
    t.is(restarted.waiting, 0)
    t.is(await read('file_1', other), 'one')
    t.is((await node(directory)).waiting, 0, 'a copy waits for nothing')
  })

test('a bucket that does not answer holds up nobody who keeps a file for long', async (t) => {
  const { server, place, put, read, clock } = await bucketWorld(t)
  server.fail('silent')
  const kept = put('file_1', 'one')
  await until('it is on its way', () => server.asked.length > 0)
  clock.advance(2_000)
  await kept
  t.is(place.waiting, 1)
  t.is(await read('file_1'), 'one')
})

// [operation.files.6]
test('a bucket: files that were there before it are uploaded', async (t) => {
  const { server, directory, put, read, node } = await bucketWorld(t)
  const before = new DiskPlace(join(directory, 'files'), new FakeClock())
  await put('file_1', 'one', before)
  const place = await node(directory)
  t.is(place.waiting, 1)
  await place.upload()
  t.is(await read('file_1', await node()), 'one')
  t.true(server.asked.some((line) => line.startsWith('PUT /cms/file_1')))
})

// [operation.files.6]
test('a bucket: copies beyond their room go, those first that were not read for longest, and nothing that waits', async (t) => {
  const { server, put, read, node, clock, directory } = await bucketWorld(t)
  const place = await node(directory, 10)
  for (const name of ['file_1', 'file_2', 'file_3']) {
    await put(name, '12345', place)
    clock.advance(1_000)
  }
  await read('file_1', place)
  server.fail('away')
  await put('file_4', '12345678901234567890', place)
  await place.trim()
  t.deepEqual((await readdir(join(directory, 'files'))).toSorted(), ['file_1', 'file_3', 'file_4'])
  server.fail(null)
  t.is(await read('file_2', place), '12345', 'it is still in the bucket')
})

test('a bucket: copies are named after a day, so that those of files that are gone can be deleted', async (t) => {
  const { put, read, node, clock } = await bucketWorld(t)
  await put('file_1', 'one')
  const other = await node()
  await read('file_1', other)
  const overdue = async () => {
    const names = new Set<string>()
    for await (const one of other.overdue(24 * HOUR_MS)) names.add(one)
    return [...names]
  }
  t.deepEqual(await overdue(), [])
  clock.advance(25 * HOUR_MS)
  t.deepEqual(await overdue(), ['file_1'])
  await other.delete(['file_1'])
  t.deepEqual(await overdue(), [])
  t.is(await read('file_1', other), null)
})
