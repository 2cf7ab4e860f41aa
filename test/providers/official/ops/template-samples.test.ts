import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import * as fc from 'fast-check'
import { uploadSample } from '../../../../src/providers/official/ops/template-samples.ts'
import { CREDENTIALS, graphError, rig } from '../scripted-graph.ts'
import type { Scripted } from '../scripted-graph.ts'

const OPEN = 'POST /3003/uploads'
const ID = 'upload:MTphdHRhY2htZW50OjEyMzQ=?sig=ARZq~_-x%2Fy=='
const SEND = 'POST /upload:MTphdHRhY2htZW50OjEyMzQ='

async function opened(t: ExecutionContext, bytes: Uint8Array = Buffer.from([0xff, 0xd8, 0, 10, 13, 0x80])) {
  const { server, graph } = await rig(t)
  const directory = await mkdtemp(join(tmpdir(), 'samples-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const file = {
    path: join(directory, 'file'),
    mimeType: 'image/jpeg',
    sizeBytes: bytes.length,
    fileName: 'Grüße & co.jpg',
  }
  await writeFile(file.path, bytes)
  const upload = (appId: string | null = CREDENTIALS.appId) => uploadSample(graph, { ...CREDENTIALS, appId }, file)
  return { server, file, upload }
}

test('a sample is announced to the app, then sent as it is to the id that upstream gave, signs and all', async (t) => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251))
  const { server, upload } = await opened(t, bytes)
  server.on(OPEN, { json: { id: ID } }).on(SEND, { json: { h: '4::aW1hZ2U=:handle' } })
  t.deepEqual(await upload(), { kind: 'done', value: '4::aW1hZ2U=:handle' })
  const [open, send] = server.asked
  t.deepEqual(open?.query, { file_name: 'Grüße & co.jpg', file_length: '300000', file_type: 'image/jpeg' })
  t.is(open?.headers.authorization, `Bearer ${CREDENTIALS.accessToken}`)
  t.is(send?.target, `/${ID}`)
  t.like(send?.headers, {
    authorization: `OAuth ${CREDENTIALS.accessToken}`,
    file_offset: '0',
    'content-length': '300000',
    'content-type': 'image/jpeg',
  })
  const hashOf = (data: Uint8Array | undefined) =>
    createHash('sha256')
      .update(data ?? '')
      .digest('hex')
  t.is(hashOf(send?.sent), hashOf(bytes))
  t.is(server.asked.length, 2)
})

test('without an app there is no upload, and upstream is not asked', async (t) => {
  const { server, upload } = await opened(t)
  t.like(await upload(null), { kind: 'unsent', refusal: { code: 'OFFICIAL_APP_ID_REQUIRED' } })
  t.deepEqual(server.asked, [])
})

test('an id that would lead elsewhere is not followed', async (t) => {
  const { server, upload } = await opened(t)
  const ids = [
    'upload:x/../../v1.0/me',
    'upload:/../../me',
    'upload:..\\..\\me',
    '../me',
    'https://example.com/upload:x',
    '//example.com/upload:x',
    '2002/message_templates',
    '1001',
    '',
    'upload:',
    'upload:x#y',
    'upload:x y',
    'upload:\n',
    'upload:x\ty',
    'upload:é',
    ' upload:x',
    `upload:${'x'.repeat(5_000)}`,
    7,
    null,
    {},
  ]
  for (const id of ids) {
    server.asked.length = 0
    server.on(OPEN, { json: { id } })
    t.like(await upload(), { kind: 'unsent', refusal: { code: 'OFFICIAL_ERROR' } }, String(id))
    t.is(server.asked.length, 1, String(id))
  }
})

test('an id arrives as it was given, or nothing is sent', async (t) => {
  const { server, upload } = await opened(t)
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary-ascii', maxLength: 12 }),
      fc.string({ unit: 'binary-ascii', maxLength: 12 }),
      async (path, sign) => {
        server.asked.length = 0
        const id = `upload:${path}?sig=${sign}`
        server.on(OPEN, { json: { id } })
        await upload()
        for (const { target } of server.asked.slice(1)) t.is(target, `/${id}`)
        t.true(server.asked.length <= 2)
      },
    ),
    { numRuns: 60 },
  )
})

test('an upload without a handle counts as refused or unsent, and each step is tried once', async (t) => {
  const { server, upload } = await opened(t)
  const cases: readonly (readonly [answer: Scripted, kind: 'refused' | 'unsent'])[] = [
    [graphError(100), 'refused'],
    [graphError(190, 401), 'refused'],
    [graphError(4), 'unsent'],
    [graphError(2, 503), 'unsent'],
    [graphError(100, 400, { is_transient: true }), 'unsent'],
    ['drop', 'unsent'],
    [{ status: 502, text: '<html>' }, 'unsent'],
    [{ json: {} }, 'unsent'],
    [{ json: { h: '' } }, 'unsent'],
    [{ text: '' }, 'unsent'],
  ]
  for (const [answer, kind] of cases) {
    server.asked.length = 0
    server.on(OPEN, answer)
    t.is((await upload()).kind, kind)
    t.is(server.asked.length, 1)
    server.on(OPEN, { json: { id: ID } }).on(SEND, answer)
    t.is((await upload()).kind, kind)
    t.is(server.asked.length, 3)
  }
})

test("the signed id of an upload is redacted in the upstream's error texts", async (t) => {
  const { server, upload } = await opened(t)
  server
    .on(OPEN, { json: { id: ID } })
    .on(SEND, graphError(100, 400, { message: `Object with ID '${ID}' does not exist` }))
  t.deepEqual(await upload(), {
    kind: 'refused',
    no: { upstreamCode: 100, upstreamSubcode: null, upstreamMessage: "Object with ID '***' does not exist" },
  })
})

test('a file that has gone is not sent', async (t) => {
  const { server, upload, file } = await opened(t)
  server.on(OPEN, { json: { id: ID } })
  await rm(file.path)
  t.like(await upload(), { kind: 'unsent', refusal: { code: 'OFFICIAL_ERROR' } })
  t.is(server.asked.length, 1)
})
