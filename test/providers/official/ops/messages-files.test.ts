import { rm } from 'node:fs/promises'
import test from 'ava'
import type { MediaKind } from '../../../../src/domain/message.ts'
import type { SendableMedia } from '../../../../src/ports/provider.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { mediaFile, message, PEER, text } from '../../../helpers/sendables.ts'
import { CREDENTIALS, graphError } from '../scripted-graph.ts'
import { AT, opened, QUICK, SENT, TAKEN, URL_BUTTON } from './message-rig.ts'

const UPLOAD = 'POST /1001/media'

const MEDIA: readonly (readonly [
  kind: MediaKind,
  fileName: string,
  mimeType: string,
  caption: string | null,
  part: object,
])[] = [
  ['image', 'a.jpg', 'image/jpeg', 'Look', { type: 'image', image: { id: '77', caption: 'Look' } }],
  ['image', 'a.jpg', 'image/jpeg', null, { type: 'image', image: { id: '77' } }],
  ['video', 'a.mp4', 'video/mp4', 'See', { type: 'video', video: { id: '77', caption: 'See' } }],
  [
    'document',
    'a.pdf',
    'application/pdf',
    'Read',
    { type: 'document', document: { id: '77', caption: 'Read', filename: 'named.pdf' } },
  ],
  ['audio', 'a.ogg', 'audio/ogg; codecs=opus', null, { type: 'audio', audio: { id: '77', voice: true } }],
  ['voice', 'a.ogg', 'audio/ogg; codecs=opus', null, { type: 'audio', audio: { id: '77', voice: true } }],
  ['sticker', 'a.webp', 'image/webp', null, { type: 'sticker', sticker: { id: '77' } }],
]

for (const [kind, fileName, mimeType, caption, part] of MEDIA) {
  test(`a media of kind ${kind}${caption === null ? '' : ' with caption'} is uploaded as a form and sent by its id`, async (t) => {
    const { server, session } = await opened(t)
    server.on(UPLOAD, { json: { id: '77' } })
    const media = await mediaFile(t, fileName, mimeType)
    const sending = message({
      mode: 'media',
      kind,
      source: media,
      caption,
      fileName: kind === 'document' ? 'named.pdf' : null,
    })
    t.deepEqual(await session.sendMessage(sending), SENT)
    const [upload, sent] = server.asked
    t.is(upload?.headers.authorization, `Bearer ${CREDENTIALS.accessToken}`)
    t.deepEqual(upload?.form, {
      messaging_product: 'whatsapp',
      type: mimeType,
      file: { name: fileName, type: mimeType, text: 'bytes of a file' },
    })
    const head = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: PEER,
      biz_opaque_callback_data: sending.messageId,
    }
    t.deepEqual(sent?.body, { ...head, ...part })
  })
}

test('a document of text is uploaded as plain text under its own name', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: '77' } })
  const media = await mediaFile(t, 'report.csv', 'text/csv', 'a;b')
  t.deepEqual(
    await session.sendMessage(
      message({ mode: 'media', kind: 'document', source: media, caption: null, fileName: 'report.csv' }),
    ),
    SENT,
  )
  t.deepEqual(server.asked[0]?.form, {
    messaging_product: 'whatsapp',
    type: 'text/plain',
    file: { name: 'report.csv', type: 'text/plain', text: 'a;b' },
  })
  t.like(server.asked[1]?.body, { document: { id: '77', filename: 'report.csv' } })
})

test('a document of a type that no upload may have goes by link', async (t) => {
  const { server, session } = await opened(t)
  for (const [name, mimeType] of [
    ['x.zip', 'application/zip'],
    ['x.odt', 'application/vnd.oasis.opendocument.text'],
    ['x.bin', 'application/octet-stream'],
    ['x.ogg', 'audio/ogg'],
  ] as const) {
    server.asked.length = 0
    const media = await mediaFile(t, name, mimeType)
    t.deepEqual(
      await session.sendMessage(
        message({ mode: 'media', kind: 'document', source: media, caption: 'Read', fileName: null }),
      ),
      SENT,
    )
    t.deepEqual(
      server.asked.map(({ body }) => body?.['document']),
      [{ link: media.url, caption: 'Read', filename: name }],
    )
  }
})

test('a document is shown under its name with the extension that phones open it by', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: 77 } })
  const media = await mediaFile(t, 'a.pdf', 'application/pdf')
  for (const [given, shown] of [
    ['Fatura 12', 'Fatura 12.pdf'],
    ['v1.2 final', 'v1.2 final.pdf'],
    ['fatura.pdf', 'fatura.pdf'],
    ['FATURA.PDF', 'FATURA.PDF'],
    ['Contrato.', 'Contrato.pdf'],
    [' ', 'a.pdf'],
  ] as const) {
    await session.sendMessage(
      message({ mode: 'media', kind: 'document', source: media, caption: null, fileName: given }),
    )
    t.like(server.asked.at(-1)?.body, { document: { filename: shown } }, given)
  }
})

test('a document without a name given has that of its file', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: 77 } })
  await session.sendMessage(
    message({
      mode: 'media',
      kind: 'document',
      source: await mediaFile(t, 'a.pdf', 'application/pdf'),
      caption: null,
      fileName: null,
    }),
  )
  t.like(server.asked[1]?.body, { document: { id: '77', filename: 'a.pdf' } })
})

test('a carousel has its cards in order, each with its image', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: 'media-first' } }, { json: { id: 'media-second' } })
  const images = [await mediaFile(t, 'a.jpg', 'image/jpeg'), await mediaFile(t, 'b.png', 'image/png')] as const
  const cards = images.map((image, index) => ({ image, text: `Card ${index}`, buttons: QUICK.slice(0, index + 1) }))
  t.deepEqual(await session.sendMessage(message({ mode: 'carousel', text: 'Choose', cards })), SENT)
  // Uploads run concurrently, so the upstream decides which file gets which id.
  const idOf = (name: string) =>
    `media-${server.asked.findIndex(({ form }) => (form?.['file'] as { name: string } | undefined)?.name === name) === 0 ? 'first' : 'second'}`
  const reply = (title: string) => ({ type: 'quick_reply', quick_reply: { id: `id-${title}`, title } })
  t.like(server.asked[2]?.body, {
    type: 'interactive',
    interactive: {
      type: 'carousel',
      body: { text: 'Choose' },
      action: {
        cards: [
          {
            card_index: 0,
            type: 'cta_url',
            header: { type: 'image', image: { id: idOf('a.jpg') } },
            body: { text: 'Card 0' },
            action: { buttons: [reply('Yes')] },
          },
          {
            card_index: 1,
            type: 'cta_url',
            header: { type: 'image', image: { id: idOf('b.png') } },
            body: { text: 'Card 1' },
            action: { buttons: [reply('Yes'), reply('No')] },
          },
        ],
      },
    },
  })
})

test('a carousel with a link is refused before anything is uploaded', async (t) => {
  const { server, session } = await opened(t)
  const image = await mediaFile(t, 'a.jpg', 'image/jpeg')
  t.like(
    await session.sendMessage(
      message({ mode: 'carousel', text: 'x', cards: [{ image, text: 'y', buttons: [URL_BUTTON] }] }),
    ),
    { kind: 'refused' },
  )
  t.is(server.asked.length, 0)
})

const ofTemplate = (source: SendableMedia) => ({ kind: 'image', source, fileName: null, isOwn: false }) as const

test('files of a template are uploaded to the phone and sent by their ids, never by an address', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: '77' } })
  const file = await mediaFile(t, 'a.pdf', 'application/pdf')
  const header = (document: object) => [{ type: 'header', parameters: [{ type: 'document', document }] }]
  const send = (document: object) =>
    session.sendMessage(
      message({
        mode: 'template',
        name: 'bill',
        language: 'pt_BR',
        components: header(document),
        files: [ofTemplate(file)],
      }),
    )
  t.deepEqual([await send({ id: '' }), await send({ id: '', filename: 'Bill.pdf' })], [SENT, SENT])
  t.deepEqual(
    server.asked.map(({ path }) => path),
    ['/1001/media', '/1001/messages', '/1001/messages'],
  )
  const sent = (components: unknown) => ({ name: 'bill', language: { code: 'pt_BR' }, components })
  t.deepEqual(
    server.asked.slice(1).map(({ body }) => body?.['template']),
    [sent(header({ filename: 'a.pdf', id: '77' })), sent(header({ filename: 'Bill.pdf', id: '77' }))],
  )
})

test('each card of a template has its own picture', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: 'media-first' } }, { json: { id: 'media-second' } })
  const files = [await mediaFile(t, 'a.jpg', 'image/jpeg'), await mediaFile(t, 'b.png', 'image/png')]
  const cards = files.map((_file, index) => ({
    card_index: index,
    components: [{ type: 'header', parameters: [{ type: 'image', image: { id: '' } }] }],
  }))
  t.deepEqual(
    await session.sendMessage(
      message({
        mode: 'template',
        name: 'shop',
        language: 'pt_BR',
        components: [{ type: 'carousel', cards }],
        files: files.map(ofTemplate),
      }),
    ),
    SENT,
  )
  const ids = [...JSON.stringify(server.asked[2]?.body).matchAll(/"id":"(media-\w+)"/g)].map(([, id]) => id)
  const names = server.asked.slice(0, 2).map(({ form }) => (form?.['file'] as { name: string } | undefined)?.name)
  t.deepEqual(ids, names[0] === 'a.jpg' ? ['media-first', 'media-second'] : ['media-second', 'media-first'])
})

// [templates.send-failures.1]
test('an upstream error about a file means, for a template without files, that it is not approved', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: '77' } }).on(AT, graphError(131053))
  const send = (files: readonly SendableMedia[]) =>
    session.sendMessage(
      message({ mode: 'template', name: 'welcome', language: 'pt_BR', components: [], files: files.map(ofTemplate) }),
    )
  t.like(await send([]), { kind: 'refused', failure: { code: 'OFFICIAL_TEMPLATE_NOT_APPROVED', upstreamCode: 131053 } })
  t.like(await send([await mediaFile(t, 'a.jpg', 'image/jpeg')]), {
    kind: 'refused',
    failure: { code: 'OFFICIAL_MEDIA_UPLOAD_ERROR', upstreamCode: 131053 },
  })
  t.like(await session.sendMessage(message(text('Hi'))), {
    kind: 'refused',
    failure: { code: 'OFFICIAL_MEDIA_UPLOAD_ERROR' },
  })
})

test('one file is uploaded once for many messages, also when they come together', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: '77' } })
  const media = await mediaFile(t, 'a.jpg', 'image/jpeg')
  const send = () =>
    session.sendMessage(message({ mode: 'media', kind: 'image', source: media, caption: null, fileName: null }))
  t.deepEqual(
    await Promise.all(Array.from({ length: 10 }, send)),
    Array.from({ length: 10 }, () => SENT),
  )
  // The second send works although the file is gone.
  await rm(media.path)
  t.deepEqual(await send(), SENT)
  t.is(server.asked.filter(({ path }) => path === '/1001/media').length, 1)
})

test('an upload is of one phone, and is done again after a day', async (t) => {
  const clock = new FakeClock()
  const { server, session, open } = await opened(t, { clock })
  server
    .on(UPLOAD, { json: { id: '77' } })
    .on('POST /1002/media', { json: { id: '88' } })
    .on('POST /1002/messages', TAKEN)
  const media = await mediaFile(t, 'a.jpg', 'image/jpeg')
  const sending = () => message({ mode: 'media', kind: 'image', source: media, caption: null, fileName: null } as const)
  await session.sendMessage(sending())
  await open('1002').sendMessage(sending())
  t.like(server.asked.at(-1)?.body, { image: { id: '88' } })
  clock.advance(24 * 3_600_000 - 1)
  await session.sendMessage(sending())
  t.is(server.asked.filter(({ path }) => path === '/1001/media').length, 1)
  clock.advance(1)
  await session.sendMessage(sending())
  t.is(server.asked.filter(({ path }) => path === '/1001/media').length, 2)
})

for (const code of [100, 131009]) {
  test(`a kept upload that upstream may have lost (${code}) is done anew, once`, async (t) => {
    const { server, session } = await opened(t)
    server.on(UPLOAD, { json: { id: '77' } }, { json: { id: '78' } })
    const media = await mediaFile(t, 'a.jpg', 'image/jpeg')
    const send = () =>
      session.sendMessage(message({ mode: 'media', kind: 'image', source: media, caption: null, fileName: null }))
    t.deepEqual(await send(), SENT)
    server.on(AT, graphError(code), TAKEN)
    t.deepEqual(await send(), SENT)
    t.like(server.asked.at(-1)?.body, { image: { id: '78' } })
    server.asked.length = 0
    server.on(AT, graphError(code))
    t.like(await send(), { kind: 'refused', failure: { upstreamCode: code } })
    t.deepEqual(
      server.asked.map(({ path }) => path),
      ['/1001/messages', '/1001/media', '/1001/messages'],
    )
  })
}

test('a message with a file uploaded for it is refused without another try', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: '77' } }).on(AT, graphError(100))
  const media = await mediaFile(t, 'a.jpg', 'image/jpeg')
  t.like(
    await session.sendMessage(message({ mode: 'media', kind: 'image', source: media, caption: null, fileName: null })),
    {
      kind: 'refused',
    },
  )
  t.is(server.asked.length, 2)
})

test('a file upstream refuses fails its message with upstream’s reason, and is uploaded anew next time', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, graphError(100, 400, { error_data: { details: 'Param file must be a file' } }), {
    json: { id: '77' },
  })
  const media = await mediaFile(t, 'a.webm', 'video/webm')
  const sending = message({ mode: 'media', kind: 'video', source: media, caption: null, fileName: null })
  t.deepEqual(await session.sendMessage(sending), {
    kind: 'refused',
    failure: {
      code: 'OFFICIAL_MEDIA_UPLOAD_ERROR',
      message: '(#100) Title: Param file must be a file',
      details: 'Param file must be a file',
      upstreamCode: 100,
    },
  })
  t.deepEqual(await session.sendMessage(sending), SENT)
})

test('while a file cannot be uploaded nothing of its message is sent', async (t) => {
  const { server, session } = await opened(t)
  const media = await mediaFile(t, 'a.jpg', 'image/jpeg')
  const sending = message({ mode: 'media', kind: 'image', source: media, caption: null, fileName: null })
  for (const answer of ['drop', graphError(2, 500), { status: 502, text: '<html>' }, { json: {} }] as const) {
    server.on(UPLOAD, answer)
    t.like(await session.sendMessage(sending), { kind: 'unsent' })
  }
  server.on(UPLOAD, graphError(130429))
  t.like(await session.sendMessage(sending), { kind: 'throttled', scope: 'number' })
  t.is(server.asked.filter(({ path }) => path === '/1001/messages').length, 0)
  await rm(media.path)
  t.like(await session.sendMessage(sending), { kind: 'unsent' })
})
