import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import sharp from 'sharp'
import { streamsOf } from '../files/make-media.ts'
import { newMessageId, messageIdOf } from '../../sandbox/official/messages/message-id.ts'
import { messageKey } from '../../src/domain/message-key.ts'
import { caseFile, caseOf } from '../helpers/messaging-cases.ts'
import {
  historyOf,
  KINDS,
  mediaBytes,
  newPeer,
  numbersOfBothKinds,
  reachablePeer,
  send,
  sendText,
  sendRequests,
  untilInbox,
  untilInHistory,
  untilStatus,
  untilTold,
  write,
  type BothNumbers,
  type Kind,
} from '../helpers/message-service.ts'
import { batch, postSigned } from '../helpers/official-service.ts'
import { storedEvents } from '../helpers/receiver-ledger.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { connectTemplates, readyTemplate } from '../helpers/template-service.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

let service: Service
let numbers: BothNumbers

test.before(async () => {
  service = await joinService()
  numbers = await numbersOfBothKinds(service)
})

function dataUri(bytes: Uint8Array, type = 'application/octet-stream'): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

test('messaging-01, [identities.looking-up.3]: a reply and a status that name a message by another of its ids find it', async (t) => {
  const { steps } = caseOf<{ steps: { change?: { field: string; value: any } }[] }>('01-two-names-of-one-message')
  const number = numbers.OFFICIAL
  const peer = await reachablePeer(service, number, '0003') // upstream says of it that it was sent, and no more
  const { id } = await sendText(service, number, peer, 'shall we?')
  const { externalMessageId: sentAs } = await untilStatus(service, number, id, ['SENT'])
  const who = `US.${peer}13491`
  const named = messageIdOf({ who, isOfBusiness: true, key: messageKey(sentAs) })
  t.not(named, sentAs)
  const answer = newMessageId(who, false)
  for (const { change } of steps) {
    if (!change) continue
    const [message] = change.value.messages ?? []
    const [status] = change.value.statuses ?? []
    const value = {
      ...change.value,
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: number.digits, phone_number_id: number.phoneId },
      contacts: [{ ...change.value.contacts[0], wa_id: peer, user_id: who }],
      ...(message && {
        messages: [
          {
            ...message,
            id: answer,
            timestamp: nowText(),
            from: peer,
            from_user_id: who,
            context: { from: number.digits, id: named },
          },
        ],
      }),
      ...(status && {
        statuses: [{ ...status, id: named, timestamp: nowText(), recipient_id: peer, recipient_user_id: who }],
      }),
    }
    t.is((await postSigned(number, batch(number, [JSON.stringify({ field: change.field, value })]))).status, 200)
  }
  await untilStatus(service, number, id, ['DELIVERED'])
  const told = await untilTold(service, number, 'message.reply', answer)
  t.is(told.data.quotedMessageId, named)
  for (const anyId of [id, sentAs, named]) {
    const { status, body } = await service.api('GET', `/v1/messages/${encodeURIComponent(anyId)}`, number.key)
    t.deepEqual([status, body.id, body.externalMessageId], [200, id, sentAs])
  }
  const replies = (await storedEvents(service, number.key)).filter(
    ({ event, data }) => event === 'message.reply' && data.messageId === answer,
  )
  t.is(replies.length, 1)
})

function nowText(): string {
  return String(Math.floor(Date.now() / 1_000))
}

/**
 * Sends messages from a number of one kind; resolves to what reached the phone, after the upstream took each message.
 */
async function arrived(kind: Kind, messages: readonly object[]): Promise<any[]> {
  const number = numbers[kind]
  const destinationNumber = await reachablePeer(service, number)
  const ids: string[] = []
  for (const message of messages) ids.push((await send(service, number, { ...message, destinationNumber })).id)
  await Promise.all(ids.map((id) => untilStatus(service, number, id, ['SENT', 'DELIVERED', 'READ'])))
  return await untilInbox(service, destinationNumber, number, messages.length)
}

test('messaging-03: a writer who is known by a private id is answered by it, and one name lists both directions', async (t) => {
  const { steps } = caseOf<{ steps: readonly [{ bridgeEvent: any }, { send: any }] }>('03-writer-known-by-private-id')
  const [{ bridgeEvent }, { send: answer }] = steps
  const number = numbers.UNOFFICIAL
  const { from: lid, fromName, content } = bridgeEvent
  const written = await write(service, lid, number, { fromName, ...content })
  t.like(await untilInHistory(service, number, written, `&peer=${lid}`), { from: lid, fromName, content: content.text })
  const { id } = await send(service, number, answer)
  await untilStatus(service, number, id, ['READ'])
  const requests = (await sendRequests(service, number)).filter(({ fields }) => fields.messageId === id)
  t.deepEqual(
    requests.map(({ fields }) => [fields.to, fields.content.text]),
    [[answer.destinationNumber, answer.text]],
  )
  const pages = await Promise.all(
    ['INBOUND', 'OUTBOUND'].map((direction) => historyOf(service, number, `&peer=${lid}&direction=${direction}`)),
  )
  t.deepEqual(
    pages.map(({ messages }) => messages.map(({ content: said }: any) => said)),
    [[content.text], [answer.text]],
  )
  t.is(new Set(pages.flatMap(({ messages }) => messages.map(({ conversationId }: any) => conversationId))).size, 1)
})

const SOUNDS = ['tone-1000hz.mp3', 'tone-800hz.ogg', 'tone-600hz.opus']

test('messaging-04: a voice note is audio/ogg; codecs=opus, to the engine and in the file that upstream is given', async (t) => {
  const { send: note } = caseOf<{ send: object }>('04-voice-note-type')
  const sounds = await Promise.all(SOUNDS.map((name) => readFile(new URL(`../fixtures/${name}`, import.meta.url))))
  for (const kind of KINDS) {
    const items = await arrived(
      kind,
      sounds.flatMap((sound) => ['voice', 'audio'].map((mediaType) => ({ ...note, media: dataUri(sound), mediaType }))),
    )
    t.deepEqual(
      items.map(({ media }) => media[0].mimeType),
      items.map(() => 'audio/ogg; codecs=opus'),
    )
  }
})

/** The type with which a document is uploaded when the upstream does not accept its own type. */
const TEXT = 'text/plain'
/** More documents of this kind, with the type of the upload; null when the upstream fetches the document itself. */
const MORE_DOCUMENTS: readonly (readonly [name: string, bytes: Buffer, type: string | null])[] = [
  ['a.tsv', Buffer.from('a\tb\n1\t2\n'), TEXT],
  ['a.json', Buffer.from('{"a":1}'), TEXT],
  ['a.xml', Buffer.from('<?xml version="1.0"?><a/>'), TEXT],
  ['a.ics', Buffer.from('BEGIN:VCALENDAR\r\n'), TEXT],
  ['ano.csv', Buffer.from('\ufeffa;b', 'utf16le'), TEXT],
  ['preco.txt', Buffer.from('pre\xe7o \x80 1', 'latin1'), TEXT],
  ['a.7z', Buffer.from('7z\xbc\xaf\x27\x1c\0\x04', 'latin1'), null],
  ['a.gz', Buffer.from('\x1f\x8b\x08\0\0\0\0\0', 'latin1'), null],
  [
    'a.epub',
    Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(26), Buffer.from('mimetypeapplication/epub+zip')]),
    null,
  ],
  ['a.gif', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), null],
  [
    'a.wav',
    Buffer.from(
      'RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\0\0\0\0',
      'latin1',
    ),
    null,
  ],
  ['a.bin', Buffer.from([0, 1, 2, 3]), null],
  ['a.ogg', readFileSync(new URL('../fixtures/tone-800hz.ogg', import.meta.url)), null],
]

test('messaging-05: CSV, CSV in Latin-1, ZIP and ODT arrive as documents', async (t) => {
  const { cases } = caseOf<{ cases: { send: { mediaFilename: string; media: string } }[] }>('05-documents')
  const files = [
    ...cases.map(({ send: { media, mediaFilename } }, index) => ({
      media,
      mediaFilename,
      type: index < 2 ? TEXT : null,
    })),
    ...MORE_DOCUMENTS.map(([mediaFilename, bytes, type]) => ({ media: dataUri(bytes), mediaFilename, type })),
  ]
  for (const kind of KINDS) {
    const items = await arrived(
      kind,
      files.map(({ media, mediaFilename }) => ({ mediaType: 'document', media, mediaFilename })),
    )
    for (const [index, { media, mediaFilename, type }] of files.entries()) {
      const item = items[index]
      t.is(kind === 'OFFICIAL' ? item.content.filename : item.media[0].fileName, mediaFilename)
      t.deepEqual(
        await mediaBytes(service, item.externalMessageId),
        Buffer.from(media.slice(media.indexOf(',') + 1), 'base64'),
        mediaFilename,
      )
      if (kind === 'OFFICIAL')
        t.deepEqual(
          [typeof item.content.link, item.media[0].mimeType === TEXT],
          type === null ? ['string', false] : ['undefined', true],
          mediaFilename,
        )
    }
  }
})

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n')

test('messaging-10: a document has the extension of its content, and else the name that was given', async (t) => {
  const { cases } = caseOf<{ cases: { send: { mediaFilename: string }; right: string }[] }>('10-document-name')
  const named = cases.map(
    ({ send: { mediaFilename }, right }) => [mediaFilename, /"(.+)"/.exec(right)?.[1] ?? mediaFilename] as const,
  )
  const more = [
    ['Fatura.PDF', 'Fatura.PDF'],
    ['contrato.docx', 'contrato.docx.pdf'],
    ['Relatório 2026.12', 'Relatório 2026.12.pdf'],
    ['fatura. ', 'fatura.pdf'],
    ['a/b:c', 'a/b:c.pdf'],
    ['Nº 5 – março', 'Nº 5 – março.pdf'],
    ['😀'.repeat(40), `${'😀'.repeat(40)}.pdf`],
  ] as const
  const wanted = [...named, ...more]
  for (const kind of KINDS) {
    const items = await arrived(
      kind,
      wanted.map(([mediaFilename]) => ({ mediaType: 'document', media: dataUri(PDF), mediaFilename })),
    )
    t.deepEqual(
      items.map((item) => (kind === 'OFFICIAL' ? item.content.filename : item.media[0].fileName)),
      wanted.map(([, right]) => right),
    )
  }
})

test('messaging-13: a picture in CMYK and one of 16 bits are 8-bit RGB on OFFICIAL, in carousels too', async (t) => {
  const pictures = [caseFile('13a-cmyk.jpg'), caseFile('13b-16bit.png')]
  const cards = pictures.map((picture) => ({
    image: dataUri(picture),
    text: 'a',
    buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }],
  }))
  const messages = [
    ...pictures.map((picture) => ({ mediaType: 'image', media: dataUri(picture) })),
    { carousel: { text: 'two', cards } },
  ]
  const [first, second, carousel] = await arrived('OFFICIAL', messages)
  const shown = await Promise.all([
    mediaBytes(service, first.externalMessageId),
    mediaBytes(service, second.externalMessageId),
    mediaBytes(service, carousel.externalMessageId, 0),
    mediaBytes(service, carousel.externalMessageId, 1),
  ])
  for (const [index, bytes] of shown.entries()) {
    const { format, space, depth, isPalette, channels } = await sharp(bytes).metadata()
    t.deepEqual(
      [format, space, depth, isPalette ?? false, channels >= 3],
      [index % 2 === 0 ? 'jpeg' : 'png', 'srgb', 'uchar', false, true],
      String(index),
    )
  }
  const asTheyCame = await arrived('UNOFFICIAL', messages.slice(0, 2))
  for (const [index, { externalMessageId }] of asTheyCame.entries())
    t.deepEqual(await mediaBytes(service, externalMessageId), pictures[index])
})

test('messaging-14: a film of profile High with B-frames is converted on OFFICIAL', async (t) => {
  const film = caseFile('14-h264-high-b-frames.mp4')
  const [item] = await arrived('OFFICIAL', [{ mediaType: 'video', media: dataUri(film) }])
  t.is(item.media[0].mimeType, 'video/mp4')
  t.deepEqual(await streamsIn(t, film), [{ codec: 'h264', width: 160, height: 120, delay: 2 }])
  t.deepEqual(await streamsIn(t, await mediaBytes(service, item.externalMessageId)), [
    { codec: 'h264', width: 160, height: 120, delay: 0 },
  ])
})

test('messaging-10, -13, -14: files of templates are made fit and named as those of other messages, the sample and what is sent', async (t) => {
  const number = await connectTemplates(service)
  const header = (type: string, bytes: Buffer, mime: string) => ({
    body: { header: { type, base64: dataUri(bytes, mime) }, body: { text: 'Hello {{customer}}, look at this.' } },
  })
  const film = caseFile('14-h264-high-b-frames.mp4')
  await readyTemplate(service, number, 'picture', header('IMAGE', caseFile('13a-cmyk.jpg'), 'image/jpeg'))
  await readyTemplate(service, number, 'film', header('VIDEO', film, 'video/mp4'))
  await readyTemplate(service, number, 'paper', header('DOCUMENT', PDF, 'application/pdf'))
  const variables = { customer: 'Ana' }
  const destinationNumber = newPeer()
  for (const message of [
    { templateId: 'picture' },
    { templateId: 'picture', media: dataUri(caseFile('13b-16bit.png')) },
    { templateId: 'film' },
    { templateId: 'film', media: dataUri(film) },
    { templateId: 'paper', media: dataUri(PDF), mediaFilename: 'Fatura 12' },
  ]) {
    await send(service, number, { destinationNumber, variables, ...message })
  }
  const items = await untilInbox(service, destinationNumber, number, 5)
  const [cmyk, deep, sample, sent] = await Promise.all(
    items.slice(0, 4).map(({ externalMessageId }) => mediaBytes(service, externalMessageId)),
  )
  for (const picture of [cmyk, deep]) t.like(await sharp(picture).metadata(), { space: 'srgb', depth: 'uchar' })
  for (const made of [sample, sent])
    t.deepEqual(await streamsIn(t, made ?? film), [{ codec: 'h264', width: 160, height: 120, delay: 0 }])
  t.true(JSON.stringify(items[4].content).includes('"Fatura 12.pdf"'), JSON.stringify(items[4].content))
})

async function streamsIn(t: ExecutionContext, bytes: Buffer): Promise<unknown> {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  const path = join(directory.path, 'film')
  await writeFile(path, bytes)
  return await streamsOf(path)
}
