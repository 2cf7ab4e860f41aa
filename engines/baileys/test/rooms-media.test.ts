import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import { startEngineProcess, TOKEN } from './helpers/engine-process.ts'
import { link, sharedScope, type Linked } from './helpers/linked.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'
import type { Network } from './network/network.ts'

const { scope, end } = sharedScope()
let network: Network
let ana: Linked
let enginePort: number
let folder: string
/** The files that the gateway prepared, by path. */
const prepared = new Map<string, Buffer>()
let gatewayUrl: string

test.before('a number is linked', async () => {
  network = await networkFor(scope)
  folder = temporaryFolder(scope)
  const engine = await startEngineProcess(scope, network, folder, { NODE_EXTRA_CA_CERTS: network.caFile })
  enginePort = engine.port
  ana = await link(scope, network, engine.port, '5511900000002', { settings: { stories: true } })
  const gateway = createServer((request, response) => {
    const bytes = prepared.get(request.url ?? '')
    if (bytes) response.end(bytes)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  scope.teardown(() => gateway.close())
  gatewayUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
})

test.after.always('all is closed', end)

function prepare(bytes: Buffer): string {
  const path = `/${randomBytes(8).toString('hex')}`
  prepared.set(path, bytes)
  return `${gatewayUrl}${path}`
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('an image comes in byte for byte, at an address for one fetch', async (t) => {
  const bia = network.phone('5511900000202')
  const bytes = randomBytes(150_001)
  const id = await bia.media(ana.number, { kind: 'image', bytes, mimetype: 'image/png', caption: 'look' })
  const { content } = await ana.told('message.received', id)
  t.like(content, { type: 'image', text: 'look', media: { mimeType: 'image/png' } })
  const { url } = content.media
  const response = await fetch(url)
  t.is(response.status, 200)
  t.deepEqual(Buffer.from(await response.arrayBuffer()), bytes)
  t.is((await fetch(url)).status, 404)
  t.is((await fetch(url.replace(/[^/]+$/, 'guessed'))).status, 404)
  t.false(JSON.stringify(content).includes('mediaKey'))
})

test('a voice note comes in as one, byte for byte', async (t) => {
  const bytes = randomBytes(20_000)
  const id = await network
    .phone('5511900000203')
    .media(ana.number, { kind: 'voice', bytes, mimetype: 'audio/ogg; codecs=opus', seconds: 3 })
  const { content } = await ana.told('message.received', id)
  t.like(content, { type: 'audio', media: { mimeType: 'audio/ogg; codecs=opus', voice: true } })
  t.deepEqual(Buffer.from(await (await fetch(content.media.url)).arrayBuffer()), bytes)
})

// [engines.baileys-duties.8]
test('a gateway that shows its bearer at the engine is the only one who gets a media there, and nobody else uses the address up', async (t) => {
  const number = '5511900000003'
  const there = await link(scope, network, enginePort, number, { mediaBearerOrigin: `http://127.0.0.1:${enginePort}` })
  const bytes = randomBytes(10_000)
  const id = await network
    .phone('5511900000204')
    .media(number, { kind: 'document', bytes, mimetype: 'application/pdf', fileName: 'b.pdf' })
  const {
    content: {
      media: { url },
    },
  } = await there.told('message.received', id)
  const status = async (authorization: string | null): Promise<number> =>
    (await fetch(url, { headers: authorization === null ? {} : { authorization } })).status
  t.is(await status(null), 401)
  t.is(await status('Bearer another token of 16'), 401)
  const response = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })
  t.deepEqual(Buffer.from(await response.arrayBuffer()), bytes)
  t.is(await status(`Bearer ${TOKEN}`), 404)
})

test('a media that the network has forgotten is answered 410', async (t) => {
  const id = await network
    .phone('5511900000205')
    .media(ana.number, { kind: 'document', bytes: randomBytes(100), mimetype: 'application/pdf', fileName: 'a.pdf' })
  const { content } = await ana.told('message.received', id)
  t.is(content.media.fileName, 'a.pdf')
  const sent = network.phone('5511900000205').state.sent.get(id)
  network.media.store.expire(sent?.message.documentMessage?.directPath ?? '')
  t.is((await fetch(content.media.url)).status, 410)
})

// [engines.baileys-duties.8]
test('image, voice note and document go out byte for byte', async (t) => {
  const cleo = network.phone('5511900000206')
  const voice = randomBytes(30_000)
  const document = randomBytes(200_000)
  const waveform = Array.from({ length: 64 }, (_, index) => index)
  const send = async (messageId: string, content: object): Promise<string> => {
    const answer = await ana.client.ask('message.send', { messageId, to: cleo.number, content })
    if (answer.result?.externalMessageId === undefined) throw new Error(JSON.stringify(answer.error))
    return String(answer.result.externalMessageId)
  }
  const image = await send('m1', { type: 'image', text: 'see', media: { url: prepare(PNG), mimeType: 'image/png' } })
  const note = await send('m2', {
    type: 'audio',
    media: { url: prepare(voice), mimeType: 'audio/ogg; codecs=opus', voice: true, waveform },
  })
  const file = await send('m3', {
    type: 'document',
    media: { url: prepare(document), mimeType: 'application/pdf', fileName: 'offer.pdf' },
  })
  const received = await Promise.all([image, note, file].map((id) => cleo.find((message) => message.id === id)))
  t.deepEqual(await Promise.all(received.map((message) => cleo.open(message))), [PNG, voice, document])
  const [ofImage, ofNote, ofFile] = received.map(({ message }) => message)
  t.like(ofImage?.imageMessage, { caption: 'see', mimetype: 'image/png' })
  t.true(ofNote?.audioMessage?.ptt)
  t.deepEqual([...(ofNote?.audioMessage?.waveform ?? [])], waveform)
  t.is(ofFile?.documentMessage?.fileName, 'offer.pdf')
})

test('a send whose file the gateway does not have is refused for good', async (t) => {
  const answer = await ana.client.ask('message.send', {
    messageId: 'm4',
    to: '5511900000206',
    content: { type: 'image', media: { url: `${gatewayUrl}/none`, mimeType: 'image/png' } },
  })
  t.like(answer.error, { code: 'FAILED', retryable: false })
})

// [bridge.ops.7]
test('groups are told, listed, made and changed; what is said in them goes both ways', async (t) => {
  const [dora, eva] = [network.phone('5511900000207'), network.phone('5511900000208')]
  const group = network.createGroup(dora, 'Friends', [ana.phone, eva])
  const id = await dora.text(group.id, 'hello group')
  t.like(await ana.told('message.received', id), {
    from: dora.number,
    group: { id: group.id, name: 'Friends' },
    content: { text: 'hello group' },
  })
  t.deepEqual(
    (await ana.client.ask('group.list')).result.filter((one: { id: string }) => one.id === group.id),
    [{ id: group.id, name: 'Friends' }],
  )
  const sent = await ana.client.ask('message.send', {
    messageId: 'g1',
    to: group.id,
    content: { type: 'text', text: 'hello friends' },
  })
  t.is((await eva.find((message) => message.id === sent.result?.externalMessageId)).chat, group.id)
  await ana.told('message.status', sent.result?.externalMessageId, ({ status }) => status === 'DELIVERED')
  const made = (await ana.client.ask('group.create', { subject: 'Work', participants: [dora.number] })).result
  t.like(made, {
    name: 'Work',
    participants: [
      { number: ana.number, isAdmin: true },
      { number: dora.number, isAdmin: false },
    ],
  })
  const more = (
    await ana.client.ask('group.participants', { groupId: made.id, action: 'add', participants: [eva.number] })
  ).result
  t.deepEqual(
    more.participants.map(({ number }: { number: string }) => number),
    [ana.number, dora.number, eva.number],
  )
  const less = (
    await ana.client.ask('group.participants', { groupId: made.id, action: 'remove', participants: [eva.number] })
  ).result
  t.deepEqual((await ana.client.ask('group.get', { groupId: made.id })).result, less)
  t.like((await ana.client.ask('group.get', { groupId: '120363999999999999@g.us' })).error, { code: 'NOT_FOUND' })
  t.like((await ana.client.ask('group.create', { subject: 'None', participants: ['5511900000004'] })).error, {
    code: 'NOT_REGISTERED',
  })
})

test('members of a group who hide their numbers are told by them', async (t) => {
  const [fay, gil] = [network.phone('5511900000209'), network.phone('5511900000210')]
  const group = network.createGroup(fay, 'Hidden', [ana.phone, gil], { hidden: true })
  const id = await gil.text(group.id, 'it is me')
  t.is((await ana.told('message.received', id))['from'], gil.number)
  const { participants } = (await ana.client.ask('group.get', { groupId: group.id })).result
  t.deepEqual(
    participants.map(({ number }: { number: string }) => number),
    [fay.number, ana.number, gil.number],
  )
})

// [bridge.ops.8]
test('channels are listed, and their posts told as theirs', async (t) => {
  const newsletter = network.createNewsletter(network.phone('5511900000211'), 'News of the day')
  network.newsletters.follow(ana.phone.account, newsletter.id)
  t.deepEqual((await ana.client.ask('newsletter.list')).result, [{ id: newsletter.id, name: 'News of the day' }])
  const id = network.newsletters.post(newsletter, { conversation: 'extra' })
  t.like(await ana.told('message.received', id), {
    from: newsletter.id,
    newsletter: { id: newsletter.id, name: 'News of the day' },
    content: { text: 'extra' },
  })
})

test('a story is only told to a gateway that asked for stories', async (t) => {
  const hal = network.phone('5511900000212')
  t.like(await ana.told('message.received', await hal.story('my day')), {
    from: hal.number,
    story: true,
    content: { type: 'text', text: 'my day' },
  })
  await ana.client.ask('settings.set', { settings: {} })
  const unseen = await hal.story('my night')
  const last = await hal.text(ana.number, 'after the story')
  await ana.told('message.received', last)
  t.false(ana.client.events.some(({ externalMessageId }) => externalMessageId === unseen))
})

// [engines.baileys-duties.6]
test('history is told only when it was asked for, as history, oldest first', async (t) => {
  const silent = ana
  await silent.phone.pushHistory({ messages: 20 })
  const engine = await startEngineProcess(t, network, temporaryFolder(t), { NODE_EXTRA_CA_CERTS: network.caFile })
  const ida = await link(t, network, engine.port, '5511900000003', { historyImport: true })
  await ida.phone.pushHistory({ messages: 1_000, hidden: true })
  const historical = (): { timestamp: number; from: string }[] =>
    ida.client.events.filter(({ historical: is }) => is === true) as never
  await ida.client.find(() => historical().length === 1_000)
  const events = historical()
  t.deepEqual(
    events.filter(({ from }) => !/^\d+$/.test(from)),
    [],
  )
  t.is(
    new Set(ida.client.events.filter(({ historical: is }) => is === true).map((event) => event['externalMessageId']))
      .size,
    1_000,
  )
  t.false(silent.client.events.some(({ historical: is }) => is === true))
})
