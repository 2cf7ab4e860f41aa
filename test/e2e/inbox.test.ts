import test from 'ava'
import type { ExecutionContext } from 'ava'
import { film, png } from '../files/make-media.ts'
import { serve } from '../files/rig.ts'
import { EventReader } from '../helpers/event-reader.ts'
import { waveFile } from '../helpers/file-host.ts'
import {
  failSends,
  inboxOf,
  mediaBytes,
  newPeer,
  reachablePeer,
  send,
  untilInbox,
  untilStatus,
  write,
} from '../helpers/message-service.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { createTemplate, readyTemplate } from '../helpers/template-service.ts'

let service: Service
let number: PairedNumber

test.before(async () => {
  service = await joinService()
  number = await service.pairNumber()
})

const ORIGIN = 'https://crm.example'

interface Inbox {
  readonly reader: EventReader
  readonly headers: Record<string, string>
  ask(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: any }>
}

/** Opens an inbox as its page does: a session, a stream, and requests with the token. */
async function openInbox(t: ExecutionContext, { key }: PairedNumber = number): Promise<Inbox> {
  const minted = await service.api('POST', '/v1/embed/sessions', key, { surface: 'chat', allowedOrigins: [ORIGIN] })
  if (minted.status !== 201) throw new Error(`nothing was minted: ${minted.text}`)
  const headers = { authorization: `Bearer ${minted.body.token}`, origin: ORIGIN }
  const reader = await EventReader.open(t, `${service.base}/api/public/embed/stream`, headers)
  await reader.next('hello')
  return {
    reader,
    headers,
    async ask(method, path, body) {
      const response = await fetch(`${service.base}/api/public/embed${path}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return {
        status: response.status,
        body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
      }
    },
  }
}

test('a peer writes, is answered and reads it, and each step shows in two inboxes at once', async (t) => {
  const [inbox, other] = [await openInbox(t), await openInbox(t)]
  const peer = newPeer()
  const externalId = await write(service, peer, number, { text: 'good morning' })
  const isIt = ({ message }: any) => message.externalMessageId === externalId
  const {
    data: { message },
  } = await inbox.reader.next('message', isIt)
  t.like(message, { content: 'good morning', direction: 'INBOUND', from: peer })
  t.deepEqual((await other.reader.next('message', isIt)).data.message, message)
  const sent = await inbox.ask('POST', `/conversations/${message.conversationId}/messages`, {
    text: 'good morning to you',
    quotedMessageId: message.id,
  })
  t.is(sent.status, 202)
  for (const one of [inbox, other]) {
    await one.reader.next('message', (data) => data.message.id === sent.body.id)
    await one.reader.toldAs(sent.body.id, 'READ')
  }
  const { body } = await inbox.ask('GET', `/conversations/${message.conversationId}/messages`)
  t.deepEqual(
    body.messages.map(({ id }: any) => id),
    [sent.body.id, message.id],
  )
  t.like(body.messages[0], { status: 'READ', quoted: { id: message.id, content: 'good morning' } })
})

test('a message that cannot be delivered shows why, and is sent again when asked', async (t) => {
  const inbox = await openInbox(t)
  const peer = await reachablePeer(service, number, '0007')
  await write(service, peer, number, { text: 'hello' })
  const {
    data: { message },
  } = await inbox.reader.next('message', (data) => data.message.from === peer)
  const sent = await inbox.ask('POST', `/conversations/${message.conversationId}/messages`, { text: 'lost' })
  const data = await inbox.reader.toldAs(sent.body.id, 'FAILED')
  t.is(typeof data.errorCode, 'string')
  const again = await inbox.ask('POST', `/messages/${sent.body.id}/retry`)
  t.like(again, { status: 202, body: { retryOf: sent.body.id } })
  t.is((await untilStatus(service, number, again.body.id, ['FAILED'])).errorCode, data.errorCode)
})

test('a file that was sent can be read again by its message, in both directions', async (t) => {
  const inbox = await openInbox(t)
  const peer = newPeer()
  const bytes = Buffer.from('what was agreed')
  await write(service, peer, number, {
    type: 'document',
    media: { base64: bytes.toString('base64'), mimeType: 'text/plain', fileName: 'terms.txt' },
  })
  const {
    data: { message },
  } = await inbox.reader.next('message', (data) => data.message.from === peer)
  t.is((await inbox.ask('GET', `/messages/${message.id}/media`)).body, 'what was agreed')
  const form = new FormData()
  form.set('mediaType', 'document')
  form.set('file', new Blob(['agreed']), 'answer.txt')
  const sent = await fetch(`${service.base}/api/public/embed/conversations/${message.conversationId}/messages`, {
    method: 'POST',
    headers: inbox.headers,
    body: form,
  })
  t.is(sent.status, 202)
  const { id } = (await sent.json()) as { id: string }
  await inbox.reader.toldAs(id, 'DELIVERED', 'READ')
  t.is((await inbox.ask('GET', `/messages/${id}/media`)).body, 'agreed')
})

test('a voice note shows how long and how loud it is, in both directions, and a file sent by its address is read by its message', async (t) => {
  const inbox = await openInbox(t)
  const peer = newPeer()
  const sound = waveFile({ hz: 440, seconds: 1 })
  await write(service, peer, number, {
    type: 'audio',
    media: { base64: sound.toString('base64'), mimeType: 'audio/wav' },
  })
  const isHeard = ({ message }: any) => message.media?.waveform?.length === 64 && message.media.durationMs > 900
  const {
    data: { message },
  } = await inbox.reader.next('message', (data) => data.message.from === peer && isHeard(data))
  t.is(message.media.sizeBytes, sound.byteLength)
  const host = await serve(t, { '/note.wav': sound })
  const { id } = await send(service, number, {
    destinationNumber: peer,
    media: `${host.origin}/note.wav`,
    mediaType: 'voice',
  })
  const told = await inbox.reader.next('message', (data) => data.message.id === id && isHeard(data))
  t.like(told.data.message.media, { isVoice: true })
  t.true(told.data.message.media.sizeBytes > 0)
  const read = await fetch(`${service.base}/api/public/embed/messages/${id}/media`, { headers: inbox.headers })
  t.deepEqual([read.status, (await read.arrayBuffer()).byteLength], [200, told.data.message.media.sizeBytes])
})

test('a voice note that a browser recorded is told and read as sound, not as the video that its container is of', async (t) => {
  const inbox = await openInbox(t)
  const recorded = await film({ container: 'webm', video: null, audio: 'opus' })
  const { id } = await send(service, number, {
    destinationNumber: newPeer(),
    media: `data:audio/webm;codecs=opus;base64,${recorded.toString('base64')}`,
    mediaType: 'voice',
  })
  const {
    data: { message },
  } = await inbox.reader.next('message', (data) => data.message.id === id)
  t.like(message.media, { isVoice: true, mimeType: 'audio/webm' })
  const read = await fetch(`${service.base}/api/public/embed/messages/${id}/media`, { headers: inbox.headers })
  t.deepEqual([read.status, read.headers.get('content-type')], [200, 'audio/webm'])
  t.deepEqual(Buffer.from(await read.arrayBuffer()), recorded)
})

// [embeds.inbox-routes.11]
test('OFFICIAL: a closed window is left by a template of the list, opens as the contact writes, and a template that failed is sent again with its values and its file', async (t) => {
  const official = await connectOfficial(service)
  const inbox = await openInbox(t, official)
  const peer = newPeer()
  const picture = await png()
  const text = 'Hello {{customer}}, look: {{code}} is yours.'
  const { id: templateId } = await readyTemplate(service, official, 'looks', {
    body: { header: { type: 'IMAGE', base64: `data:image/png;base64,${picture.toString('base64')}` }, body: { text } },
    examples: { customer: 'Ana', code: 'A1' },
  })
  // This template can be sent neither before its review nor after it, so the time of the review does not matter.
  await createTemplate(service, official, 'looks_rejected')
  const other = await png(32)
  const variables = { customer: 'Bia', code: '$& {{1}}' }
  await send(service, official, {
    destinationNumber: peer,
    templateId,
    variables,
    media: `data:image/png;base64,${other.toString('base64')}`,
  })
  const {
    data: { item },
  } = await inbox.reader.next('conversation', (data) => data.item.from === peer)
  t.deepEqual(item.canSend, { free: false, reason: 'WINDOW_CLOSED' })
  const path = `/conversations/${item.id}/messages`
  t.like(await inbox.ask('POST', path, { text: 'hello' }), {
    status: 422,
    body: { code: 'OFFICIAL_OUTSIDE_24H_WINDOW' },
  })
  const {
    body: { templates },
  } = await inbox.ask('GET', `/templates?numberId=${official.id}`)
  t.deepEqual(
    templates.map((one: any) => [one.id, one.sendable, one.variables]),
    [[templateId, true, ['customer', 'code']]],
  )
  t.deepEqual((await inbox.ask('GET', `/templates?numberId=${official.id}&search=nothing`)).body.templates, [])
  t.like(await inbox.ask('POST', path, { templateId, variables: { customer: 'Bia' } }), {
    status: 400,
    body: { code: 'MISSING_TEMPLATE_VARIABLES', details: { missing: ['code'] } },
  })

  const sent = await inbox.ask('POST', path, { templateId, variables })
  t.is(sent.status, 202)
  await inbox.reader.toldAs(sent.body.id, 'READ')
  const [first, second] = await untilInbox(service, peer, official, 2)
  t.deepEqual(
    [first, second].map((one) => one.text),
    ['Hello Bia, look: $& {{1}} is yours.', 'Hello Bia, look: $& {{1}} is yours.'],
  )
  t.deepEqual(
    [await mediaBytes(service, first.externalMessageId), await mediaBytes(service, second.externalMessageId)],
    [other, picture],
  )

  await failSends(service, official, { error: '131042' })
  const lost = await send(service, official, {
    destinationNumber: peer,
    templateId,
    variables,
    media: `data:image/png;base64,${other.toString('base64')}`,
  })
  await inbox.reader.toldAs(lost.id, 'FAILED')
  const again = await inbox.ask('POST', `/messages/${lost.id}/retry`)
  t.like(again, { status: 202, body: { retryOf: lost.id } })
  await inbox.reader.toldAs(again.body.id, 'READ')
  const last = (await untilInbox(service, peer, official, 3)).at(-1)
  t.is(last.text, 'Hello Bia, look: $& {{1}} is yours.')
  t.deepEqual(await mediaBytes(service, last.externalMessageId), other)
  for (const id of [lost.id, again.body.id]) {
    const read = await fetch(`${service.base}/api/public/embed/messages/${id}/media`, { headers: inbox.headers })
    t.deepEqual(
      [read.status, Buffer.from(await read.arrayBuffer())],
      [200, other],
      'the file that was sent along is read by its message, delivered or not',
    )
  }

  await write(service, peer, official, { text: 'thank you' })
  await inbox.reader.next('conversation', (data) => data.item.id === item.id && data.item.canSend.free)
  t.is((await inbox.ask('POST', path, { text: 'you are welcome' })).status, 202)

  const sound = waveFile({ hz: 440, seconds: 1 })
  await write(service, peer, official, {
    type: 'audio',
    media: { base64: sound.toString('base64'), mimeType: 'audio/wav' },
  })
  const {
    data: { message },
  } = await inbox.reader.next('message', (data) => data.message.type === 'audio')
  t.like(message.media, { sizeBytes: null, durationMs: null, waveform: null, isVoice: false })
  const asked = async () =>
    (await service.control('GET', `/requests?path=/official/v24.0/${message.media.id}`)).body.requests.length
  const read = async (range: Record<string, string>) => {
    const response = await fetch(`${service.base}/api/public/embed/messages/${message.id}/media`, {
      headers: { ...inbox.headers, ...range },
    })
    return [
      response.status,
      Buffer.from(await response.arrayBuffer()).equals(sound.subarray(0, range['range'] ? 10 : undefined)),
    ]
  }
  t.deepEqual(await read({}), [200, true])
  const heard = await inbox.reader.next(
    'message',
    (data) => data.message.id === message.id && data.message.media.waveform?.length === 64,
  )
  t.is(heard.data.message.media.sizeBytes, sound.byteLength)
  const before = await asked()
  t.true(before > 0)
  t.deepEqual(
    [await read({}), await read({ range: 'bytes=0-9' })],
    [
      [200, true],
      [206, true],
    ],
  )
  t.is(await asked(), before, 'upstream is asked for a file once')
})

test('UNOFFICIAL: a template goes out by the inbox, and one that failed is made again as it was', async (t) => {
  const inbox = await openInbox(t)
  const peer = newPeer('0007')
  const name = `greets_${peer}`
  const { id: templateId } = await createTemplate(service, number, name)
  await write(service, peer, number, { text: 'hello' })
  const {
    data: { message },
  } = await inbox.reader.next('message', (data) => data.message.from === peer)
  t.like((await inbox.ask('GET', `/templates?numberId=${number.id}&search=${name}`)).body.templates, [
    { id: templateId },
  ])
  const sent = await inbox.ask('POST', `/conversations/${message.conversationId}/messages`, {
    templateId: name,
    variables: { customer: 'Caê\nD.' },
  })
  t.is(sent.status, 202)
  await inbox.reader.toldAs(sent.body.id, 'FAILED')
  const again = await inbox.ask('POST', `/messages/${sent.body.id}/retry`)
  t.is(again.status, 202)
  const told = (await inbox.reader.next('message', (data) => data.message.id === again.body.id)).data.message
  t.like(told, { type: 'template', content: 'Hello Caê\nD., your order is on its way.' })
  t.is((await service.api('DELETE', `/v1/templates/${templateId}`, number.key)).status, 200)
  await inbox.reader.toldAs(again.body.id, 'FAILED')
  t.is(
    (await inbox.ask('POST', `/messages/${again.body.id}/retry`)).status,
    404,
    'what is gone is the template, not a file',
  )
  t.deepEqual(await inboxOf(service, peer, number), [])
})
