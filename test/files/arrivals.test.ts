import { readFile } from 'node:fs/promises'
import test from 'ava'
import * as fc from 'fast-check'
import { jpeg } from './make-media.ts'
import { NUMBER, OTHER_NUMBER, TENANT, openFiles } from './rig.ts'

const uriOf = (bytes: Uint8Array, type = 'image/png') => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

/** The text in pieces of `length` characters. */
function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length))
}

async function arrive({ files }: Awaited<ReturnType<typeof openFiles>>, text: string, length: number) {
  const [first = '', ...rest] = piecesOf(text, length)
  const arriving = files.arrive(first)
  for (const piece of rest) await arriving?.take(piece)
  await arriving?.end()
  return arriving
}

test('a data URI that came in pieces is kept as one that came whole, under its real type', async (t) => {
  const photo = await jpeg()
  const rig = await openFiles(t)
  for (const length of [1_100, 32_768, 1_000_000]) {
    const arriving = await arrive(rig, uriOf(photo, 'text/html'), length)
    const kept = await rig.files.keep(TENANT, NUMBER, arriving?.standIn ?? '')
    if (!kept.ok) return t.fail(kept.refusal.message)
    t.like(kept.file, { mimeType: 'image/jpeg', sizeBytes: photo.byteLength })
    t.deepEqual(await readFile((await rig.files.open(kept.file.fileId))?.path ?? ''), photo)
    await arriving?.drop()
    t.truthy(await rig.files.open(kept.file.fileId), 'what was kept stays')
  }
})

/** Beginnings of data URIs, as browsers, libraries and people write them. */
const HEADS = [
  'data:audio/webm;codecs=opus;base64,',
  'data:video/webm;codecs=vp8,opus;base64,',
  'data:audio/webm; codecs="opus"; base64, ',
  '  data:image/png;base64,\n',
  'data:;base64,',
  'DATA:application/pdf;name=My File (1).pdf;base64,',
  'data:text/csv;charset=utf-8;header=present;base64,',
  'data:application/pdf;filename="fatura, março.pdf";base64,',
]

test('a data URI may have any parameters and white space, come it whole or in pieces', async (t) => {
  const photo = await jpeg()
  const rig = await openFiles(t)
  const folded = photo.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  for (const head of HEADS) {
    const whole = await rig.files.keep(TENANT, NUMBER, `${head}${folded}\n`)
    t.like(whole, { ok: true, file: { mimeType: 'image/jpeg', sizeBytes: photo.byteLength } }, head)
    for (const length of [1_100, 77]) {
      const text = `${head}${folded} `
      const arriving = rig.files.arrive(text.slice(0, 200))
      for (const piece of piecesOf(text.slice(200), length)) await arriving?.take(piece)
      await arriving?.end()
      const kept = await rig.files.keep(TENANT, NUMBER, arriving?.standIn ?? '')
      if (!kept.ok) return t.fail(`${head} ${kept.refusal.message}`)
      t.deepEqual(await readFile((await rig.files.open(kept.file.fileId))?.path ?? ''), photo, head)
    }
  }
})

test('its bytes are those of the text, wherever it is cut and however it is padded', async (t) => {
  const rig = await openFiles(t)
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1_500, max: 600_000 }),
      fc.integer({ min: 1_100, max: 300_000 }),
      async (size, length) => {
        const bytes = Buffer.alloc(size, 'some bytes, \xff\x00 and more', 'latin1')
        const arriving = await arrive(rig, uriOf(bytes), length)
        const kept = await rig.files.keep(TENANT, NUMBER, arriving?.standIn ?? '')
        if (!kept.ok) return t.fail(kept.refusal.message)
        t.true((await readFile((await rig.files.open(kept.file.fileId))?.path ?? '')).equals(bytes))
        await arriving?.drop()
      },
    ),
    { numRuns: 40 },
  )
})

for (const [what, spoil] of Object.entries({
  'another alphabet': (text: string) => `${text.slice(0, 5_000)}-_${text.slice(5_002)}`,
  'a line break': (text: string) => `${text.slice(0, 5_000)}\n${text.slice(5_001)}`,
  'padding in the middle': (text: string) => `${text.slice(0, 5_000)}=${text.slice(5_001)}`,
  'a character too few': (text: string) => text.slice(0, -1),
  'padding too much': (text: string) => `${text.slice(0, -3)}===`,
  'letters beyond ASCII': (text: string) => `${text.slice(0, 5_000)}\u0141${text.slice(5_001)}`,
})) {
  test(`a data URI in pieces with ${what} is refused as one that came whole, and nothing stays`, async (t) => {
    const rig = await openFiles(t)
    const arriving = await arrive(rig, spoil(uriOf(Buffer.alloc(9_000, 1))), 2_000)
    const kept = await rig.files.keep(TENANT, NUMBER, arriving?.standIn ?? '')
    t.is(kept.ok ? 'ok' : kept.refusal.code, 'VALIDATION')
    await arriving?.drop()
    t.deepEqual(await rig.onDisk(), [])
  })
}

test('an upload that was dropped, is incomplete or never began is no file', async (t) => {
  const rig = await openFiles(t)
  const dropped = await arrive(rig, uriOf(Buffer.alloc(500_000)), 10_000)
  await dropped?.drop()
  const begun = rig.files.arrive(uriOf(Buffer.alloc(3_000)))
  for (const standIn of [dropped?.standIn ?? '', begun?.standIn ?? '', begun?.standIn.replaceAll('a', 'b') ?? '']) {
    t.false((await rig.files.keep(TENANT, OTHER_NUMBER, standIn)).ok)
  }
  await begun?.drop()
  t.is(rig.files.arrive('https://example.com/a.png'), null)
  t.deepEqual(await rig.onDisk(), [])
})
