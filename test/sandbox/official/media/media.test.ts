import { createHash } from 'node:crypto'
import test from 'ava'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { until } from '../../../helpers/until.ts'
import { openFileHost, webp } from '../../file-host.ts'
import { BUSINESS, startOfficial, USER, type OfficialPlayground } from '../official-playground.ts'

const PEER = `${USER}0001`
const BYTES = Buffer.from('not really an image\r\n--but bytes')

async function open(): Promise<OfficialPlayground> {
  const official = await startOfficial({}, { clock: new FakeClock() })
  await official.subscribe()
  await official.control('POST', `/peers/${PEER}/messages`, { to: BUSINESS, text: 'hi' })
  return official
}

async function upload(
  { base, seeded }: OfficialPlayground,
  bytes: Buffer,
  type: string,
  product: string = 'whatsapp',
): Promise<any> {
  const form = new FormData()
  form.set('messaging_product', product)
  form.set('type', type)
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), 'the "file".bin')
  const response = await fetch(`${base}/official/v24.0/${seeded.phoneId}/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seeded.accessToken}` },
    body: form,
  })
  return await response.json()
}

function send({ graph, seeded }: OfficialPlayground, type: string, content: object) {
  return graph('POST', `${seeded.phoneId}/messages`, { messaging_product: 'whatsapp', to: PEER, type, [type]: content })
}

test('an uploaded media is described, downloaded with the token for 5 min, and deleted', async (t) => {
  const official = await open()
  const { graph, seeded, advance } = official
  const { id } = await upload(official, BYTES, 'image/png')
  const { body } = await graph('GET', `${id}?phone_number_id=${seeded.phoneId}`)
  t.like(body, {
    id,
    messaging_product: 'whatsapp',
    mime_type: 'image/png',
    file_size: BYTES.length,
    sha256: createHash('sha256').update(BYTES).digest('hex'),
  })
  const authorized = { headers: { authorization: `Bearer ${seeded.accessToken}` } }
  const response = await fetch(body.url, authorized)
  t.is(response.headers.get('content-type'), 'image/png')
  t.deepEqual(Buffer.from(await response.arrayBuffer()), BYTES)
  t.is((await fetch(body.url)).status, 404)
  t.is((await fetch(body.url, { headers: { authorization: 'Bearer x' } })).status, 404)
  t.is((await fetch(`${body.url}x`, authorized)).status, 404)
  await advance(5 * 60_000)
  t.is((await fetch(body.url, authorized)).status, 404)
  t.is((await graph('GET', `${id}?phone_number_id=1`)).body.error.error_subcode, 33)
  t.deepEqual((await graph('DELETE', id)).body, { success: true })
  t.is((await graph('GET', id)).body.error.error_subcode, 33)
  await official.close()
})

test('an upload of another type, without its product, or over the ceiling is refused', async (t) => {
  const official = await open()
  const wrong = await upload(official, BYTES, 'application/zip')
  t.is(wrong.error.code, 100)
  t.regex(wrong.error.message, /^\(#100\) Param file must be a file with one of the following types: audio\/aac, /)
  t.is((await upload(official, BYTES, 'image/png', 'other')).error.code, 100)
  t.is((await upload(official, Buffer.alloc(5 * 1024 * 1024 + 1), 'image/png')).error.code, 100)
  t.is(
    (await official.graph('POST', `${official.seeded.phoneId}/media`, { messaging_product: 'whatsapp' })).body.error
      .code,
    100,
  )
  await official.close()
})

test('an uploaded media lives 30 days', async (t) => {
  const official = await open()
  const { id } = await upload(official, BYTES, 'image/png')
  await official.advance(30 * 86_400_000 - 1)
  t.is((await official.graph('GET', id)).status, 200)
  await official.advance(1)
  t.is((await official.graph('GET', id)).status, 400)
  await official.close()
})

test('a media goes out by id or by link, and the inbox tells what was in it', async (t) => {
  const host = await openFileHost()
  const official = await startOfficial()
  await official.subscribe()
  await official.control('POST', `/peers/${PEER}/messages`, { to: BUSINESS, text: 'hi' })
  const { id } = await upload(official, BYTES, 'image/png')
  await send(official, 'image', { id, caption: 'look' })
  await send(official, 'document', { link: host.url(BYTES, 'application/pdf'), filename: 'a.pdf' })
  const { messages } = await until('both came', async () => {
    const inbox = await official.get(`/control/peers/${PEER}/inbox`)
    return inbox.messages.length === 2 ? inbox : null
  })
  t.like(messages[0], {
    type: 'image',
    text: 'look',
    media: [{ mediaId: id, mimeType: 'image/png', size: BYTES.length }],
  })
  t.like(messages[1], { type: 'document', media: [{ mediaId: null, mimeType: 'application/pdf' }] })
  const response = await fetch(`${official.base}/control/messages/${messages[1].externalMessageId}/media`)
  t.deepEqual(Buffer.from(await response.arrayBuffer()), BYTES)
  host.close()
  await official.close()
})

test('an unknown id is refused at once, a media that cannot be used by a failed status', async (t) => {
  const host = await openFileHost()
  const official = await startOfficial()
  const { receiver } = official
  await official.subscribe()
  await official.control('POST', `/peers/${PEER}/messages`, { to: BUSINESS, text: 'hi' })
  t.is((await send(official, 'image', { id: '1' })).body.error.code, 100)
  const { id } = await upload(official, BYTES, 'image/png')
  const cases: [string, object][] = [
    ['image', { link: host.url(BYTES, 'image/gif') }],
    ['image', { link: `${host.url(BYTES, 'image/png')}/gone` }],
    ['video', { id }],
    ['sticker', { link: host.url(webp(511, 512), 'image/webp') }],
    ['sticker', { link: host.url(webp(512, 512, { sizeBytes: 100 * 1024 + 1 }), 'image/webp') }],
    ['sticker', { link: host.url(BYTES, 'image/webp') }],
  ]
  for (const [type, content] of cases) {
    const { status, body } = await send(official, type, content)
    t.is(status, 200)
    const failed = await until('it failed', () => receiver.statusesOf(body.messages[0].id)[0])
    t.like(failed, { status: 'failed', errors: [{ code: 131053 }] })
  }
  t.deepEqual((await official.get(`/control/peers/${PEER}/inbox`)).messages, [])
  const animated = await send(official, 'sticker', {
    link: host.url(webp(512, 512, { isAnimated: true, sizeBytes: 100 * 1024 + 1 }), 'image/webp'),
  })
  await until('it was read', () => receiver.statusesOf(animated.body.messages[0].id).length === 3)
  host.close()
  await official.close()
})

test('a media of a user comes with an id that can be downloaded for 7 days', async (t) => {
  const official = await open()
  const { receiver, control, graph, seeded, advance } = official
  const media = { base64: BYTES.toString('base64'), mimeType: 'audio/ogg; codecs=opus', voice: true }
  await control('POST', `/peers/${PEER}/messages`, { to: BUSINESS, type: 'audio', media })
  const { audio } = await until('it came', () => receiver.messages().find(({ type }) => type === 'audio'))
  t.like(audio, { mime_type: media.mimeType, voice: true, sha256: createHash('sha256').update(BYTES).digest('base64') })
  const { body } = await graph('GET', audio.id)
  const response = await fetch(body.url, { headers: { authorization: `Bearer ${seeded.accessToken}` } })
  t.deepEqual(Buffer.from(await response.arrayBuffer()), BYTES)
  await advance(7 * 86_400_000)
  t.is((await graph('GET', audio.id)).status, 400)
  t.is(
    (
      await control('POST', `/peers/${PEER}/messages`, {
        to: BUSINESS,
        type: 'image',
        media: { url: 'http://192.0.2.1/x', mimeType: 'image/png' },
      })
    ).status,
    422,
  )
  await official.close()
})
