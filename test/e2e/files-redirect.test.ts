import test from 'ava'
import { askToMintLogin } from '../../src/gateway/login-desk.ts'
import { sine } from '../../tools/demo/signal.ts'
import { png } from '../files/make-media.ts'
import { startBucket, type BucketServer } from '../helpers/bucket-server.ts'
import { inBrowser, openBrowser } from '../helpers/browser.ts'
import { FAST, mediaBytes, newPeer, send, untilInbox, untilTold, write } from '../helpers/message-service.ts'
import { Service, type PairedNumber } from '../helpers/service.ts'
import { SessionClient } from '../helpers/session-client.ts'
import { TONE_PEER } from '../helpers/speaking-bot.ts'
import { until } from '../helpers/until.ts'

let server: BucketServer
let service: Service
let number: PairedNumber
let endBucket: () => unknown = () => {}

test.before(async () => {
  server = await startBucket({ teardown: (end) => void (endBucket = end) })
  service = await Service.start({ env: { ...FAST, ...server.env, FILES_REDIRECT: 'on' } })
  number = await service.pairNumber()
})

test.after.always(async () => {
  await service?.stop()
  await endBucket()
})

/** Has somebody send a file; resolves to its address at the gateway. */
async function received(type: string, bytes: Buffer, mimeType: string): Promise<string> {
  const media = { base64: bytes.toString('base64'), mimeType }
  const id = await write(service, newPeer(), number, { type, media })
  const link = (await untilTold(service, number, 'message.received', id)).data['mediaLink'] as string
  return service.base + new URL(link).pathname
}

/** Asks for an address, following nothing. */
function ask(address: string, init: RequestInit = {}): Promise<Response> {
  return fetch(address, { redirect: 'manual', ...init })
}

async function bytesOf(answer: Response): Promise<Buffer> {
  return Buffer.from(await answer.arrayBuffer())
}

const locationOf = (answer: Response) => answer.headers.get('location') ?? ''

// [operation.files.4]
test.serial('the link of a file leads to a presigned address with its type and name, for a minute', async (t) => {
  const bytes = await png()
  const link = await received('image', bytes, 'image/png')
  const led = await ask(link)
  t.is(led.status, 302)
  t.is(led.headers.get('cache-control'), 'private, no-store')
  t.is(led.headers.get('referrer-policy'), 'no-referrer')
  t.is(await led.text(), '')
  const address = locationOf(led)
  t.true(address.startsWith(`${server.settings.url}/cms/media/file_`), address)
  t.is(new URL(address).searchParams.get('X-Amz-Expires'), '60')
  t.false(address.includes('Secret'))

  const file = await ask(address)
  t.is(file.status, 200)
  t.is(file.headers.get('content-type'), 'image/png')
  t.regex(file.headers.get('content-disposition') ?? '', /^inline/)
  t.deepEqual(await bytesOf(file), bytes)
  const part = await fetch(link, { headers: { range: 'bytes=1-3' } })
  t.is(part.status, 206)
  t.deepEqual(await bytesOf(part), bytes.subarray(1, 4))
  const head = await fetch(link, { method: 'HEAD' })
  t.like(head, { status: 200, redirected: true })
  t.is(head.headers.get('content-length'), String(bytes.length))
  const logged = () => service.gateway.output.join('')
  await until('the request is logged', () => logged().includes('/media/{fileId}/{fileName}'))
  t.false(logged().includes('X-Amz-'))
})

// [operation.files.4]
test.serial(
  'what a browser would run is saved, and nobody can change that, or another file, in the address',
  async (t) => {
    const link = await received('document', Buffer.from('<html><script>1</script></html>'), 'text/html')
    const address = new URL(locationOf(await ask(link)))
    const file = await ask(address.href)
    t.is(file.status, 200)
    t.regex(file.headers.get('content-disposition') ?? '', /^attachment/)
    t.is(file.headers.get('content-type'), address.searchParams.get('response-content-type'))
    for (const [name, value] of [
      ['response-content-disposition', 'inline'],
      ['response-content-type', 'text/html'],
      ['X-Amz-Expires', '604800'],
    ] as const) {
      const changed = new URL(address)
      changed.searchParams.set(name, value)
      t.is((await ask(changed.href)).status, 403, name)
    }
    const other = new URL(address)
    other.pathname = other.pathname.replace(/.$/, '_')
    t.is((await ask(other.href)).status, 403)
  },
)

// [operation.files.4] [operation.files.5]
test.serial('a file that the bucket does not have yet, or that it cannot give now, is served from here', async (t) => {
  const bytes = await png()
  const kept = await received('image', bytes, 'image/png')
  t.is((await ask(kept)).status, 302)
  server.fail('denying')
  const waiting = await received('image', bytes, 'image/png')
  for (const link of [kept, waiting]) {
    const answer = await ask(link)
    t.is(answer.status, 200)
    t.is(answer.headers.get('content-type'), 'image/png')
    t.deepEqual(await bytesOf(answer), bytes)
  }
  server.fail(null)
  await until('it leads to the bucket', async () => (await ask(waiting)).status === 302)
})

// [operation.files.4]
test.serial('engines, which follow no redirect, get the files of messages themselves', async (t) => {
  const [bytes, peer] = [await png(), newPeer()]
  const media = `data:image/png;base64,${bytes.toString('base64')}`
  await send(service, number, { destinationNumber: peer, media, mediaType: 'image' })
  const [item] = await untilInbox(service, peer, number, 1)
  t.deepEqual(await mediaBytes(service, item.externalMessageId), bytes)
  const link = await received('image', bytes, 'image/png')
  t.is((await ask(`${link}?redirect=off`)).status, 200)
})

async function recordedCall(): Promise<string> {
  const { id } = (await service.api('POST', '/v1/calls', number.key, { to: `+${TONE_PEER}`, record: true })).body
  const { wsUrl } = (await service.api('POST', `/v1/calls/${id}/realtime-session`, number.key)).body
  const client = await SessionClient.connect(wsUrl)
  await client.untilStatus('ACCEPTED')
  client.speak(sine(1_000, 500, 16_000))
  client.send({ type: 'mark', name: 'said' })
  await client.until('mark', ({ name }) => name === 'said')
  await service.endCall(number, id)
  return id as string
}

// [operation.files.4]
inBrowser('the dashboard plays a recording from the bucket, and who asks by key gets it from here', async (t) => {
  const id = await recordedCall()
  const headers = { 'x-api-key': number.key }
  const byKey = () => ask(`${service.base}/v1/calls/${id}/recording`, { headers })
  await until('the recording is whole', async () => (await byKey()).status === 200)
  const page = await (await openBrowser(t)).newPage()
  const login = await askToMintLogin(service.dataDir, null)
  if (login === null) return t.fail('no gateway runs')
  await page.goto(login.url)
  await page.locator('main[data-page=overview]').waitFor()
  await page.goto(`${new URL(login.url).origin}/dashboard/calls/${id}`)
  await page.locator('[data-recording] audio').waitFor()
  const asked = server.asked.length
  const seconds = await page.evaluate<unknown>(
    `new Promise((resolve) => {
      const audio = document.querySelector('[data-recording] audio')
      audio.addEventListener('loadedmetadata', () => resolve(audio.duration))
      audio.addEventListener('error', () => resolve(audio.error.message))
      audio.preload = 'auto'
      audio.load()
    })`,
  )
  t.true(Number(seconds) > 0.4, `it lasts ${String(seconds)} s`)
  t.true(
    server.asked.slice(asked).some((line) => line.startsWith('GET /cms/media/') && line.includes('X-Amz-Signature')),
  )
})
