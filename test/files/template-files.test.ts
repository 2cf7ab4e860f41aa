import test from 'ava'
import type { ExecutionContext } from 'ava'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { FileId } from '../../src/domain/ids.ts'
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts'
import { systemClock } from '../../src/process/clock.ts'
import type { KeptSample, Sampling } from '../../src/ports/template-files.ts'
import type { SampleKind } from '../../src/files/template-samples.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'
import { animatedWebp, film, gif, jpeg, padded, paddedMp4, paddedRiff, png, streamsOf, webp } from './make-media.ts'
import { NUMBER, OTHER_NUMBER, OTHER_TENANT, TENANT, codeOf, openFiles, prepare, serve } from './rig.ts'
import type { Rig } from './rig.ts'

const OWNER = { tenantId: TENANT, numberId: NUMBER }
const DAY_MS = 24 * 3_600_000
const MB = 1024 * 1024
const FAR = new Date(Date.UTC(9999, 0, 1))

function uriOf(bytes: Uint8Array, type = 'image/png'): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

function keep({ files }: Rig, kind: SampleKind, source: string): Promise<Sampling> {
  return files.templates.keep(OWNER, kind, source, 'CALLER')
}

function sampleOf(t: ExecutionContext<unknown>, sampling: Sampling): KeptSample {
  if (!sampling.ok) return t.fail(`${sampling.problem.problem}: ${sampling.problem.message}`) as never
  return sampling.sample
}

/** `ok`, or the problem. */
function problemOf(sampling: Sampling): string {
  return sampling.ok ? 'ok' : sampling.problem.problem
}

function pdf(sizeBytes = 64): Buffer {
  return padded(Buffer.from('%PDF-1.7\n'), sizeBytes)
}

// [templates.files.2]
test('a sample of each kind passes up to its limit, told by its bytes, and not a byte over it', async (t) => {
  const [photo, picture, mp4] = [await jpeg(), await png(), await film({ container: 'mp4' })]
  const cases: readonly (readonly [SampleKind, string, number, (sizeBytes: number) => Buffer])[] = [
    ['IMAGE', 'image/jpeg', 5 * MB, (size) => padded(photo, size)],
    ['VIDEO', 'video/mp4', 16 * MB, (size) => paddedMp4(mp4, size)],
    ['DOCUMENT', 'application/pdf', 10 * MB, pdf],
    ['CARD', 'image/png', 5 * MB, (size) => padded(picture, size)],
  ]
  const rig = await openFiles(t)
  for (const [kind, mimeType, max, make] of cases) {
    const host = await serve(t, { '/fits.php': make(max), '/over.php': make(max + 1) })
    const sample = sampleOf(t, await keep(rig, kind, `${host.origin}/fits.php?signature=a`))
    t.like(sample, { mimeType, sizeBytes: max }, kind)
    t.like(
      await keep(rig, kind, `${host.origin}/over.php`),
      { ok: false, problem: { problem: 'TOO_LARGE', measured: max + 1, max } },
      kind,
    )
    t.like(sampleOf(t, await keep(rig, kind, uriOf(make(max), 'text/html'))), { mimeType, sizeBytes: max }, kind)
    t.like(
      await keep(rig, kind, uriOf(make(max + 1))),
      { ok: false, problem: { problem: 'TOO_LARGE', measured: max + 1, max } },
      kind,
    )
  }
  t.is((await rig.onDisk()).length, 2 * cases.length)
})

// [templates.body.5]
test('a file of another type than its kind is refused, whatever its name and header say', async (t) => {
  const types = {
    jpg: await jpeg(),
    gif: await gif(),
    webp: await webp(20, 20),
    mp4: await film({ container: 'mp4' }),
    mov: Buffer.from('\0\0\0\x14ftypqt  \0\0\0\0qt  ', 'latin1'),
    pdf: pdf(),
    html: Buffer.from('<html>hello'),
    none: Buffer.alloc(0),
  }
  const takes: Readonly<Record<SampleKind, string>> = { IMAGE: 'jpg', VIDEO: 'mp4', DOCUMENT: 'pdf', CARD: 'jpg webp' }
  const rig = await openFiles(t)
  for (const kind of ['IMAGE', 'VIDEO', 'DOCUMENT', 'CARD'] as const) {
    for (const [type, bytes] of Object.entries(types)) {
      const host = await serve(t, {
        '/a.png': (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes),
      })
      const expected = takes[kind].split(' ').includes(type) ? 'ok' : 'UNSUPPORTED'
      t.is(problemOf(await keep(rig, kind, `${host.origin}/a.png`)), expected, `${type} as ${kind}`)
      t.is(problemOf(await keep(rig, kind, uriOf(bytes))), expected, `${type} as ${kind}, as data URI`)
    }
  }
  for (const text of ['data:image/png,abc', 'data:image/png;base64,ab!='])
    t.is(problemOf(await keep(rig, 'IMAGE', text)), 'UNSUPPORTED', text)
})

test('bytes that arrived in pieces are kept by their placeholder', async (t) => {
  const photo = await jpeg()
  const rig = await openFiles(t)
  const arriving = rig.files.arrive(uriOf(photo))
  if (!arriving) return t.fail('it does not begin like a data URI')
  await arriving.end()
  const sample = sampleOf(t, await keep(rig, 'IMAGE', arriving.standIn))
  await arriving.drop()
  t.deepEqual(await readFile(sample.path), photo)
  const over = rig.files.arrive(uriOf(padded(photo, 5 * MB + 1)))
  await over?.end()
  t.like(await keep(rig, 'IMAGE', over?.standIn ?? ''), {
    problem: { problem: 'TOO_LARGE', measured: 5 * MB + 1, max: 5 * MB },
  })
  await over?.drop()
  t.deepEqual(await rig.onDisk(), [sample.fileId])
})

test('an answer of 4 GB is cut off early, whether it says so or not', async (t) => {
  const photo = await jpeg()
  let sent = 0
  let isCut = false
  const host = await serve(t, {
    '/says.jpg': (_, response) => void response.writeHead(200, { 'content-length': 4_000_000_000 }).write(photo),
    '/hides.jpg': (_, response) => {
      response.on('close', () => {
        isCut = true
      })
      const more = () => {
        sent += MB
        if (!response.destroyed) response.write(Buffer.alloc(MB), () => setImmediate(more))
      }
      response.write(photo, more)
    },
  })
  const rig = await openFiles(t)
  t.like(await keep(rig, 'IMAGE', `${host.origin}/says.jpg`), {
    problem: { problem: 'TOO_LARGE', measured: 4_000_000_000, max: 5 * MB },
  })
  const hidden = await keep(rig, 'IMAGE', `${host.origin}/hides.jpg`)
  t.is(problemOf(hidden), 'TOO_LARGE')
  t.true(!hidden.ok && (hidden.problem.measured ?? 0) > 5 * MB)
  await until('the host is left', () => isCut)
  t.true(sent < 100 * MB)
  t.deepEqual(await rig.onDisk(), [])
})

// [templates.files.2]
test('private networks are not reached, not even by a redirect; the upstream may be where the operator said', async (t) => {
  const host = await serve(t, {
    '/a.jpg': await jpeg(),
    '/away.jpg': (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/a.jpg' }).end(),
    '/gone.jpg': (_, response) => void response.writeHead(404).end(),
    '/cut.jpg': (_, response) => void response.destroy(),
  })
  const upstreamFetch = createGuardedFetch({ egressAllow: ['127.0.0.1'], clock: systemClock, connectMs: PATIENCE_MS })
  t.teardown(() => upstreamFetch.close())
  const [open, guarded] = [await openFiles(t), await openFiles(t, { egressAllow: [], upstreamFetch })]
  t.is(problemOf(await keep(open, 'IMAGE', `${host.origin}/away.jpg`)), 'FORBIDDEN')
  t.is(problemOf(await keep(open, 'IMAGE', `${host.origin}/gone.jpg`)), 'UNREACHABLE')
  t.is(problemOf(await keep(open, 'IMAGE', `${host.origin}/cut.jpg`)), 'UNREACHABLE')
  t.is(problemOf(await keep(open, 'IMAGE', 'ftp://files.test/a.jpg')), 'UNREACHABLE')
  t.is(problemOf(await keep(guarded, 'IMAGE', `${host.origin}/a.jpg`)), 'FORBIDDEN')
  t.is(problemOf(await guarded.files.templates.keep(OWNER, 'IMAGE', `${host.origin}/a.jpg`, 'UPSTREAM')), 'ok')
  t.is(
    problemOf(await guarded.files.templates.keep(OWNER, 'IMAGE', `${host.origin}/away.jpg`, 'UPSTREAM')),
    'FORBIDDEN',
  )
})

test('pictures in CMYK or of 16 bits become 8-bit RGB samples, films of profile High lose their B-frames, what fits stays as it came', async (t) => {
  const red = sharp({ create: { width: 64, height: 48, channels: 3, background: '#c81e1e' } })
  const [cmyk, deep, plain] = [
    await red.clone().toColourspace('cmyk').jpeg().toBuffer(),
    await red.clone().toColourspace('rgb16').png().toBuffer(),
    await jpeg(),
  ]
  const [high, fit] = [await film({ container: 'mp4', isHigh: true }), await film({ container: 'mp4' })]
  const host = await serve(t, {
    '/cmyk.jpg': cmyk,
    '/deep.png': deep,
    '/high.mp4': high,
    '/cut.mp4': fit.subarray(0, 200),
    '/cut.jpg': cmyk.subarray(0, 100),
  })
  const rig = await openFiles(t)
  for (const [kind, path, mimeType] of [
    ['IMAGE', '/cmyk.jpg', 'image/jpeg'],
    ['CARD', '/cmyk.jpg', 'image/jpeg'],
    ['IMAGE', '/deep.png', 'image/png'],
    ['CARD', '/deep.png', 'image/png'],
  ] as const) {
    const sample = sampleOf(t, await keep(rig, kind, host.origin + path))
    t.like(
      await sharp(sample.path).metadata(),
      { format: mimeType.slice(6), space: 'srgb', depth: 'uchar' },
      `${kind} ${path}`,
    )
    t.like(sample, { mimeType, fileName: path.slice(1), sizeBytes: (await readFile(sample.path)).byteLength })
  }
  const sample = sampleOf(t, await keep(rig, 'VIDEO', `${host.origin}/high.mp4`))
  t.like(await streamsOf(sample.path), { 0: { codec: 'h264', delay: 0 } })
  t.like(sample, { mimeType: 'video/mp4', fileName: 'high.mp4', sizeBytes: (await readFile(sample.path)).byteLength })
  t.deepEqual(await readFile(sampleOf(t, await keep(rig, 'VIDEO', uriOf(fit))).path), fit)
  t.deepEqual(await readFile(sampleOf(t, await keep(rig, 'IMAGE', uriOf(plain))).path), plain)
  t.is(problemOf(await keep(rig, 'VIDEO', `${host.origin}/cut.mp4`)), 'UNSUPPORTED')
  t.is(problemOf(await keep(rig, 'IMAGE', `${host.origin}/cut.jpg`)), 'UNSUPPORTED')
})

test('a webp of a card becomes PNG where something shines through, JPEG else, and of an animation the first picture', async (t) => {
  const solid = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#c81e1e' } })
    .webp()
    .toBuffer()
  const glass = await webp(30, 20)
  const host = await serve(t, {
    '/solid.webp': solid,
    '/glass.webp': glass,
    '/moves.webp': await animatedWebp(30),
    '/cut.webp': glass.subarray(0, 40),
    '/fits.webp': paddedRiff(glass, 5 * MB),
    '/over.webp': paddedRiff(glass, 5 * MB + 2),
  })
  const rig = await openFiles(t)
  const made = async (path: string) => {
    const { mimeType, fileName, sizeBytes, path: at } = sampleOf(t, await keep(rig, 'CARD', host.origin + path))
    const { format, width, height, pages = 1 } = await sharp(at).metadata()
    t.is((await readFile(at)).byteLength, sizeBytes)
    return [mimeType, fileName, format, width, height, pages]
  }
  t.deepEqual(await made('/solid.webp'), ['image/jpeg', 'solid.jpg', 'jpeg', 30, 20, 1])
  t.deepEqual(await made('/glass.webp'), ['image/png', 'glass.png', 'png', 30, 20, 1])
  t.deepEqual((await made('/moves.webp')).slice(2), ['jpeg', 30, 30, 1])
  t.is((await made('/fits.webp'))[0], 'image/png')
  t.is(problemOf(await keep(rig, 'CARD', `${host.origin}/over.webp`)), 'TOO_LARGE')
  t.is(problemOf(await keep(rig, 'CARD', `${host.origin}/cut.webp`)), 'UNSUPPORTED')
  t.is((await rig.onDisk()).length, 4)
})

test("a sample is its tenant's, has an address that is known again, and is copied and let go of", async (t) => {
  const rig = await openFiles(t)
  const { templates } = rig.files
  const sample = sampleOf(t, await keep(rig, 'IMAGE', uriOf(await jpeg())))
  t.is(sample.url, `https://gateway.test/media/${sample.fileId}/file.jpg`)
  for (const url of [sample.url, `${sample.url}?a=1`, sample.url.replace('gateway.test', 'GATEWAY.test:443')])
    t.is(templates.fileOf(url), sample.fileId, url)
  for (const url of [
    '',
    'x',
    sample.url.replace('https', 'http'),
    sample.url.replace('gateway', 'other'),
    `https://gateway.test/media/${sample.fileId}`,
    `https://gateway.test/v1/media/${sample.fileId}/a.jpg`,
    'https://gateway.test/media/file_short/a.jpg',
    `https://gateway.test.evil.test/media/${sample.fileId}/a.jpg`,
  ])
    t.is(templates.fileOf(url), null, url)
  t.deepEqual(await templates.open(TENANT, sample.fileId), sample)
  t.is(await templates.open(OTHER_TENANT, sample.fileId), null)
  t.like(await templates.copy({ ...OWNER, tenantId: OTHER_TENANT }, 'IMAGE', sample.fileId), {
    problem: { problem: 'UNREACHABLE' },
  })
  t.like(await templates.copy(OWNER, 'VIDEO', sample.fileId), { problem: { problem: 'UNSUPPORTED' } })
  const copy = sampleOf(t, await templates.copy(OWNER, 'CARD', sample.fileId))
  t.like(copy, { mimeType: 'image/jpeg', sizeBytes: sample.sizeBytes, fileName: 'file.jpg' })
  await templates.release([sample.fileId])
  t.is(await templates.open(TENANT, sample.fileId), null)
  t.like(await templates.copy(OWNER, 'IMAGE', sample.fileId), { problem: { problem: 'UNREACHABLE' } })
  t.deepEqual(await rig.onDisk(), [copy.fileId])
  t.is(await templates.open(TENANT, 'file_unknown'), null)
})

/** Makes a file belong to a template: it does not expire and belongs to no number. */
function takeOver(rig: Rig, fileId: FileId): void {
  const row = rig.rows.rows.get(fileId)
  if (row) rig.rows.rows.set(fileId, { ...row, numberId: null, expiresAt: FAR })
}

// [templates.files.2]
test('the file of a template stays on the disk for as long as its row, and no longer, also across starts', async (t) => {
  const clock = new FakeClock()
  const rig = await openFiles(t, { clock })
  const [held, left] = [
    sampleOf(t, await keep(rig, 'IMAGE', uriOf(await jpeg()))),
    sampleOf(t, await keep(rig, 'IMAGE', uriOf(await png()))),
  ]
  takeOver(rig, held.fileId)
  clock.advance(3 * DAY_MS)
  t.is(await rig.files.purge(), 1, 'what no template took')
  t.is(await rig.files.templates.open(TENANT, left.fileId), null)
  const restarted = await openFiles(t, { clock, directory: rig.directory, files: rig.rows })
  for (let day = 0; day < 30; day++) {
    clock.advance(DAY_MS)
    await restarted.files.purge()
  }
  t.is((await restarted.files.templates.open(TENANT, held.fileId))?.path, held.path)
  // Another node deleted the row, but it could not delete the file on this node's disk.
  rig.rows.rows.delete(held.fileId)
  for (let day = 0; day < 2; day++) {
    clock.advance(DAY_MS + 1_000)
    await restarted.files.purge()
  }
  t.deepEqual(await restarted.onDisk(), [])
})

test("messages of every number of the tenant are made of a template's file, those of another tenant never", async (t) => {
  const rig = await openFiles(t)
  const { fileId } = sampleOf(t, await keep(rig, 'IMAGE', uriOf(await jpeg())))
  const prepared = async (tenantId = TENANT, numberId = OTHER_NUMBER) =>
    codeOf(await prepare(rig, 'OFFICIAL', 'image', '', { source: { fileId }, tenantId, numberId }))
  t.is(await prepared(), 'MEDIA_DOWNLOAD_FAILED', 'no template has it yet')
  takeOver(rig, fileId)
  t.is(await prepared(), 'ok')
  t.is(await prepared(OTHER_TENANT), 'MEDIA_DOWNLOAD_FAILED')
})
