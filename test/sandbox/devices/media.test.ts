import { createHash } from 'node:crypto'
import test from 'ava'
import { until } from '../../helpers/until.ts'
import { GATEWAY_NUMBER, startPlayground } from '../bridge-client.ts'
import { openFileHost } from '../file-host.ts'

const PEER = '5511990000001'
const BYTES = Buffer.from('an image')

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

test('the engine fetches a media before it answers, and the inbox tells what it found', async (t) => {
  const host = await openFileHost()
  const { sandbox, get, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const waveform = [0, 50, 100]
  const media = { url: host.url(BYTES, 'audio/ogg'), mimeType: 'audio/ogg; codecs=opus', voice: true, waveform }
  const { externalMessageId } = await client.result('message.send', {
    messageId: 'm1',
    to: PEER,
    content: { type: 'audio', media },
  })
  t.is(host.asked.length, 1)
  const {
    messages: [message],
  } = await get(`/control/peers/${PEER}/inbox`)
  t.deepEqual(message.media, [
    {
      sha256: sha256(BYTES),
      size: BYTES.length,
      mimeType: 'audio/ogg; codecs=opus',
      fileName: null,
      voice: true,
      waveform,
    },
  ])
  const response = await fetch(`http://127.0.0.1:${sandbox.port}/control/messages/${externalMessageId}/media`)
  t.deepEqual(Buffer.from(await response.arrayBuffer()), BYTES)
  host.close()
  await sandbox.close()
})

test('a media that cannot be had fails the message for good, and nothing is delivered', async (t) => {
  const host = await openFileHost()
  const { sandbox, get, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const good = host.url(BYTES, 'image/png')
  for (const url of [
    `${good}/gone`,
    'http://127.0.0.1:1/x',
    'http://192.0.2.1/x',
    'https://localhost/x',
    'not an address',
  ]) {
    const answer = await client.ask('message.send', {
      messageId: 'm1',
      to: PEER,
      content: { type: 'image', media: { url, mimeType: 'image/png' } },
    })
    t.deepEqual(answer.ok ? null : answer.error, { code: 'FAILED', message: 'media', retryable: false })
  }
  t.deepEqual((await get(`/control/peers/${PEER}/inbox`)).messages, [])
  t.true(
    (
      await client.ask('message.send', {
        messageId: 'm1',
        to: PEER,
        content: { type: 'image', media: { url: good, mimeType: 'image/png' } },
      })
    ).ok,
  )
  host.close()
  await sandbox.close()
})

test('the same message twice at once is fetched and delivered once', async (t) => {
  const host = await openFileHost()
  const { sandbox, get, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const request = {
    messageId: 'm1',
    to: PEER,
    content: { type: 'image', media: { url: host.url(BYTES, 'image/png'), mimeType: 'image/png' } },
  }
  const [first, second] = await Promise.all([
    client.result('message.send', request),
    client.result('message.send', request),
  ])
  t.deepEqual(first, second)
  t.is(host.asked.length, 1)
  await until('it was read', () => client.all('message.status').length === 3)
  t.is((await get(`/control/peers/${PEER}/inbox`)).messages.length, 1)
  host.close()
  await sandbox.close()
})

test('large media are measured and not kept, and each card of a carousel has its own', async (t) => {
  const host = await openFileHost()
  const { sandbox, get, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const large = Buffer.alloc(1024 * 1024 + 1)
  const cards = [
    { image: host.url(BYTES, 'image/png'), text: 'a' },
    { media: { url: host.url(large, 'image/jpeg'), mimeType: 'image/jpeg' }, text: 'b' },
  ]
  const { externalMessageId } = await client.result('message.send', {
    messageId: 'm1',
    to: PEER,
    content: { type: 'carousel', text: 'look', cards },
  })
  const {
    messages: [message],
  } = await get(`/control/peers/${PEER}/inbox`)
  t.like(message.media, [
    { size: BYTES.length, mimeType: 'image/png' },
    { size: large.length, sha256: sha256(large), mimeType: 'image/jpeg' },
  ])
  const base = `http://127.0.0.1:${sandbox.port}/control/messages/${externalMessageId}/media`
  t.is((await fetch(base)).status, 200)
  t.is((await fetch(`${base}?index=1`)).status, 404)
  host.close()
  await sandbox.close()
})

test('a media that a peer sends as bytes is served by the sandbox', async (t) => {
  const { sandbox, post, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const media = { base64: BYTES.toString('base64'), mimeType: 'image/png', fileName: 'a.png' }
  t.is(
    (await post(`/control/peers/${PEER}/messages`, { to: GATEWAY_NUMBER, type: 'image', text: 'see', media })).status,
    201,
  )
  const { content } = await client.event('message.received')
  t.like(content, {
    type: 'image',
    text: 'see',
    media: { mimeType: 'image/png', fileName: 'a.png', size: BYTES.length },
  })
  const response = await fetch(content.media?.url ?? '')
  t.is(response.headers.get('content-type'), 'image/png')
  t.deepEqual(Buffer.from(await response.arrayBuffer()), BYTES)
  t.is((await fetch(`http://127.0.0.1:${sandbox.port}/media/unknown`)).status, 404)
  await sandbox.close()
})

test('a peer that answers with the same text answers nothing to a media without one', async (t) => {
  const host = await openFileHost()
  const { sandbox, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const media = { url: host.url(BYTES, 'image/png'), mimeType: 'image/png' }
  await client.result('message.send', { messageId: 'm1', to: '5511990000005', content: { type: 'image', media } })
  await client.result('message.send', {
    messageId: 'm2',
    to: '5511990000005',
    content: { type: 'image', text: 'look', media },
  })
  t.deepEqual((await client.event('message.received')).content, { type: 'text', text: 'look' })
  t.is(client.all('message.received').length, 1)
  host.close()
  await sandbox.close()
})
