import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { installEngine, startEngine, type EnginePrograms } from '../../tools/demo/engine-programs.ts'
import { qrDataUri } from '../../src/http/routes/numbers/qr-png.ts'
import { png } from '../files/make-media.ts'
import { startFileHost } from '../helpers/file-host.ts'
import {
  eventsOf,
  FAST,
  historyOf,
  send,
  sendText,
  untilInHistory,
  untilStatus,
  untilTold,
} from '../helpers/message-service.ts'
import { Receiver } from '../helpers/receiver.ts'
import { Service, type PairedNumber } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'

/** Gateway, engine and offline network run as separate programs. The tests form one story and run in order. */
const OURS = '5511988887777'
const BIA = '5511999990002'
const TOKEN = 'token-of-the-story'

let folder: string
let programs: EnginePrograms
let service: Service
let receiver: Receiver
let number: PairedNumber

test.before(async () => {
  await installEngine()
  folder = await mkdtemp(join(tmpdir(), 'cms-engine-'))
  programs = await startEngine(join(folder, 'engine'), TOKEN)
  receiver = await Receiver.open()
  service = await Service.start({
    env: {
      ...FAST,
      SANDBOX: 'off',
      DEVICE_BRIDGE_URL: programs.bridgeUrl,
      DEVICE_BRIDGE_TOKEN: TOKEN,
      EGRESS_ALLOW: '127.0.0.0/8',
    },
  })
})

test.after.always(async () => {
  await service?.stop()
  programs?.stop()
  await receiver?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Makes a phone of the network do something. */
async function phone<T = any>(digits: string, verb: string, fields: object = {}): Promise<T> {
  return await programs.network.post<T>(`/control/phones/${digits}/${verb}`, fields)
}

async function received(digits: string): Promise<any[]> {
  return (await programs.network.get<{ messages: any[] }>(`/control/phones/${digits}/messages`)).messages
}

/** Waits until a matching message is on a phone; resolves to it. */
async function arrived(digits: string, fits: (message: any) => boolean): Promise<any> {
  return await until(`a message is on the phone ${digits}`, async () => (await received(digits)).find(fits))
}

async function mediaOnPhone(digits: string, id: string): Promise<Buffer> {
  const response = await fetch(`${programs.networkUrl}/control/phones/${digits}/messages/${id}/media`)
  return Buffer.from(await response.arrayBuffer())
}

async function devices(digits: string): Promise<any[]> {
  return (await programs.network.get<{ devices: any[] }>(`/control/phones/${digits}`)).devices
}

async function statusesOf(id: string): Promise<string[]> {
  return (await eventsOf(service, number, id)).map(({ event }) => event)
}

// [engines.baileys.4] [configuration.variables.15]
test.serial('POST /v1/numbers shows the code of the engine; the phone scans it, and the number is OPEN', async (t) => {
  const created = await service.api('POST', '/v1/numbers', service.tenantKey, { name: 'Engine', number: OURS })
  t.is(created.status, 201, created.text)
  const { id, apiKey } = created.body
  number = { id, digits: OURS, key: apiKey.key }
  // The engine may need longer for its first code than the creation of a number waits.
  const shown =
    created.body.qrcodeBase64
    ?? (await until(
      'a code is shown',
      async () => (await service.api('POST', `/v1/numbers/${id}/connect`, service.tenantKey)).body.qrcodeBase64,
    ))
  t.is(shown, qrDataUri(programs.code() ?? ''), 'what the phone scans is what the picture shows')
  t.is(created.body.pairingCode, null, 'nobody asked for a code to type')
  await phone(OURS, 'scan', { qr: programs.code() })
  await service.untilState(id, 'OPEN')
  t.like((await service.api('GET', `/v1/numbers/${id}`, service.tenantKey)).body, {
    state: 'OPEN',
    isFullyConnected: true,
    engine: { name: 'baileys' },
  })
  t.is((await devices(OURS)).length, 1)
  const hook = await service.api('POST', '/v1/webhooks', number.key, {
    url: receiver.endpoint('/hook'),
    events: ['message.stories'],
  })
  t.is(hook.status, 201, hook.text)
})

test.serial('texts go both ways, and what was sent is SENT, DELIVERED and READ', async (t) => {
  await phone(BIA, 'settings', { autoReceipt: 'read' })
  const { id } = await sendText(service, number, BIA, 'Your order is on its way.')
  const got = await arrived(BIA, ({ text }) => text === 'Your order is on its way.')
  t.like(got, { from: OURS, copies: 1 })
  t.like(await untilStatus(service, number, id, ['READ']), { externalMessageId: got.id, status: 'READ' })
  await until('all of it was told', async () => (await statusesOf(id)).includes('message.read'))
  t.deepEqual(
    (await statusesOf(id)).filter((event) => ['message.sent', 'message.delivered', 'message.read'].includes(event)),
    ['message.sent', 'message.delivered', 'message.read'],
  )
  const answer = await phone(BIA, 'text', { to: OURS, text: 'Thank you!' })
  t.like(await untilInHistory(service, number, answer.id), { from: BIA, content: 'Thank you!', direction: 'INBOUND' })
  t.like((await untilTold(service, number, 'message.received', answer.id)).data, {
    from: `+${BIA}`,
    content: 'Thank you!',
  })
})

// [identities.joining.2] [identities.looking-up.2]
test.serial(
  'a writer with a hidden number is answered, and one conversation with the number once it is shared',
  async (t) => {
    const hidden = '5511999990301'
    await phone(hidden, 'hide', { numberKnown: false })
    const first = await phone(hidden, 'text', { to: OURS, text: 'who am I' })
    const { from: lid, conversationId } = await untilInHistory(service, number, first.id)
    t.regex(lid, /^\d+@lid$/)
    await sendText(service, number, lid, 'Whoever you are, hello.')
    await arrived(hidden, ({ text }) => text === 'Whoever you are, hello.')
    await phone(hidden, 'tell-number', { to: OURS })
    const find = async () =>
      (await service.api('GET', '/v1/conversations', number.key)).body.conversations.find(
        ({ from }: { from: string }) => from === hidden,
      )
    const one = await until('the number is known', find)
    t.is(one.id, conversationId)
    t.deepEqual(
      one.identities.map(({ kind, value }: any) => [kind, value]),
      [
        ['PHONE', hidden],
        ['LID', lid],
      ],
    )
    await sendText(service, number, hidden, 'So it is you.')
    await arrived(hidden, ({ text }) => text === 'So it is you.')
    const { messages } = await historyOf(service, number, `&peer=${hidden}&direction=OUTBOUND`)
    t.deepEqual(
      messages.map((message: any) => [message.content, message.conversationId]),
      [
        ['So it is you.', conversationId],
        ['Whoever you are, hello.', conversationId],
      ],
    )
  },
)

test.serial('messages that we read show as read to their writer', async (t) => {
  const { id } = await phone(BIA, 'text', { to: OURS, text: 'Are you there?' })
  await untilInHistory(service, number, id)
  const read = await service.api('POST', '/v1/messages/read', number.key, { messageIds: [id] })
  t.deepEqual(read.body, { read: 1 })
  await until('Bia sees it', async () =>
    (await programs.network.get<{ receipts: any[] }>(`/control/phones/${BIA}`)).receipts.some(
      (receipt) => receipt.id === id && receipt.type === 'read',
    ),
  )
  t.pass()
})

test.serial(
  'an image and a voice note go both ways byte for byte, and only the gateway may fetch them of the engine',
  async (t) => {
    const picture = await png()
    const voice = readFileSync(new URL('../fixtures/tone-600hz.opus', import.meta.url))
    for (const [kind, mimetype, bytes] of [
      ['image', 'image/png', picture],
      ['voice', 'audio/ogg; codecs=opus', voice],
    ] as const) {
      const { id } = await phone(BIA, 'media', { to: OURS, kind, mimetype, base64: bytes.toString('base64') })
      const item = await until(`the ${kind} is kept`, async () => {
        const found = await untilInHistory(service, number, id)
        return typeof found.media?.url === 'string' ? found : null
      })
      t.deepEqual(Buffer.from(await (await fetch(item.media.url)).arrayBuffer()), bytes, `${kind} in`)
    }
    t.deepEqual(programs.fetchedBy, [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`])
    const host = await startFileHost(t, ({ url }, response) => {
      const isVoice = url === '/note.ogg'
      response.writeHead(200, { 'content-type': isVoice ? 'audio/ogg' : 'image/png' }).end(isVoice ? voice : picture)
    })
    await send(service, number, {
      destinationNumber: BIA,
      media: `${host.origin}/parcel.png`,
      mediaType: 'image',
      caption: 'Your parcel',
    })
    const image = await arrived(BIA, ({ text }) => text === 'Your parcel')
    t.deepEqual(await mediaOnPhone(BIA, image.id), picture, 'image out')
    await send(service, number, { destinationNumber: BIA, media: `${host.origin}/note.ogg`, mediaType: 'voice' })
    const note = await arrived(BIA, ({ message }) => message.audioMessage?.ptt === true)
    t.deepEqual(await mediaOnPhone(BIA, note.id), voice, 'voice out')
  },
)

// [message-verbs.modes.1] [message-verbs.modes.2] [message-verbs.modes.3] [message-verbs.modes.4]
test.serial('a place, a card, a list in words and a reaction are on the phone as such', async (t) => {
  const location = { latitude: -23.5, longitude: -46.5, name: 'Acme' }
  await send(service, number, { destinationNumber: BIA, location })
  const place = await arrived(BIA, ({ message }) => message.locationMessage)
  t.like(place.message.locationMessage, { degreesLatitude: -23.5, degreesLongitude: -46.5, name: 'Acme' })
  const card = {
    name: { formatted: 'Ana Lima' },
    phones: [{ phone: '+55 11 99999-0009' }],
    emails: ['ana@example.com'],
  }
  await send(service, number, { destinationNumber: BIA, contacts: [card] })
  const cards = await arrived(BIA, ({ message }) => message.contactMessage ?? message.contactsArrayMessage)
  const { vcard } = cards.message.contactMessage ?? cards.message.contactsArrayMessage.contacts[0]
  t.regex(vcard, /FN:Ana Lima\n[^]*waid=5511999990009:[^]*EMAIL:ana@example.com/)
  const list = { text: 'Which?', button: 'Open', sections: [{ rows: [{ id: 'a', title: 'This one' }] }] }
  t.is((await send(service, number, { destinationNumber: BIA, list })).notice, 'LIST_SENT_AS_TEXT')
  await arrived(BIA, ({ text }) => text === 'Which?\n\n1. This one')
  const { id } = await phone(BIA, 'text', { to: OURS, text: 'Like it?' })
  await untilInHistory(service, number, id)
  await send(service, number, { reaction: { messageId: id, emoji: '👍' } })
  const liked = await arrived(BIA, ({ message }) => message.reactionMessage?.text === '👍')
  t.like(liked.message.reactionMessage.key, { id, fromMe: false })
})

// [message-verbs.modes.6]
test.serial(
  'a poll is on the phone, and each vote there is told by an event, sealed as it was on the way',
  async (t) => {
    const poll = { question: 'When?', options: ['Now', 'Later'], multiple: true }
    const { id } = await send(service, number, { destinationNumber: BIA, poll })
    const got = await arrived(BIA, ({ message }) => message.pollCreationMessage?.name === 'When?')
    for (const options of [['Later'], ['Now', 'Later'], []]) await phone(BIA, 'vote', { id: got.id, options })
    const votes = await until('the votes are told', async () => {
      const told = (await eventsOf(service, number, id)).filter(({ event }) => event === 'message.poll_vote')
      return told.length === 3 ? told : null
    })
    t.deepEqual(
      votes.map(({ data }) => [data.from, data.messageId, data.options]),
      [['Later'], ['Now', 'Later'], []].map((options) => [`+${BIA}`, got.id, options]),
    )
  },
)

test.serial(
  'a group, a channel and a status post are heard, the group is listed, and numbers are checked',
  async (t) => {
    const group = await programs.network.post<{ id: string }>('/control/groups', {
      owner: BIA,
      subject: 'Friends',
      members: [OURS],
    })
    const inGroup = await phone(BIA, 'text', { to: group.id, text: 'Hello, all' })
    t.like((await untilTold(service, number, 'message.group', inGroup.id)).data, {
      groupId: group.id,
      content: 'Hello, all',
    })
    const {
      body: { groups },
    } = await service.api('GET', '/v1/groups', number.key)
    t.deepEqual(groups, [{ id: group.id, name: 'Friends' }])
    const channel = await programs.network.post<{ id: string }>('/control/newsletters', {
      owner: BIA,
      name: 'News',
      followers: [OURS],
    })
    const post = await programs.network.post<{ id: string }>(`/control/newsletters/${channel.id}/posts`, {
      text: 'New hours',
    })
    t.like((await untilTold(service, number, 'message.newsletter', post.id)).data, { content: 'New hours' })
    await phone(BIA, 'story', { text: 'On holiday' })
    const [story] = await receiver.until('/hook', 1, ({ event }) => event === 'message.stories')
    t.true(String(story?.body).includes('On holiday'))
    const checked = await service.api('POST', '/v1/numbers/check', number.key, { numbers: [BIA, '5511900000004'] })
    t.deepEqual(
      checked.body.map(({ number: digits, exists }: any) => [digits, exists]),
      [
        [BIA, true],
        [null, false],
      ],
    )
  },
)

test.serial(
  'a device that is unlinked on the phone closes the number, which a code that is typed there links again',
  async (t) => {
    await phone(OURS, 'unlink')
    await service.untilState(number.id, 'CLOSE')
    const link = await service.api('POST', '/v1/numbers/remote-pairing', service.tenantKey, {
      name: 'Engine',
      number: OURS,
    })
    const token = link.body.remotePairingToken
    const plain = await until('a code to scan is shown', async () => {
      const { body } = await service.api('POST', `/v1/remote-pairing/${token}/connect`, '')
      return body.qrcodeBase64 ? body : null
    })
    t.is(plain.pairingCode, null)
    const typed = await service.api('POST', `/v1/remote-pairing/${token}/connect?pairingCode=1`, '')
    t.regex(String(typed.body.pairingCode), /^[0-9A-Z]{8}$/, typed.text)
    t.is(typed.body.qrcodeBase64, plain.qrcodeBase64, 'the code to scan stays')
    await phone(OURS, 'scan', { pairingCode: typed.body.pairingCode })
    await service.untilState(number.id, 'OPEN')
    const { id } = await sendText(service, number, BIA, 'Here again.')
    await arrived(BIA, ({ text }) => text === 'Here again.')
    await untilStatus(service, number, id, ['READ'])
  },
)

test.serial('a logout of ours takes the device off the phone', async (t) => {
  t.is((await devices(OURS)).length, 1)
  t.like((await service.api('POST', `/v1/numbers/${number.id}/logout`, service.tenantKey)).body, { state: 'CLOSE' })
  await until('the phone lists no device', async () => (await devices(OURS)).length === 0)
  t.like((await service.api('GET', `/v1/numbers/${number.id}/status`, service.tenantKey)).body, {
    state: 'CLOSE',
    isFullyConnected: false,
  })
})
