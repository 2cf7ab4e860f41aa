import test from 'ava'
import { createHash } from 'node:crypto'
import { film, jpeg, webp } from '../files/make-media.ts'
import { waveFile } from '../helpers/file-host.ts'
import { FAST, historyOf, newPeer, numbersOfBothKinds, sendText, untilInHistory, untilStatus, untilTold, write, type BothNumbers } from '../helpers/message-service.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import { storedEvents } from '../helpers/receiver-ledger.ts'
import { Receiver, verified } from '../helpers/receiver.ts'
import { Service } from '../helpers/service.ts'

let service: Service
let numbers: BothNumbers
let receiver: Receiver

test.before(async (t) => {
  t.timeout(120_000)
  receiver = await Receiver.open()
  service = await Service.start({ env: FAST })
  numbers = await numbersOfBothKinds(service)
})

test.after.always(async () => {
  await service?.stop()
  await receiver?.close()
})

/** Fields of message.received and its kin, in any order (contract 5). */
const FIELDS = [
  'channelNumberId', 'content', 'createdAt', 'from', 'fromMe', 'id', 'mediaCaption', 'mediaDownloadHint', 'mediaFilename', 'mediaId', 'mediaLink', 'mediaMimeType', 'mediaType', 'messageId',
  'participantName', 'to', 'type',
]

const PLAIN: [name: string, message: object, told: object, item: object][] = [
  ['a text', { text: 'olá 👋' }, { type: 'text', content: 'olá 👋', mediaType: null }, { type: 'text', content: 'olá 👋' }],
  ['a place', { type: 'location', location: { latitude: -23.5, longitude: -46.6, name: 'Office' } }, { type: 'location', mediaType: 'location' }, { type: 'location', location: { latitude: -23.5, longitude: -46.6, name: 'Office' } }],
  ['a contact', { type: 'contacts', contacts: [{ name: { formatted_name: 'Ana' }, phones: [{ phone: '+5511' }] }] }, { type: 'contacts', mediaType: 'contacts' }, { type: 'contacts', contacts: [{ name: { formatted_name: 'Ana' }, phones: [{ phone: '+5511' }] }] }],
]

for (const [name, message, told, item] of PLAIN) {
  test(`UNOFFICIAL: ${name} is told once in the words of the service and stands in the history`, async (t) => {
    const number = numbers.UNOFFICIAL
    const peer = newPeer()
    const externalMessageId = await write(service, peer, number, { ...message, fromName: 'Ana' })
    const { data, channelNumberId } = await untilTold(service, number, 'message.received', externalMessageId)
    t.is(channelNumberId, number.id)
    for (const field of FIELDS) t.true(field in data, field)
    t.like(data, { ...told, channelNumberId: number.id, from: `+${peer}`, to: `+${number.digits}`, fromMe: false, participantName: 'Ana', mediaLink: null, mediaId: null })
    const listed = await untilInHistory(service, number, externalMessageId, `&peer=${peer}`)
    t.like(listed, { ...item, id: data.id, direction: 'INBOUND', from: peer, to: number.digits, fromName: 'Ana', status: 'RECEIVED', media: null, redacted: false, createdAt: data.createdAt })
    t.is((await storedEvents(service, number.key)).filter(({ data: { messageId } }) => messageId === externalMessageId).length, 1)
  })

  test(`OFFICIAL: ${name} is told by the native change alone and stands in the history`, async (t) => {
    const number = numbers.OFFICIAL
    const peer = newPeer()
    const externalMessageId = await write(service, peer, number, { ...message, fromName: 'Ana' })
    const listed = await untilInHistory(service, number, externalMessageId, `&peer=${peer}`)
    t.like(listed, { ...item, direction: 'INBOUND', from: peer, to: number.digits, fromName: 'Ana', status: 'RECEIVED', media: null, redacted: false })
    t.false((await storedEvents(service, number.key)).some(({ event, data }) => event.startsWith('message.') && data.messageId === externalMessageId))
  })
}

/** Files peers send, with how they are named. */
async function files(): Promise<{ type: string, mimeType: string, fileName?: string, bytes: Buffer, text?: string }[]> {
  return [
    { type: 'image', mimeType: 'image/jpeg', bytes: await jpeg(), text: 'look' },
    { type: 'video', mimeType: 'video/mp4', bytes: await film({ container: 'mp4' }) },
    { type: 'audio', mimeType: 'audio/wav', bytes: waveFile({ hz: 440, seconds: 0.2 }) },
    { type: 'document', mimeType: 'application/pdf', fileName: 'bill.pdf', bytes: Buffer.from('%PDF-1.7\nhello') },
    { type: 'sticker', mimeType: 'image/webp', bytes: await webp() },
  ]
}

test('UNOFFICIAL: media of every type can be downloaded from an address nobody can guess, as often as wanted', async (t) => {
  const number = numbers.UNOFFICIAL
  const peer = newPeer()
  const links = new Set<string>()
  for (const { type, mimeType, fileName, bytes, text } of await files()) {
    const media = { base64: bytes.toString('base64'), mimeType, ...(fileName ? { fileName } : {}) }
    const externalMessageId = await write(service, peer, number, { type, media, ...(text ? { text } : {}) })
    const { data } = await untilTold(service, number, 'message.received', externalMessageId)
    t.like(data, { type, mediaType: type, mediaId: null, mediaCaption: text ?? null, mediaFilename: fileName ?? null })
    t.is(typeof data.mediaDownloadHint, 'string')
    links.add(data.mediaLink)
    const item = await untilInHistory(service, number, externalMessageId, `&peer=${peer}`)
    t.deepEqual([item.media.provider, item.media.id, item.media.url, item.media.mimeType], ['UNOFFICIAL', null, data.mediaLink, data.mediaMimeType], type)
    for (const method of ['GET', 'HEAD', 'GET']) {
      const response = await fetch(data.mediaLink, { method })
      const got = Buffer.from(await response.arrayBuffer())
      t.is(response.status, 200)
      t.is(Number(response.headers.get('content-length')), bytes.length)
      if (method === 'GET') t.deepEqual(got, bytes)
    }
  }
  t.is(links.size, 5)
  const [link = ''] = links
  const id = /file_[0-9a-z]{26}/.exec(link)?.[0] ?? t.fail(link)
  const other = id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')
  t.is((await fetch(link.replace(String(id), other))).status, 404)
  t.is((await fetch(link.replace(String(id), 'file_'))).status, 404)
})

test('UNOFFICIAL: a media that the engine cannot give is told without an address, and holds up nothing', async (t) => {
  const number = numbers.UNOFFICIAL
  const peer = newPeer()
  const gone = await write(service, peer, number, { type: 'image', media: { url: `http://127.0.0.1:${service.ports['sandboxPort']}/media/none`, mimeType: 'image/png' }, text: 'gone' })
  const after = await write(service, peer, number, { text: 'after' })
  const { data } = await untilTold(service, number, 'message.received', gone)
  t.like(data, { type: 'image', mediaLink: null, content: 'gone', mediaCaption: 'gone' })
  await untilTold(service, number, 'message.received', after)
})

test('OFFICIAL: media of every type is downloaded through the service by its id, as a data URI', async (t) => {
  const number = numbers.OFFICIAL
  const peer = newPeer()
  for (const { type, mimeType, fileName, bytes, text } of await files()) {
    const media = { base64: bytes.toString('base64'), mimeType, ...(fileName ? { fileName } : {}) }
    const externalMessageId = await write(service, peer, number, { type, media, ...(text ? { text } : {}) })
    const item = await untilInHistory(service, number, externalMessageId, `&peer=${peer}`)
    t.like(item, { type, content: text ?? null })
    t.like(item.media, { provider: 'OFFICIAL', url: null, mimeType, fileName: fileName ?? null })
    const path = `/v1/media/${item.media.id}`
    const got = await service.api('GET', `${path}?phoneNumberId=${number.phoneId}`, number.key)
    t.is(got.status, 200)
    t.deepEqual(Object.keys(got.body).toSorted(), ['base64', 'fileName', 'mediaId', 'mimeType'])
    t.is(got.body.mediaId, item.media.id)
    const [head, body = ''] = got.body.base64.split(',')
    t.is(head, `data:${mimeType};base64`)
    t.is(createHash('sha256').update(Buffer.from(body, 'base64')).digest('hex'), createHash('sha256').update(bytes).digest('hex'))
    t.is((await service.api('GET', `${path}?phoneNumberId=1`, number.key)).status, 404)
    t.is((await service.api('GET', path, number.key)).status, 400)
  }
  t.is((await service.api('GET', `/v1/media/999999?phoneNumberId=${number.phoneId}`, number.key)).status, 404)
  const wrong = await service.api('GET', `/v1/media/1?phoneNumberId=${number.phoneId}`, numbers.UNOFFICIAL.key)
  t.deepEqual([wrong.status, wrong.body.code], [400, 'FEATURE_NOT_SUPPORTED'])
})

test('OFFICIAL: media upstream has let go of is 404, and one number has no media of another', async (t) => {
  const own = await Service.start({ env: FAST })
  t.teardown(() => own.stop())
  const [number, other] = [await connectOfficial(own), await connectOfficial(own)]
  const picture = await jpeg()
  const externalMessageId = await write(own, newPeer(), number, { type: 'image', media: { base64: picture.toString('base64'), mimeType: 'image/jpeg' } })
  const { media } = await untilInHistory(own, number, externalMessageId)
  t.is((await own.api('GET', `/v1/media/${media.id}?phoneNumberId=${other.phoneId}`, other.key)).status, 404)
  t.is((await own.api('GET', `/v1/media/${media.id}?phoneNumberId=${number.phoneId}`, other.key)).status, 404)
  t.is((await own.api('GET', `/v1/media/${media.id}?phoneNumberId=${number.phoneId}`, number.key)).status, 200)
  await own.control('POST', '/official/clock', { advanceMs: 8 * 86_400_000 })
  t.is((await own.api('GET', `/v1/media/${media.id}?phoneNumberId=${number.phoneId}`, number.key)).status, 404)
})

test.serial('OFFICIAL: webhooks get the envelope as upstream has it, one change each; * never makes it message.received, and message.reply goes to who lists it', async (t) => {
  const number = await connectOfficial(service)
  const paths = { '/all': ['*'], '/named': ['messages'], '/reply': ['message.reply'], '/ours': ['message.received'] }
  const secrets = new Map<string, string>()
  for (const [path, events] of Object.entries(paths)) {
    const { body } = await service.api('POST', '/v1/webhooks', number.key, { url: receiver.endpoint(path), events })
    secrets.set(path, body.secret)
  }
  const peer = newPeer()
  await service.control('POST', '/official/webhooks', { batch: true })
  const first = await write(service, peer, number, { text: 'first', fromName: 'Ana', referral: { source_id: '1', source_type: 'ad', ctwa_clid: 'x' } })
  const second = await write(service, peer, number, { type: 'interactive', content: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } } })
  const item = await untilInHistory(service, number, first)
  t.like(item.referral, { sourceId: '1', sourceType: 'ad', ctwaClid: 'x' })
  t.like(await untilInHistory(service, number, second), { type: 'interactive', content: 'Yes', interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } } })
  await service.control('POST', '/official/webhooks', {})
  const ours = await sendText(service, number, peer, 'a question')
  const { externalMessageId: asked } = await untilStatus(service, number, ours.id, ['READ'])
  const reply = await write(service, peer, number, { text: 'an answer', quoted: asked })
  const stray = await write(service, peer, number, { text: 'to nobody', quoted: 'wamid.none' })

  for (const path of ['/all', '/named']) {
    const native = await receiver.until(path, 4, ({ event, body }) => event === 'messages' && JSON.parse(String(body)).entry?.[0]?.changes[0].value.messages !== undefined)
    const envelopes = native.map((arrival) => verified(arrival, secrets.get(path) ?? ''))
    for (const envelope of envelopes) {
      t.is(envelope.object, 'whatsapp_business_account')
      t.deepEqual([envelope.entry.length, envelope.entry[0].changes.length, envelope.entry[0].id], [1, 1, number.accountId])
      t.is(envelope.entry[0].changes[0].value.metadata.phone_number_id, number.phoneId)
    }
    const told = envelopes.map(({ entry }) => entry[0].changes[0].value.messages[0])
    t.deepEqual(told.map(({ id }) => id).toSorted(), [first, second, reply, stray].toSorted(), path)
    t.like(told.find(({ id }) => id === first), { from: peer, type: 'text', text: { body: 'first' }, referral: { source_id: '1' } })
  }
  const [arrival] = await receiver.until('/reply', 1)
  t.like(arrival && verified(arrival, secrets.get('/reply') ?? ''), { event: 'message.reply', data: { messageId: reply, quotedMessageId: asked, content: 'an answer', from: `+${peer}` } })
  t.is(receiver.at('/reply').length, 1, 'what quotes nothing of ours is no reply')
  t.deepEqual(receiver.at('/ours'), [])
  t.false(receiver.at('/all').some(({ event }) => event === 'message.received' || event === 'message.reply'))
})

test('a reaction, and its taking back, name the message they are about', async (t) => {
  for (const number of [numbers.UNOFFICIAL, numbers.OFFICIAL]) {
    const isOfficial = number === numbers.OFFICIAL
    const peer = newPeer()
    const target = await write(service, peer, number, { text: 'target' })
    const fields = (emoji: string) => ({ type: 'reaction', reaction: isOfficial ? { message_id: target, ...(emoji ? { emoji } : {}) } : { messageId: target, emoji } })
    const given = await untilInHistory(service, number, await write(service, peer, number, fields('👍')), `&peer=${peer}`)
    t.like(given, { type: 'reaction', reaction: { messageId: target, emoji: '👍' } })
    const taken = await untilInHistory(service, number, await write(service, peer, number, fields('')), `&peer=${peer}`)
    t.like(taken, { type: 'reaction', reaction: { messageId: target, emoji: null } })
  }
})

test.serial('a message told twice by upstream is one message, one event, one unread', async (t) => {
  const number = await connectOfficial(service)
  const peer = newPeer()
  await service.control('POST', '/official/webhooks', { duplicate: 4, parallel: true })
  const externalMessageId = await write(service, peer, number, { text: 'again and again' })
  await service.control('POST', '/official/webhooks', {})
  await untilInHistory(service, number, externalMessageId)
  await untilInHistory(service, number, await write(service, peer, number, { text: 'after' }))
  const { messages } = await historyOf(service, number)
  t.is(messages.filter((item: any) => item.externalMessageId === externalMessageId).length, 1)
  t.is((await service.api('GET', '/v1/messages/unread', number.key)).body.total, 2)
})

test('OFFICIAL: a user who hides the number shows by the id upstream gives', async (t) => {
  const number = numbers.OFFICIAL
  const peer = newPeer()
  const externalMessageId = await write(service, peer, number, { text: 'hidden', hiddenAs: 'BR.123456', fromName: 'Ana' })
  t.like(await untilInHistory(service, number, externalMessageId), { from: 'BR.123456', content: 'hidden', fromName: 'Ana' })
})
