import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { createRecordingFiles } from '../../src/files/recording-files.ts'
import { Shelf } from '../../src/files/shelf.ts'
import { newId } from '../../src/domain/ids.ts'
import { StoreAway } from '../../src/domain/store-away.ts'
import type { FileStore } from '../../src/ports/stores/file-store.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { MemoryFiles } from '../helpers/memory/files.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const OF = { callId: newId('call'), tenantId: newId('ten'), numberId: newId('num') } as const

async function open(t: { teardown(fn: () => Promise<void>): void }, changes: Partial<FileStore> = {}) {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  const clock = new FakeClock()
  const rows = Object.assign(new MemoryFiles(clock), changes)
  const files = createRecordingFiles(new Shelf({ directory: directory.path, rows, clock }))
  const left = () => readdir(join(directory.path, 'temp'))
  return { files, clock, left }
}

async function* parts(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

test('a recording is kept whole, for as long as nobody deletes it', async (t) => {
  const { files, clock, left } = await open(t)
  const fileId = await files.keep(OF, parts('one ', 'two'))
  if (!fileId) return t.fail('it was not kept')
  clock.advance(50 * 365 * 24 * 3_600_000)
  const found = await files.open(fileId)
  t.is(found && (await readFile(found.path, 'utf8')), 'one two')
  await files.release(fileId)
  t.is(await files.open(fileId), null)
  t.deepEqual(await left(), [])
})

test('nothing is left of a recording that does not come to its end, or whose number is gone', async (t) => {
  const { files, left } = await open(t)
  async function* broken() {
    yield Buffer.from('one')
    throw new Error('the host went away')
  }
  await t.throwsAsync(files.keep(OF, broken()), { message: 'the host went away' })
  async function* full() {
    yield Buffer.from('one')
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  }
  await t.throwsAsync(files.keep(OF, full()), { instanceOf: StoreAway })
  t.deepEqual(await left(), [])
  const gone = await open(t, { add: async () => false })
  t.is(await gone.files.keep(OF, parts('one')), null)
  t.deepEqual(await gone.left(), [])
})
