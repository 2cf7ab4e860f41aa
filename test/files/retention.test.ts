import { writeFile } from 'node:fs/promises'
import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { BucketPlace } from '../../src/files/places/bucket-place.ts'
import { Shelf } from '../../src/files/shelf.ts'
import { createMetrics } from '../../src/process/metrics.ts'
import { startBucket } from '../helpers/bucket-server.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { MemoryFiles } from '../helpers/memory/files.ts'
import { silentLog } from '../helpers/silent.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const HOUR_MS = 3_600_000

// [operation.files.3]
test('a file that is no longer kept is deleted in the bucket, and others stay there', async (t) => {
  const server = await startBucket(t)
  const { path: directory, remove } = await temporaryDirectory()
  t.teardown(() => remove())
  const clock = new FakeClock(Date.now())
  const bucket = server.bucket()
  const place = new BucketPlace({ bucket, directory, clock, log: silentLog, metrics: createMetrics() })
  const shelf = new Shelf({ directory, rows: new MemoryFiles(clock), clock, place })
  const keep = async (keepMs: number) => {
    const tempPath = await shelf.tempPath()
    await writeFile(tempPath, 'one')
    const of = { tenantId: newId('ten'), numberId: newId('num'), mimeType: 'text/plain', sizeBytes: 3, fileName: null }
    return (await shelf.keep({ ...of, tempPath, keepMs }))?.id
  }
  const [short, long, released] = [await keep(HOUR_MS), await keep(3 * HOUR_MS), await keep(3 * HOUR_MS)]
  const names = async () => (await bucket.list('')).map(({ name }) => name)
  t.deepEqual((await names()).toSorted(), [short, long, released].toSorted())
  clock.advance(2 * HOUR_MS)
  t.is(await shelf.purge(), 1)
  if (released !== undefined) await shelf.remove([released])
  t.deepEqual(await names(), [long])
})
