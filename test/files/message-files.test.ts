import test from 'ava'
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileIdIn } from '../../src/domain/file-address.ts'
import { Hearing } from '../../src/files/hearing.ts'
import type { MediaChildren } from '../../src/files/media-children.ts'
import type { Shelf } from '../../src/files/shelf.ts'
import { StoreAway } from '../../src/domain/store-away.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { waveFile } from '../helpers/file-host.ts'
import { until } from '../helpers/until.ts'
import { film, jpeg } from './make-media.ts'
import { NUMBER, OTHER_NUMBER, OTHER_TENANT, TENANT, codeOf, mediaOf, openFiles, prepare, serve } from './rig.ts'

const DAY_MS = 24 * 3_600_000
const uriOf = (bytes: Uint8Array, type = 'image/png') => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

test('a data URI is kept under its real type and prepared from there', async (t) => {
  const photo = await jpeg()
  const rig = await openFiles(t)
  const kept = await rig.files.keep(TENANT, NUMBER, uriOf(photo, 'text/html'))
  if (!kept.ok) return t.fail(kept.refusal.message)
  t.like(kept.file, { mimeType: 'image/jpeg', sizeBytes: photo.byteLength })
  const source = { fileId: kept.file.fileId }
  const media = mediaOf(t, await prepare(rig, 'OFFICIAL', 'image', '', { source }))
  t.deepEqual(await readFile(media.path), photo)
  t.not(media.fileId, kept.file.fileId)
  await rig.files.release([kept.file.fileId])
  t.is(await rig.files.open(kept.file.fileId), null)
  t.is((await rig.files.open(media.fileId))?.sizeBytes, photo.byteLength)
})

test('sound in a container of video, as browsers record it, is kept as sound where it is sent as such', async (t) => {
  const rig = await openFiles(t)
  for (const [container, sound, asFilm] of [
    ['webm', 'audio/webm', 'video/webm'],
    ['matroska', 'audio/x-matroska', 'video/x-matroska'],
    ['mp4', 'audio/mp4', 'video/mp4'],
  ] as const) {
    const uri = uriOf(
      await film({ container, video: null, audio: container === 'mp4' ? 'aac' : 'opus' }),
      'application/octet-stream',
    )
    for (const [kind, mimeType] of [
      ['voice', sound],
      ['audio', sound],
      ['video', asFilm],
      [undefined, asFilm],
    ] as const) {
      const kept = await rig.files.keep(TENANT, NUMBER, uri, kind)
      if (!kept.ok) return t.fail(kept.refusal.message)
      t.is(kept.file.mimeType, mimeType)
      t.is((await rig.files.open(kept.file.fileId))?.mimeType, mimeType)
    }
  }
})

test('a kept file is kept again as a copy, which outlives it; what was not kept is removed', async (t) => {
  const rig = await openFiles(t)
  const photo = await jpeg()
  const first = await rig.files.keep(TENANT, NUMBER, uriOf(photo))
  if (!first.ok) return t.fail(first.refusal.message)
  const copy = await rig.files.copy(first.file.fileId)
  const again = await rig.files.keep(TENANT, NUMBER, copy?.standIn ?? '')
  if (!again.ok) return t.fail(again.refusal.message)
  await copy?.drop()
  t.like(again.file, { mimeType: 'image/jpeg', sizeBytes: photo.byteLength })
  await rig.files.release([first.file.fileId])
  t.deepEqual(await readFile((await rig.files.open(again.file.fileId))?.path ?? ''), photo)
  const unused = await rig.files.copy(again.file.fileId)
  await unused?.drop()
  t.is((await rig.onDisk()).length, 1)
  t.is(await rig.files.copy(first.file.fileId), null)
})

test('a file that is looked up or kept while the database or the disk is away is not said to be gone or at fault', async (t) => {
  const rig = await openFiles(t)
  const kept = await rig.files.keep(TENANT, NUMBER, uriOf(await jpeg()))
  if (!kept.ok) return t.fail(kept.refusal.message)
  rig.rows.find = () => Promise.reject(new StoreAway('gone'))
  await t.throwsAsync(rig.files.open(kept.file.fileId), { instanceOf: StoreAway })
  rig.rows.add = () => Promise.reject(Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' }))
  await t.throwsAsync(rig.files.keep(TENANT, NUMBER, uriOf(await jpeg())), {
    instanceOf: StoreAway,
    message: /disk is full/,
  })
})

test('a kept file over the ceiling of its kind fails with its size', async (t) => {
  const photo = await jpeg()
  const rig = await openFiles(t, { ceilings: { image: photo.byteLength - 1 } })
  const kept = await rig.files.keep(TENANT, NUMBER, uriOf(photo))
  if (!kept.ok) return t.fail(kept.refusal.message)
  t.is(
    codeOf(await prepare(rig, 'OFFICIAL', 'image', '', { source: { fileId: kept.file.fileId } })),
    'OFFICIAL_MEDIA_TOO_LARGE',
  )
})

test('a text that is no data URI in strict base64 is refused, and so is one over 25 MB, and nothing is kept', async (t) => {
  const rig = await openFiles(t)
  for (const text of [
    'data:image/png,abc',
    'data:image/png;base64,',
    'data:image/png;base64,ab!=',
    'data:image/png;base64,abc',
    'image/png;base64,YWJj',
    'data:image/png;base64,YW-_',
    'hello',
  ]) {
    const kept = await rig.files.keep(TENANT, NUMBER, text)
    t.is(kept.ok ? 'ok' : kept.refusal.code, 'VALIDATION', text)
  }
  const large = await rig.files.keep(TENANT, NUMBER, uriOf(Buffer.alloc(25_000_001)))
  t.is(large.ok ? 'ok' : large.refusal.code, 'MEDIA_TOO_LARGE')
  t.true((await rig.files.keep(TENANT, NUMBER, uriOf(Buffer.alloc(25_000_000)))).ok)
  t.is((await rig.onDisk()).length, 1)
})

test('a file of one tenant or number is no source for another', async (t) => {
  const rig = await openFiles(t)
  const kept = await rig.files.keep(TENANT, NUMBER, uriOf(await jpeg()))
  if (!kept.ok) return t.fail(kept.refusal.message)
  const source = { fileId: kept.file.fileId }
  t.is(codeOf(await prepare(rig, 'OFFICIAL', 'image', '', { source, tenantId: OTHER_TENANT })), 'MEDIA_DOWNLOAD_FAILED')
  t.is(codeOf(await prepare(rig, 'OFFICIAL', 'image', '', { source, numberId: OTHER_NUMBER })), 'MEDIA_DOWNLOAD_FAILED')
})

test('a received file gets an address of its own for 30 days, with the type that its content shows', async (t) => {
  const clock = new FakeClock()
  const host = await serve(t, { '/a': await jpeg(), '/b': Buffer.from([1, 2, 3, 0]) })
  const rig = await openFiles(t, { clock })
  const photo = await rig.files.rehost(TENANT, NUMBER, {
    url: `${host.origin}/a`,
    mimeType: 'application/pdf',
    fileName: 'a.pdf',
  })
  t.like(photo, { mimeType: 'image/jpeg', fileName: 'a.jpg' })
  t.regex(photo?.url ?? '', /^https:\/\/gateway\.test\/media\/file_[0-9a-z]{26}\/a\.jpg$/)
  t.like(
    await rig.files.rehost(TENANT, NUMBER, {
      url: `${host.origin}/b`,
      mimeType: 'application/x-thing',
      fileName: null,
    }),
    { mimeType: 'application/x-thing', fileName: null },
  )
  t.like(await rig.files.rehost(TENANT, NUMBER, { url: `${host.origin}/b`, mimeType: 'bad\r\ntype', fileName: null }), {
    mimeType: 'application/octet-stream',
  })
  t.is(
    await rig.files.rehost(TENANT, NUMBER, { url: `${host.origin}/gone`, mimeType: 'image/jpeg', fileName: null }),
    null,
  )
  const id = photo?.url.split('/').at(-2) ?? ''
  clock.advance(30 * DAY_MS - 1)
  t.is((await rig.files.open(id))?.mimeType, 'image/jpeg')
  clock.advance(1)
  t.is(await rig.files.open(id), null)
  t.is(await rig.files.purge(), 3)
  t.deepEqual(await rig.onDisk(), [])
})

// [engine-fleet.register.11]
test('a received file that breaks off is fetched once more, and what breaks again is given up', async (t) => {
  const photo = await jpeg()
  let left = 1
  const host = await serve(t, {
    '/a': (_request, response) => {
      response.write(photo.subarray(0, 100))
      if (left-- > 0) response.write(photo.subarray(100, 200), () => response.destroy())
      else response.end(photo.subarray(100))
    },
    '/b': (_request, response) => void response.write('beginning', () => response.destroy()),
  })
  const rig = await openFiles(t)
  const received = (path: string) =>
    rig.files.rehost(TENANT, NUMBER, { url: `${host.origin}${path}`, mimeType: 'image/jpeg', fileName: null })
  const kept = await received('/a')
  t.is(kept?.sizeBytes, photo.byteLength)
  t.deepEqual(await readFile((await rig.files.open(fileIdIn(kept?.url ?? '') ?? ''))?.path ?? ''), photo)
  t.is(await received('/b'), null)
  t.is(host.requests.filter(({ url }) => url === '/b').length, 2)
})

test('unknown and malformed ids open nothing', async (t) => {
  const rig = await openFiles(t)
  for (const id of ['', 'file_', '../../etc/passwd', 'file_0000000000000000000000000a', `file_${'a'.repeat(25)}/`])
    t.is(await rig.files.open(id), null, id)
})

test('half written files of a killed process are removed at the start, young ones of a living one are not', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'files-test-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  await mkdir(join(directory, 'temp'))
  for (const name of ['old', 'young']) await writeFile(join(directory, 'temp', name), 'x')
  const past = new Date(Date.now() - 2 * 3_600_000)
  await utimes(join(directory, 'temp', 'old'), past, past)
  const rig = await openFiles(t, { directory })
  await until('the old one is gone', async () => !(await rig.onDisk()).includes('old'))
  t.deepEqual(await rig.onDisk(), ['young'])
})

test('files whose rows are gone leave the disk after they expired', async (t) => {
  const clock = new FakeClock()
  const rig = await openFiles(t, { clock })
  await rig.files.keep(TENANT, NUMBER, uriOf(await jpeg()))
  rig.rows.rows.clear()
  clock.advance(30 * DAY_MS)
  t.is(await rig.files.purge(), 0)
  t.is((await rig.onDisk()).length, 1)
  clock.advance(DAY_MS + 1_000)
  await rig.files.purge()
  t.deepEqual(await rig.onDisk(), [])
})

test('a sent file, by address or as bytes, is kept for 30 days like a received one', async (t) => {
  const clock = new FakeClock()
  const photo = await jpeg()
  const host = await serve(t, { '/a.jpg': photo })
  const rig = await openFiles(t, { clock })
  const sent = mediaOf(t, await prepare(rig, 'OFFICIAL', 'image', `${host.origin}/a.jpg`)).fileId
  const kept = await rig.files.keep(TENANT, NUMBER, uriOf(photo))
  if (!kept.ok) return t.fail(kept.refusal.message)
  const received = await rig.files.rehost(TENANT, NUMBER, {
    url: `${host.origin}/a.jpg`,
    mimeType: 'image/jpeg',
    fileName: null,
  })
  const copy = mediaOf(t, await prepare(rig, 'OFFICIAL', 'image', '', { source: { fileId: kept.file.fileId } })).fileId
  const ids = [sent, kept.file.fileId, fileIdIn(received?.url ?? '') ?? '']
  const areOpen = async () => Promise.all(ids.map(async (id) => (await rig.files.open(id)) !== null))
  clock.advance(DAY_MS)
  t.is(await rig.files.purge(), 1)
  t.is(await rig.files.open(copy), null, 'what goes out of a file that is kept for its message is gone within a day')
  clock.advance(29 * DAY_MS - 1)
  t.is(await rig.files.purge(), 0)
  t.deepEqual(await areOpen(), [true, true, true])
  clock.advance(1)
  t.is(await rig.files.purge(), 3)
  t.deepEqual(await areOpen(), [false, false, false])
  t.deepEqual(await rig.onDisk(), [])
})

test('100 sounds wait to be listened to, further ones are passed over and heard another time, and each leaves its place', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'files-test-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'sound')
  await writeFile(path, waveFile({ hz: 440, seconds: 0.1 }))
  const sound = { durationMs: 100, waveform: [1] }
  const turns: (() => void)[] = []
  const hearing = new Hearing({
    shelf: {
      find: async (id) => (id === 'gone' ? null : ({ path } as never)),
      tempPath: async () => join(directory, 'straight'),
    } as Shelf,
    children: {
      work: (turn: string) =>
        new Promise((resolve) => {
          turns.push(() => resolve({ ok: true, result: { task: 'audio', sizeBytes: null, sound } } as never))
          t.is(turn, `received ${NUMBER}`)
        }),
    } as unknown as MediaChildren,
  })
  const waiting = Array.from({ length: 100 }, () => hearing.hear(NUMBER, 'file'))
  const hasTurn = until('one more has a turn', () => turns.length > 100).then(() => 'a turn')
  t.is(await Promise.race([hearing.hear(NUMBER, 'file'), hasTurn]), null)
  await until('all that wait have their turns', () => turns.length === 100)
  turns[0]?.()
  // The order of the disk reads decides which call gets this turn, so the test waits for any of them.
  t.is(await Promise.race(waiting), sound)
  t.is(await hearing.hear(NUMBER, 'gone'), null)
  const next = hearing.hear(NUMBER, 'file')
  await until('the next has its turn', () => turns.length === 101)
  for (const end of turns) end()
  t.is(await next, sound)
  t.true((await Promise.all(waiting)).every((one) => one === sound))
})

test('files of a removed number are removed', async (t) => {
  const rig = await openFiles(t)
  rig.rows.isNumberGone = true
  t.false((await rig.files.keep(TENANT, NUMBER, uriOf(await jpeg()))).ok)
  t.deepEqual(await rig.onDisk(), [])
})

test('closing ends the children and what is under way', async (t) => {
  const host = await serve(t, { '/a.jpg': await jpeg() })
  const rig = await openFiles(t, { children: { maxChildren: 1 } })
  const order = (nth: number) => prepare(rig, 'OFFICIAL', 'image', `${host.origin}/a.jpg?${nth}`)
  t.true((await order(0)).ok)
  const [pid = 0] = rig.files.stats().children
  // A child that stands still ends no work.
  process.kill(pid, 'SIGSTOP')
  const pending = [order(1), order(2)]
  await until('the child has work, and more waits', () => rig.files.stats().waiting === 1)
  await rig.files.close()
  for (const one of pending) t.false((await one).ok)
  t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})
