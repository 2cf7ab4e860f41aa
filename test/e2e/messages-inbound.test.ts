import test from 'ava'
import { createHash } from 'node:crypto'
import { film, jpeg, webp } from '../files/make-media.ts'
import { waveFile } from '../helpers/file-host.ts'
import {
  historyOf,
  inboxOf,
  KINDS,
  newPeer,
  numbersOfBothKinds,
  sendText,
  untilInHistory,
  untilStatus,
  untilTold,
  write,
  type BothNumbers,
} from '../helpers/message-service.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import { storedEvents } from '../helpers/receiver-ledger.ts'
import { Receiver } from '../helpers/receiver.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let numbers: BothNumbers
let receiver: Receiver

test.before(async () => {
  receiver = await Receiver.open()
  service = await joinService()
  numbers = await numbersOfBothKinds(service)
})

test.after.always(async () => {
  await receiver?.close()
})

/** The fields of message.received and related events, in any order ([events.data.1]). */
const FIELDS = [
  'channelNumberId',
  'content',
  'createdAt',
  'from',
  'fromMe',
  'id',
  'mediaCaption',
  'mediaDownloadHint',
  'mediaFilename',
  'mediaId',
  'mediaLink',
  'mediaMimeType',
  'mediaType',
  'messageId',
  'participantName',
  'to',
  'type',
]

const PLAIN: [name: string, message: object, told: object, item: object][] = [
  [
    'a text',
    { text: 'olá 👋' },
    { type: 'text', content: 'olá 👋', mediaType: null },
    { type: 'text', content: 'olá 👋' },
  ],
  [
    'a place',
    { type: 'location', location: { latitude: -23.5, longitude: -46.6, name: 'Office' } },
    { type: 'location', mediaType: 'location' },
    { type: 'location', location: { latitude: -23.5, longitude: -46.6, name: 'Office' } },
  ],
  [
    'a contact',
    { type: 'contacts', contacts: [{ name: { formatted_name: 'Ana' }, phones: [{ phone: '+5511' }] }] },
    { type: 'contacts', mediaType: 'contacts' },
    { type: 'contacts', contacts: [{ name: { formatted_name: 'Ana' }, phones: [{ phone: '+5511' }] }] },
  ],
]

// [messages.status.1] [rest.phones.2] [events.envelope.2]
for (const [name, message, told, item] of PLAIN) {
  test(`UNOFFICIAL: ${name} is told once in the words of the service and stands in the history`, async (t) => {
    const number = numbers.UNOFFICIAL
    const peer = newPeer()
    const externalMessageId = await write(service, peer, number, { ...message, fromName: 'Ana' })
    const { data, channelNumberId } = await untilTold(service, number, 'message.received', externalMessageId)
    t.is(channelNumberId, number.id)
    for (const field of FIELDS) t.true(field in data, field)
    t.like(data, {
      ...told,
      channelNumberId: number.id,
      from: `+${peer}`,
      to: `+${number.digits}`,
      fromMe: false,
      participantName: 'Ana',
      mediaLink: null,
      mediaId: null,
    })
    const listed = await untilInHistory(service, number, externalMessageId, `&peer=${peer}`)
    t.like(listed, {
      ...item,
      id: data.id,
      direction: 'INBOUND',
      from: peer,
      to: number.digits,
      fromName: 'Ana',
      status: 'RECEIVED',
      media: null,
      redacted: false,
      createdAt: data.createdAt,
    })
    t.is(
      (await storedEvents(service, number.key)).filter(({ data: { messageId } }) => messageId === externalMessageId)
        .length,
      1,
    )
  })

  test(`OFFICIAL: ${name} is told by the native change alone and stands in the history`, async (t) => {
    const number = numbers.OFFICIAL
    const peer = newPeer()
    const externalMessageId = await write(service, peer, number, { ...message, fromName: 'Ana' })
    const listed = await untilInHistory(service, number, externalMessageId, `&peer=${peer}`)
    t.like(listed, {
      ...item,
      direction: 'INBOUND',
      from: peer,
      to: number.digits,
      fromName: 'Ana',
      status: 'RECEIVED',
      media: null,
      redacted: false,
    })
    t.false(
      (await storedEvents(service, number.key)).some(
        ({ event, data }) => event.startsWith('message.') && data.messageId === externalMessageId,
      ),
    )
  })
}

/** Files that peers send, with the names they give them. */
async function files(): Promise<{ type: string; mimeType: string; fileName?: string; bytes: Buffer; text?: string }[]> {
  return [
    { type: 'image', mimeType: 'image/jpeg', bytes: await jpeg(), text: 'look' },
    { type: 'video', mimeType: 'video/mp4', bytes: await film({ container: 'mp4' }) },
    { type: 'audio', mimeType: 'audio/wav', bytes: waveFile({ hz: 440, seconds: 0.2 }) },
    { type: 'document', mimeType: 'application/pdf', fileName: 'bill.pdf', bytes: Buffer.from('%PDF-1.7\nhello') },
    { type: 'sticker', mimeType: 'image/webp', bytes: await webp() },
  ]
}

// [media.inbound.2] [events.data.9]
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
    t.deepEqual(
      [item.media.provider, item.media.id, item.media.url, item.media.mimeType],
      ['UNOFFICIAL', null, data.mediaLink, data.mediaMimeType],
      type,
    )
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
  const gone = await write(service, peer, number, {
    type: 'image',
    media: { url: `http://127.0.0.1:${service.ports['sandboxPort']}/media/none`, mimeType: 'image/png' },
    text: 'gone',
  })
  const after = await write(service, peer, number, { text: 'after' })
  const { data } = await untilTold(service, number, 'message.received', gone)
  t.like(data, { type: 'image', mediaLink: null, content: 'gone', mediaCaption: 'gone' })
  await untilTold(service, number, 'message.received', after)
})

// [media.inbound.1] [media.inbound.4]
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
    t.is(
      createHash('sha256').update(Buffer.from(body, 'base64')).digest('hex'),
      createHash('sha256').update(bytes).digest('hex'),
    )
    t.is((await service.api('GET', `${path}?phoneNumberId=1`, number.key)).status, 404)
    t.is((await service.api('GET', path, number.key)).status, 400)
  }
  t.is((await service.api('GET', `/v1/media/999999?phoneNumberId=${number.phoneId}`, number.key)).status, 404)
  const wrong = await service.api('GET', `/v1/media/1?phoneNumberId=${number.phoneId}`, numbers.UNOFFICIAL.key)
  t.deepEqual([wrong.status, wrong.body.code], [400, 'FEATURE_NOT_SUPPORTED'])
})

test('a reaction, and its taking back, name the message they are about', async (t) => {
  for (const number of [numbers.UNOFFICIAL, numbers.OFFICIAL]) {
    const isOfficial = number === numbers.OFFICIAL
    const peer = newPeer()
    const target = await write(service, peer, number, { text: 'target' })
    const fields = (emoji: string) => ({
      type: 'reaction',
      reaction: isOfficial ? { message_id: target, ...(emoji ? { emoji } : {}) } : { messageId: target, emoji },
    })
    const given = await untilInHistory(
      service,
      number,
      await write(service, peer, number, fields('👍')),
      `&peer=${peer}`,
    )
    t.like(given, { type: 'reaction', reaction: { messageId: target, emoji: '👍' } })
    const taken = await untilInHistory(service, number, await write(service, peer, number, fields('')), `&peer=${peer}`)
    t.like(taken, { type: 'reaction', reaction: { messageId: target, emoji: null } })
  }
})

// [messages.item.3]
for (const kind of KINDS) {
  test(`${kind}: the history shows messages in their current state after a peer, or the owner on the phone, edits or revokes them`, async (t) => {
    const number = numbers[kind]
    const peer = newPeer()
    const edited = await write(service, peer, number, { text: 'frist' })
    const revoked = await write(service, peer, number, { text: 'a secret' })
    const own = await untilStatus(service, number, (await sendText(service, number, peer, 'ours')).id, ['READ'])
    for (const [id, act, body] of [
      [edited, 'edit', { text: 'first' }],
      [revoked, 'revoke', {}],
      [own.externalMessageId, 'revoke', {}],
    ] as const) {
      t.is((await service.control('POST', `/messages/${encodeURIComponent(id)}/${act}`, body)).status, 202)
    }
    const shown = (id: string, query: string, field: string) =>
      until(`${id} shows ${field}`, async () =>
        (await historyOf(service, number, `&peer=${peer}${query}`)).messages.find(
          (item: any) => item.externalMessageId === id && item[field] !== null,
        ),
      )
    t.like(await shown(edited, '', 'editedAt'), { type: 'text', content: 'first', revokedAt: null, redacted: false })
    t.like(await shown(revoked, '', 'revokedAt'), {
      type: 'text',
      content: null,
      editedAt: null,
      from: peer,
      redacted: false,
    })
    t.like(await shown(own.externalMessageId, '&direction=OUTBOUND', 'revokedAt'), { content: null, status: 'READ' })
  })
}

// [messages.item.2]
test('OFFICIAL: messages that the upstream cannot show, and its own notices, are kept by their types', async (t) => {
  const number = numbers.OFFICIAL
  const peer = newPeer()
  const notice = { body: 'User changed from 1 to 2', wa_id: '2', type: 'user_changed_number' }
  const told = await untilInHistory(
    service,
    number,
    await write(service, peer, number, { type: 'system', content: notice }),
  )
  t.like(told, { type: 'system', content: notice.body, upstream: notice })
  const errors = [
    {
      code: 131_051,
      title: 'Message type unknown',
      error_data: { details: 'Message type is currently not supported.' },
    },
  ]
  const unsupported = await untilInHistory(
    service,
    number,
    await write(service, peer, number, { type: 'unsupported', errors }),
  )
  t.like(unsupported, {
    type: 'unsupported',
    content: 'Message type is currently not supported.',
    upstream: { errors },
  })
})

test('OFFICIAL: a user who hides the number is one conversation with the number once upstream names both', async (t) => {
  const number = await connectOfficial(service)
  const peer = newPeer()
  const {
    body: { userId },
  } = await service.control('POST', `/peers/${peer}/hide`)
  const hidden = await write(service, peer, number, { text: 'hidden', isUnsigned: true })
  t.like(await untilInHistory(service, number, hidden, `&peer=${userId}`), { from: userId, content: 'hidden' })
  const answer = await sendText(service, number, userId, 'to whom it may concern')
  t.like(await untilStatus(service, number, answer.id, ['READ']), { destinationNumber: userId })
  t.deepEqual(
    (await inboxOf(service, peer, number)).map(({ text }) => text),
    ['to whom it may concern'],
  )
  await service.control('POST', `/peers/${peer}/show`)
  const open = await write(service, peer, number, { text: 'it is me' })
  await untilInHistory(service, number, open, `&peer=${peer}`)
  const conversations = async () => (await service.api('GET', '/v1/conversations', number.key)).body
  await until('there is one conversation', async () => (await conversations()).total === 1)
  await service.control('POST', `/peers/${peer}/hide`)
  // The upstream's times are whole seconds, so this one is moved past the message that it answers.
  const again = await write(service, peer, number, { text: 'hidden again', timestamp: Date.now() + 2_000 })
  await untilInHistory(service, number, again, `&peer=${peer}`)
  const {
    conversations: [conversation],
    total,
  } = await conversations()
  t.is(total, 1)
  t.like(conversation, { from: peer, unreadCount: 3, lastMessagePreview: 'hidden again' })
  for (const name of [peer, userId]) {
    const { messages, total: count } = await historyOf(service, number, `&peer=${name}`)
    t.is(count, 3)
    t.deepEqual(
      messages.map(({ content, conversationId }: any) => [content, conversationId]),
      [
        ['hidden again', conversation.id],
        ['it is me', conversation.id],
        ['hidden', conversation.id],
      ],
    )
    t.is((await historyOf(service, number, `&peer=${name}&direction=OUTBOUND`)).total, 1)
  }
  const refused = await service.api('POST', '/v1/messages/send', numbers.UNOFFICIAL.key, {
    destinationNumber: userId,
    text: 'x',
  })
  t.deepEqual([refused.status, refused.body.code], [400, 'FEATURE_NOT_SUPPORTED'])
})

// [official.hidden-users.1]
test('OFFICIAL: a user who hides the number shows by the id upstream gives', async (t) => {
  const number = numbers.OFFICIAL
  const peer = newPeer()
  const externalMessageId = await write(service, peer, number, {
    text: 'hidden',
    hiddenAs: 'BR.123456',
    fromName: 'Ana',
  })
  t.like(await untilInHistory(service, number, externalMessageId), {
    from: 'BR.123456',
    content: 'hidden',
    fromName: 'Ana',
  })
})
