import test from 'ava'
import type { ExecutionContext } from 'ava'
import { mediaOps } from '../../../../src/providers/official/ops/media.ts'
import { CREDENTIALS, graphError, rig } from '../scripted-graph.ts'
import type { Scripted } from '../scripted-graph.ts'

const BYTES = Buffer.from([0xff, 0xd8, 0, 10, 13, 0x80])

/** Reads a medium. `{url}` in the first answer is replaced by the address of the second one. */
async function read(
  t: ExecutionContext,
  meta: Scripted,
  file: Scripted = { bytes: BYTES, headers: { 'content-type': 'image/jpeg' } },
  mediaId = '55',
) {
  const { server, graph, apiUrl } = await rig(t)
  server
    .on(`GET /${mediaId}`, JSON.parse(JSON.stringify(meta).replaceAll('{url}', `${apiUrl}/files/55`)) as Scripted)
    .on('GET /files/55', file)
  const outcome = await mediaOps(graph, CREDENTIALS).read(mediaId)
  return { outcome, server }
}

const META = {
  messaging_product: 'whatsapp',
  url: '{url}',
  mime_type: 'image/png',
  sha256: 'x',
  file_size: '6',
  id: '55',
}

test('a media is read in two steps, with the token and for the phone', async (t) => {
  const { outcome, server } = await read(t, { json: META })
  t.deepEqual(outcome, { ok: true, value: { bytes: BYTES, mimeType: 'image/png', fileName: null } })
  t.deepEqual(
    server.asked.map(({ path, query }) => ({ path, query })),
    [
      { path: '/55', query: { phone_number_id: '1001' } },
      { path: '/files/55', query: {} },
    ],
  )
  for (const { headers } of server.asked) t.is(headers.authorization, `Bearer ${CREDENTIALS.accessToken}`)
})

test('the name of a media is that of its download', async (t) => {
  const name = async (disposition: string) => {
    const { outcome } = await read(
      t,
      { json: { url: '{url}' } },
      { bytes: BYTES, headers: { 'content-type': 'application/pdf', 'content-disposition': disposition } },
    )
    return outcome.ok ? [outcome.value.fileName, outcome.value.mimeType] : outcome.error
  }
  t.deepEqual(await name('attachment; filename="a file.pdf"'), ['a file.pdf', 'application/pdf'])
  t.deepEqual(await name('attachment;filename=a.pdf'), ['a.pdf', 'application/pdf'])
  t.deepEqual(await name('inline'), [null, 'application/pdf'])
})

const FAILURES: readonly (readonly [name: string, meta: Scripted, file: Scripted | undefined, code: string])[] = [
  ['an id upstream does not know', graphError(100, 400, { error_subcode: 33 }), undefined, 'NOT_FOUND'],
  ['a media of another phone', graphError(100), undefined, 'NOT_FOUND'],
  ['a media upstream could not take', graphError(131052), undefined, 'NOT_FOUND'],
  ['an id of something else', { json: { id: '55', name: 'an account' } }, undefined, 'NOT_FOUND'],
  ['an address that has expired', { json: META }, { status: 404, text: '' }, 'NOT_FOUND'],
  ['an expired address with an error', { json: META }, graphError(1, 404), 'NOT_FOUND'],
  ['a file that cannot be had', { json: META }, { status: 500, text: 'no' }, 'MEDIA_READ_FAILED'],
  ['a file cut off', { json: META }, 'drop', 'MEDIA_READ_FAILED'],
  ['a redirect', { json: META }, { status: 302, headers: { location: 'https://example.com' } }, 'MEDIA_READ_FAILED'],
  ['a token that ran out', graphError(190, 401), undefined, 'MEDIA_READ_FAILED'],
  ['a file larger than 100 MB', { json: { ...META, file_size: 104_857_601 } }, undefined, 'MEDIA_READ_FAILED'],
  [
    'an address in the open at another host',
    { json: { ...META, url: 'http://example.com/files/55' } },
    undefined,
    'MEDIA_READ_FAILED',
  ],
  ['an address that is none', { json: { ...META, url: 'file:///etc/passwd' } }, undefined, 'MEDIA_READ_FAILED'],
]
for (const [name, meta, file, code] of FAILURES) {
  // [media.inbound.8]
  test(`${name} is ${code}`, async (t) => {
    const { outcome, server } = await read(t, meta, file)
    t.like(outcome, { ok: false, error: { code } })
    if (file === undefined) t.false(server.asked.some(({ path }) => path === '/files/55'))
  })
}

test('a media that could not be read comes with upstream’s reason', async (t) => {
  const { outcome } = await read(t, { json: META }, graphError(131000, 500))
  t.like(outcome, { ok: false, error: { details: { upstreamCode: 131000, upstreamMessage: '(#131000) Title' } } })
})

test('a fault at the first step is waited out', async (t) => {
  const { server, graph, apiUrl } = await rig(t)
  server
    .on('GET /55', graphError(2, 500), { json: { ...META, url: `${apiUrl}/files/55` } })
    .on('GET /files/55', { bytes: BYTES })
  t.true((await mediaOps(graph, CREDENTIALS).read('55')).ok)
})

test('an id cannot name another path', async (t) => {
  const { server } = await read(t, { json: META }, undefined, '../1001/messages?a=b')
  t.is(server.asked[0]?.path, '/..%2F1001%2Fmessages%3Fa%3Db')
})
