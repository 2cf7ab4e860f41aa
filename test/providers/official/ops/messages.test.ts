import { rm } from 'node:fs/promises'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { newId } from '../../../../src/domain/ids.ts'
import type { FlowContent, MediaKind, MessageButton } from '../../../../src/domain/message.ts'
import { DEFAULT_SETTINGS } from '../../../../src/domain/number.ts'
import { createUpstreamFetch } from '../../../../src/net/upstream-fetch.ts'
import type { SendableMedia, SendableMessage } from '../../../../src/ports/provider.ts'
import { lateClock } from '../../../helpers/late-clock.ts'
import { createGraph } from '../../../../src/providers/official/client/graph.ts'
import { createOfficialDriver } from '../../../../src/providers/official/driver.ts'
import { MediaUploads } from '../../../../src/providers/official/message/uploads.ts'
import { messageOps } from '../../../../src/providers/official/ops/messages.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { noMetrics, silentLog } from '../../../helpers/silent.ts'
import { until } from '../../../helpers/until.ts'
import { mediaFile, message, PEER, text } from '../../sendables.ts'
import { CREDENTIALS, graphError, rig } from '../scripted-graph.ts'
import type { RigOptions } from '../scripted-graph.ts'

const AT = 'POST /1001/messages'
const UPLOAD = 'POST /1001/media'
const TAKEN = { json: { messaging_product: 'whatsapp', messages: [{ id: 'wamid.A' }] } }
const SENT = { kind: 'sent', externalMessageId: 'wamid.A' } as const

async function opened(t: ExecutionContext, options: RigOptions = {}) {
  const parts = await rig(t, options)
  const driver = createOfficialDriver({ graph: parts.graph, clock: options.clock ?? lateClock })
  const open = (phoneId = CREDENTIALS.phoneId) => {
    const session = driver.openSession({
      numberId: newId('num'), number: '15550123456', credentials: JSON.stringify({ ...CREDENTIALS, phoneId }), settings: DEFAULT_SETTINGS,
      historyImport: false, wantsStories: false, ackedSeq: 0,
    }, () => {})
    t.teardown(() => session.close())
    return session
  }
  parts.server.on(AT, TAKEN)
  return { ...parts, session: open(), open }
}

/** The one body sent for a message. */
async function bodyOf(t: ExecutionContext, sending: SendableMessage) {
  const { server, session } = await opened(t)
  t.deepEqual(await session.sendMessage(sending), SENT)
  t.is(server.asked.length, 1)
  return server.asked[0]?.body
}

const QUICK: readonly MessageButton[] = ['Yes', 'No', 'Later'].map((label) => ({ type: 'QUICK_REPLY', text: label, id: `id-${label}` }))

test('a text is sent to the peer and named by our message id', async (t) => {
  const sending = message(text('Hello'))
  t.deepEqual(await bodyOf(t, sending), {
    messaging_product: 'whatsapp', recipient_type: 'individual', to: PEER, type: 'text', text: { body: 'Hello' }, biz_opaque_callback_data: sending.messageId,
  })
})

test('a text with a link shows its preview', async (t) => {
  t.like(await bodyOf(t, message(text('See https://example.com/a'))), { text: { body: 'See https://example.com/a', preview_url: true } })
})

test('a quote names the message quoted', async (t) => {
  t.like(await bodyOf(t, message(text('Yes'), { quotedMessageId: 'wamid.Q' })), { context: { message_id: 'wamid.Q' } })
})

test('a user who hides the number is reached by upstream’s id', async (t) => {
  const body = await bodyOf(t, message(text('Hi'), { to: { type: 'DIRECT', address: 'US.13491' } }))
  t.like(body, { recipient: 'US.13491' })
  t.false('to' in (body ?? {}))
})

test('an answer that names the user by number and by id tells both', async (t) => {
  const { server, session } = await opened(t)
  server.on('POST /1001/messages', { json: { contacts: [{ input: PEER, wa_id: PEER, user_id: 'US.13491' }], messages: [{ id: 'wamid.N' }] } })
  t.deepEqual(await session.sendMessage(message(text('Hi'))), { kind: 'sent', externalMessageId: 'wamid.N', named: { digits: PEER, userId: 'US.13491' } })
})

test('quick replies are buttons with header and footer', async (t) => {
  t.like(await bodyOf(t, message(text('Coming?', { buttons: QUICK, header: 'Party', footer: 'Free' }))), {
    type: 'interactive',
    interactive: {
      type: 'button', header: { type: 'text', text: 'Party' }, body: { text: 'Coming?' }, footer: { text: 'Free' },
      action: { buttons: ['Yes', 'No', 'Later'].map((title) => ({ type: 'reply', reply: { id: `id-${title}`, title } })) },
    },
  })
})

test('one link is a call to action', async (t) => {
  t.like(await bodyOf(t, message(text('Read', { buttons: [{ type: 'URL', text: 'Open', url: 'https://example.com' }] }))), {
    interactive: { type: 'cta_url', body: { text: 'Read' }, action: { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://example.com' } } },
  })
})

const URL_BUTTON: MessageButton = { type: 'URL', text: 'Open', url: 'https://example.com' }
const IMPOSSIBLE: readonly (readonly [name: string, sending: SendableMessage])[] = [
  ['two links', message(text('x', { buttons: [URL_BUTTON, URL_BUTTON] }))],
  ['a link beside a quick reply', message(text('x', { buttons: [URL_BUTTON, ...QUICK.slice(0, 1)] }))],
  ['four quick replies', message(text('x', { buttons: [...QUICK, ...QUICK.slice(0, 1)] }))],
  ['a phone button', message(text('x', { buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phoneNumber: PEER }] }))],
  ['a group', message(text('x'), { to: { type: 'GROUP', address: '1@g.us' } })],
  ['a channel', message(text('x'), { to: { type: 'NEWSLETTER', address: '1@newsletter' } })],
]
for (const [name, sending] of IMPOSSIBLE) {
  test(`${name} is refused without asking upstream`, async (t) => {
    const { server, session } = await opened(t)
    t.like(await session.sendMessage(sending), { kind: 'refused', failure: { code: 'OFFICIAL_ERROR', upstreamCode: null } })
    t.is(server.asked.length, 0)
  })
}

const MEDIA: readonly (readonly [kind: MediaKind, fileName: string, mimeType: string, caption: string | null, part: object])[] = [
  ['image', 'a.jpg', 'image/jpeg', 'Look', { type: 'image', image: { id: '77', caption: 'Look' } }],
  ['image', 'a.jpg', 'image/jpeg', null, { type: 'image', image: { id: '77' } }],
  ['video', 'a.mp4', 'video/mp4', 'See', { type: 'video', video: { id: '77', caption: 'See' } }],
  ['document', 'a.pdf', 'application/pdf', 'Read', { type: 'document', document: { id: '77', caption: 'Read', filename: 'named.pdf' } }],
  ['audio', 'a.ogg', 'audio/ogg; codecs=opus', null, { type: 'audio', audio: { id: '77', voice: true } }],
  ['voice', 'a.ogg', 'audio/ogg; codecs=opus', null, { type: 'audio', audio: { id: '77', voice: true } }],
  ['sticker', 'a.webp', 'image/webp', null, { type: 'sticker', sticker: { id: '77' } }],
]
for (const [kind, fileName, mimeType, caption, part] of MEDIA) {
  test(`a media of kind ${kind}${caption === null ? '' : ' with caption'} is uploaded as a form and sent by its id`, async (t) => {
    const { server, session } = await opened(t)
    server.on(UPLOAD, { json: { id: '77' } })
    const media = await mediaFile(t, fileName, mimeType)
    const sending = message({ mode: 'media', kind, media, caption, fileName: kind === 'document' ? 'named.pdf' : null })
    t.deepEqual(await session.sendMessage(sending), SENT)
    const [upload, sent] = server.asked
    t.is(upload?.headers.authorization, `Bearer ${CREDENTIALS.accessToken}`)
    t.deepEqual(upload?.form, { messaging_product: 'whatsapp', type: mimeType, file: { name: fileName, type: mimeType, text: 'bytes of a file' } })
    const head = { messaging_product: 'whatsapp', recipient_type: 'individual', to: PEER, biz_opaque_callback_data: sending.messageId }
    t.deepEqual(sent?.body, { ...head, ...part })
  })
}

test('a document of text is uploaded as plain text under its own name', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: '77' } })
  const media = await mediaFile(t, 'report.csv', 'text/csv', 'a;b')
  t.deepEqual(await session.sendMessage(message({ mode: 'media', kind: 'document', media, caption: null, fileName: 'report.csv' })), SENT)
  t.deepEqual(server.asked[0]?.form, { messaging_product: 'whatsapp', type: 'text/plain', file: { name: 'report.csv', type: 'text/plain', text: 'a;b' } })
  t.like(server.asked[1]?.body, { document: { id: '77', filename: 'report.csv' } })
})

test('a document of a type that no upload may have goes by link', async (t) => {
  const { server, session } = await opened(t)
  for (const [name, mimeType] of [['x.zip', 'application/zip'], ['x.odt', 'application/vnd.oasis.opendocument.text'], ['x.bin', 'application/octet-stream']] as const) {
    server.asked.length = 0
    const media = await mediaFile(t, name, mimeType)
    t.deepEqual(await session.sendMessage(message({ mode: 'media', kind: 'document', media, caption: 'Read', fileName: null })), SENT)
    t.deepEqual(server.asked.map(({ body }) => body?.['document']), [{ link: media.url, caption: 'Read', filename: name }])
  }
})

test('a document is shown under its name with the extension that phones open it by', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: 77 } })
  const media = await mediaFile(t, 'a.pdf', 'application/pdf')
  for (const [given, shown] of [['Fatura 12', 'Fatura 12.pdf'], ['v1.2 final', 'v1.2 final.pdf'], ['fatura.pdf', 'fatura.pdf'], ['FATURA.PDF', 'FATURA.PDF'], ['Contrato.', 'Contrato.pdf'], [' ', 'a.pdf']] as const) {
    await session.sendMessage(message({ mode: 'media', kind: 'document', media, caption: null, fileName: given }))
    t.like(server.asked.at(-1)?.body, { document: { filename: shown } }, given)
  }
})

test('a document without a name given has that of its file', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: 77 } })
  await session.sendMessage(message({ mode: 'media', kind: 'document', media: await mediaFile(t, 'a.pdf', 'application/pdf'), caption: null, fileName: null }))
  t.like(server.asked[1]?.body, { document: { id: '77', filename: 'a.pdf' } })
})

test('a carousel has its cards in order, each with its image', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: 'media-first' } }, { json: { id: 'media-second' } })
  const images = [await mediaFile(t, 'a.jpg', 'image/jpeg'), await mediaFile(t, 'b.png', 'image/png')] as const
  const cards = images.map((image, index) => ({ image, text: `Card ${index}`, buttons: QUICK.slice(0, index + 1) }))
  t.deepEqual(await session.sendMessage(message({ mode: 'carousel', text: 'Choose', cards })), SENT)
  // Uploads run side by side: which of them got which id is upstream's business.
  const idOf = (name: string) => `media-${(server.asked.findIndex(({ form }) => (form?.['file'] as { name: string } | undefined)?.name === name) === 0) ? 'first' : 'second'}`
  const reply = (title: string) => ({ type: 'quick_reply', quick_reply: { id: `id-${title}`, title } })
  t.like(server.asked[2]?.body, {
    type: 'interactive',
    interactive: {
      type: 'carousel', body: { text: 'Choose' },
      action: {
        cards: [
          { card_index: 0, type: 'cta_url', header: { type: 'image', image: { id: idOf('a.jpg') } }, body: { text: 'Card 0' }, action: { buttons: [reply('Yes')] } },
          { card_index: 1, type: 'cta_url', header: { type: 'image', image: { id: idOf('b.png') } }, body: { text: 'Card 1' }, action: { buttons: [reply('Yes'), reply('No')] } },
        ],
      },
    },
  })
})

test('a carousel with a link is refused before anything is uploaded', async (t) => {
  const { server, session } = await opened(t)
  const image = await mediaFile(t, 'a.jpg', 'image/jpeg')
  t.like(await session.sendMessage(message({ mode: 'carousel', text: 'x', cards: [{ image, text: 'y', buttons: [URL_BUTTON] }] })), { kind: 'refused' })
  t.is(server.asked.length, 0)
})

test('a template goes by its name and language, with what fills it in', async (t) => {
  const components = [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }]
  const sending = message({ mode: 'template', name: 'welcome', language: 'pt_BR', components, files: [] })
  t.deepEqual(await bodyOf(t, sending), {
    messaging_product: 'whatsapp', recipient_type: 'individual', to: PEER, biz_opaque_callback_data: sending.messageId,
    type: 'template', template: { name: 'welcome', language: { code: 'pt_BR' }, components },
  })
  const plain = message({ mode: 'template', name: 'welcome', language: 'en_US', components: [], files: [] })
  t.deepEqual((await bodyOf(t, plain))?.['template'], { name: 'welcome', language: { code: 'en_US' } })
})

test('files of a template are uploaded to the phone and sent by their ids, never by an address', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: '77' } })
  const file = await mediaFile(t, 'a.pdf', 'application/pdf')
  const header = (document: object) => [{ type: 'header', parameters: [{ type: 'document', document }] }]
  const send = (document: object) => session.sendMessage(message({ mode: 'template', name: 'bill', language: 'pt_BR', components: header(document), files: [file] }))
  t.deepEqual([await send({ id: '' }), await send({ id: '', filename: 'Bill.pdf' })], [SENT, SENT])
  t.deepEqual(server.asked.map(({ path }) => path), ['/1001/media', '/1001/messages', '/1001/messages'])
  const sent = (components: unknown) => ({ name: 'bill', language: { code: 'pt_BR' }, components })
  t.deepEqual(server.asked.slice(1).map(({ body }) => body?.['template']), [sent(header({ filename: 'a.pdf', id: '77' })), sent(header({ filename: 'Bill.pdf', id: '77' }))])
})

test('each card of a template has its own picture', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: 'media-first' } }, { json: { id: 'media-second' } })
  const files = [await mediaFile(t, 'a.jpg', 'image/jpeg'), await mediaFile(t, 'b.png', 'image/png')]
  const cards = files.map((_file, index) => ({ card_index: index, components: [{ type: 'header', parameters: [{ type: 'image', image: { id: '' } }] }] }))
  t.deepEqual(await session.sendMessage(message({ mode: 'template', name: 'shop', language: 'pt_BR', components: [{ type: 'carousel', cards }], files })), SENT)
  const ids = [...JSON.stringify(server.asked[2]?.body).matchAll(/"id":"(media-\w+)"/g)].map(([, id]) => id)
  const names = server.asked.slice(0, 2).map(({ form }) => (form?.['file'] as { name: string } | undefined)?.name)
  t.deepEqual(ids, names[0] === 'a.jpg' ? ['media-first', 'media-second'] : ['media-second', 'media-first'])
})

test('what upstream says of a file says of a template without any that it is not approved', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: '77' } }).on(AT, graphError(131053))
  const send = (files: readonly SendableMedia[]) => session.sendMessage(message({ mode: 'template', name: 'welcome', language: 'pt_BR', components: [], files }))
  t.like(await send([]), { kind: 'refused', failure: { code: 'OFFICIAL_TEMPLATE_NOT_APPROVED', upstreamCode: 131053 } })
  t.like(await send([await mediaFile(t, 'a.jpg', 'image/jpeg')]), { kind: 'refused', failure: { code: 'OFFICIAL_MEDIA_UPLOAD_ERROR', upstreamCode: 131053 } })
  t.like(await session.sendMessage(message(text('Hi'))), { kind: 'refused', failure: { code: 'OFFICIAL_MEDIA_UPLOAD_ERROR' } })
})

const FLOW: FlowContent = {
  mode: 'flow', text: 'Book a table', header: null, footer: null, cta: 'Book', officialFlowId: '98765432109876543210', isDraft: false, token: 'ft_1', action: 'navigate', screen: null, data: null,
}

test('a Flow goes by upstream\'s id, with its token and what its first screen begins with', async (t) => {
  const sending = message(FLOW)
  const parameters = { flow_message_version: '3', flow_id: '98765432109876543210', flow_cta: 'Book', flow_token: 'ft_1', mode: 'published', flow_action: 'navigate' }
  t.deepEqual(await bodyOf(t, sending), {
    messaging_product: 'whatsapp', recipient_type: 'individual', to: PEER, biz_opaque_callback_data: sending.messageId,
    type: 'interactive', interactive: { type: 'flow', body: { text: 'Book a table' }, action: { name: 'flow', parameters } },
  })
  const whole = await bodyOf(t, message({ ...FLOW, header: 'Acme', footer: 'Bye', isDraft: true, action: 'data_exchange', screen: 'START', data: { guests: 2 } }))
  t.deepEqual(whole?.['interactive'], {
    type: 'flow', header: { type: 'text', text: 'Acme' }, body: { text: 'Book a table' }, footer: { text: 'Bye' },
    action: { name: 'flow', parameters: { ...parameters, mode: 'draft', flow_action: 'data_exchange', flow_action_payload: { screen: 'START', data: { guests: 2 } } } },
  })
})

test('a template that is filled in here is refused without asking upstream', async (t) => {
  const { server, session } = await opened(t)
  t.like(await session.sendMessage(message({ mode: 'composed', header: null, body: 'Hi', footer: null, buttons: [], file: null })), { kind: 'refused', failure: { code: 'OFFICIAL_ERROR' } })
  t.is(server.asked.length, 0)
})

test('one file is uploaded once for many messages, also when they come together', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: '77' } })
  const media = await mediaFile(t, 'a.jpg', 'image/jpeg')
  const send = () => session.sendMessage(message({ mode: 'media', kind: 'image', media, caption: null, fileName: null }))
  t.deepEqual(await Promise.all(Array.from({ length: 10 }, send)), Array.from({ length: 10 }, () => SENT))
  // Even with the file gone.
  await rm(media.path)
  t.deepEqual(await send(), SENT)
  t.is(server.asked.filter(({ path }) => path === '/1001/media').length, 1)
})

test('an upload is of one phone, and is done again after a day', async (t) => {
  const clock = new FakeClock()
  const { server, session, open } = await opened(t, { clock })
  server.on(UPLOAD, { json: { id: '77' } }).on('POST /1002/media', { json: { id: '88' } }).on('POST /1002/messages', TAKEN)
  const media = await mediaFile(t, 'a.jpg', 'image/jpeg')
  const sending = () => message({ mode: 'media', kind: 'image', media, caption: null, fileName: null } as const)
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
    const send = () => session.sendMessage(message({ mode: 'media', kind: 'image', media, caption: null, fileName: null }))
    t.deepEqual(await send(), SENT)
    server.on(AT, graphError(code), TAKEN)
    t.deepEqual(await send(), SENT)
    t.like(server.asked.at(-1)?.body, { image: { id: '78' } })
    server.asked.length = 0
    server.on(AT, graphError(code))
    t.like(await send(), { kind: 'refused', failure: { upstreamCode: code } })
    t.deepEqual(server.asked.map(({ path }) => path), ['/1001/messages', '/1001/media', '/1001/messages'])
  })
}

test('a message with a file uploaded for it is refused without another try', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, { json: { id: '77' } }).on(AT, graphError(100))
  const media = await mediaFile(t, 'a.jpg', 'image/jpeg')
  t.like(await session.sendMessage(message({ mode: 'media', kind: 'image', media, caption: null, fileName: null })), { kind: 'refused' })
  t.is(server.asked.length, 2)
})

test('a file upstream refuses fails its message with upstream’s reason, and is uploaded anew next time', async (t) => {
  const { server, session } = await opened(t)
  server.on(UPLOAD, graphError(100, 400, { error_data: { details: 'Param file must be a file' } }), { json: { id: '77' } })
  const media = await mediaFile(t, 'a.webm', 'video/webm')
  const sending = message({ mode: 'media', kind: 'video', media, caption: null, fileName: null })
  t.deepEqual(await session.sendMessage(sending), {
    kind: 'refused',
    failure: { code: 'OFFICIAL_MEDIA_UPLOAD_ERROR', message: '(#100) Title: Param file must be a file', details: 'Param file must be a file', upstreamCode: 100 },
  })
  t.deepEqual(await session.sendMessage(sending), SENT)
})

test('while a file cannot be uploaded nothing of its message is sent', async (t) => {
  const { server, session } = await opened(t)
  const media = await mediaFile(t, 'a.jpg', 'image/jpeg')
  const sending = message({ mode: 'media', kind: 'image', media, caption: null, fileName: null })
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

const THROTTLED: readonly (readonly [code: number, status: number, scope: string])[] = [
  [4, 400, 'number'], [80007, 400, 'number'], [130429, 400, 'number'], [130429, 429, 'number'], [613, 429, 'number'],
  [131056, 400, 'pair'], [999_999, 429, 'number'],
]
for (const [code, status, scope] of THROTTLED) {
  test(`upstream ${code} with HTTP ${status} throttles the ${scope}`, async (t) => {
    const { server, session } = await opened(t)
    server.on(AT, graphError(code, status))
    t.deepEqual(await session.sendMessage(message(text('x'))), {
      kind: 'throttled', scope, afterMs: null,
      failure: { code: 'OFFICIAL_RATE_LIMITED', message: `(#${code}) Title`, details: null, upstreamCode: code },
    })
    t.is(server.asked.length, 1)
  })
}

test('throttling that upstream gives a time for is waited out that long', async (t) => {
  const { server, session } = await opened(t)
  const usage = { 2002: [{ type: 'messaging', call_count: 100, estimated_time_to_regain_access: 7 }] }
  server.on(AT, { ...graphError(80007) as object, headers: { 'x-business-use-case-usage': JSON.stringify(usage) } })
  t.like(await session.sendMessage(message(text('x'))), { kind: 'throttled', afterMs: 420_000 })
})

test('retry-after is how long a message waits, whatever held it up, and a spam limit holds for an hour at least', async (t) => {
  const { server, session } = await opened(t)
  const after = async (answer: object, seconds: string | null) => {
    server.on(AT, { ...answer, ...(seconds === null ? {} : { headers: { 'retry-after': seconds } }) })
    return session.sendMessage(message(text('x')))
  }
  t.like(await after(graphError(130429) as object, '20'), { kind: 'throttled', afterMs: 20_000, scope: 'number' })
  t.like(await after(graphError(131056) as object, '20'), { kind: 'throttled', afterMs: 20_000, scope: 'pair' })
  t.like(await after(graphError(131016, 503) as object, '20'), { kind: 'unsent', afterMs: 20_000 })
  t.like(await after({ status: 429, text: '' }, '20'), { kind: 'throttled', afterMs: 20_000 })
  t.like(await after({ status: 503, text: '' }, '20'), { kind: 'unknown', afterMs: 20_000 })
  t.like(await after(graphError(131048) as object, null), { kind: 'throttled', afterMs: 3_600_000, scope: 'number' })
  t.like(await after(graphError(131048) as object, '20'), { kind: 'throttled', afterMs: 3_600_000, scope: 'number' })
})

for (const [code, status] of [[1, 400], [2, 503], [131000, 500], [131016, 500], [131057, 500], [133004, 503], [424_242, 500]] as const) {
  test(`upstream ${code} with HTTP ${status} is a fault: nothing was sent`, async (t) => {
    const { server, session } = await opened(t)
    server.on(AT, graphError(code, status))
    t.like(await session.sendMessage(message(text('x'))), { kind: 'unsent', failure: { code: 'OFFICIAL_ERROR', upstreamCode: code } })
    t.is(server.asked.length, 1, 'the queue tries again, the driver does not')
  })
}

test('a transient error is a fault whatever its code', async (t) => {
  const { server, session } = await opened(t)
  server.on(AT, graphError(131009, 400, { is_transient: true }))
  t.like(await session.sendMessage(message(text('x'))), { kind: 'unsent' })
})

test('what was decided of a template or a Flow is decided, though upstream calls it transient', async (t) => {
  const { server, session } = await opened(t)
  for (const code of [132015, 132069]) {
    server.on(AT, graphError(code, 503, { is_transient: true }))
    t.like(await session.sendMessage(message(text('x'))), { kind: 'refused', failure: { upstreamCode: code } })
  }
})

test('a message is not at fault for a token that ran out', async (t) => {
  const { server, session } = await opened(t)
  server.on(AT, graphError(190, 401))
  t.like(await session.sendMessage(message(text('x'))), { kind: 'unsent', failure: { upstreamCode: 190 } })
})

const REFUSED: readonly (readonly [code: number, status: number, ours: string])[] = [
  [131026, 400, 'CHANNEL_NOT_EXIST'], [131047, 400, 'OFFICIAL_OUTSIDE_24H_WINDOW'], [131052, 400, 'OFFICIAL_MEDIA_UPLOAD_ERROR'],
  [131053, 400, 'OFFICIAL_MEDIA_UPLOAD_ERROR'], [132001, 404, 'OFFICIAL_TEMPLATE_NOT_APPROVED'], [132015, 400, 'OFFICIAL_TEMPLATE_PAUSED'],
  [132016, 400, 'OFFICIAL_TEMPLATE_DISABLED'], [131021, 400, 'INVALID_DESTINATION'], [131030, 400, 'INVALID_DESTINATION'],
  [132000, 400, 'OFFICIAL_TEMPLATE_VARIABLES_MISMATCH'], [132012, 400, 'OFFICIAL_TEMPLATE_VARIABLES_MISMATCH'], [132018, 500, 'OFFICIAL_TEMPLATE_VARIABLES_MISMATCH'],
  [132005, 400, 'OFFICIAL_TEMPLATE_TEXT_TOO_LONG'], [132007, 400, 'OFFICIAL_TEMPLATE_POLICY'], [141010, 400, 'OFFICIAL_BUSINESS_NOT_VERIFIED'],
  [131042, 400, 'OFFICIAL_PAYMENT_REQUIRED'], [141006, 400, 'OFFICIAL_PAYMENT_REQUIRED'], [131037, 400, 'OFFICIAL_DISPLAY_NAME_NOT_APPROVED'],
  [131049, 429, 'OFFICIAL_MARKETING_LIMITED'], [131050, 400, 'OFFICIAL_MARKETING_LIMITED'], [132068, 400, 'OFFICIAL_FLOW_BLOCKED'], [132069, 429, 'OFFICIAL_FLOW_THROTTLED'],
  [100, 400, 'OFFICIAL_ERROR'], [131009, 400, 'OFFICIAL_ERROR'], [368, 403, 'OFFICIAL_ERROR'], [7_654_321, 400, 'OFFICIAL_ERROR'],
]
for (const [code, status, ours] of REFUSED) {
  test(`upstream ${code} refuses a message as ${ours}, with its code and details`, async (t) => {
    const { server, session } = await opened(t)
    server.on(AT, graphError(code, status, { error_data: { messaging_product: 'whatsapp', details: 'Why it was' } }))
    t.deepEqual(await session.sendMessage(message(text('x'))), {
      kind: 'refused', failure: { code: ours, message: `(#${code}) Title: Why it was`, details: 'Why it was', upstreamCode: code },
    })
  })
}

test('a message that may have been taken is in doubt', async (t) => {
  const { server, session } = await opened(t)
  for (const answer of ['drop', { text: '<html>' }, { status: 502, text: '<html>' }, { json: { messages: [] } }, { json: {} }, { status: 302, text: '' }] as const) {
    server.on(AT, answer)
    t.like(await session.sendMessage(message(text('x'))), { kind: 'unknown', failure: { code: 'OFFICIAL_ERROR' } })
  }
})

test('a message nobody answers for 10 s is in doubt', async (t) => {
  const clock = new FakeClock()
  const { server, session } = await opened(t, { clock })
  server.on(AT, 'silence')
  const sending = session.sendMessage(message(text('x')))
  await until('the message arrives', () => server.asked.length === 1)
  clock.advance(10_000)
  t.like(await sending, { kind: 'unknown' })
})

test('a message that some proxy refuses did not reach upstream', async (t) => {
  const { server, session } = await opened(t)
  server.on(AT, { status: 403, text: '<html>proxy' })
  t.like(await session.sendMessage(message(text('x'))), { kind: 'unsent' })
  server.on(AT, { status: 429, text: '<html>proxy' })
  t.like(await session.sendMessage(message(text('x'))), { kind: 'throttled', scope: 'number' })
})

test('a message nobody takes a connection for is not sent', async (t) => {
  const fetch = createUpstreamFetch({ clock: lateClock })
  t.teardown(() => fetch.close())
  // Port 1 is nobody's.
  const graph = createGraph({ apiUrl: 'http://127.0.0.1:1/v24.0', fetch, clock: lateClock, log: silentLog, metrics: noMetrics })
  const { sendMessage } = messageOps(graph, CREDENTIALS, new MediaUploads(graph, lateClock))
  t.like(await sendMessage(message(text('x'))), { kind: 'unsent', failure: { code: 'OFFICIAL_ERROR' } })
})

test('messages beyond the queue of a number are not sent', async (t) => {
  const { server, session } = await opened(t, { tuning: { messagesInFlight: 1, waiting: 1 } })
  server.hold()
  const first = session.sendMessage(message(text('1')))
  const second = session.sendMessage(message(text('2')))
  t.like(await session.sendMessage(message(text('3'))), { kind: 'unsent', failure: { code: 'OFFICIAL_RATE_LIMITED' } })
  server.release()
  t.deepEqual(await Promise.all([first, second]), [SENT, SENT])
})

test('a full queue of messages does not keep a call waiting', async (t) => {
  const { server, session } = await opened(t, { tuning: { inFlight: 1, messagesInFlight: 1 } })
  server.on(AT, 'silence').on('POST /1001/calls', { json: { success: true } })
  void session.sendMessage(message(text('1')))
  t.true((await session.terminateCall('wacid.A')).ok)
})

test('no failure shows the access token', async (t) => {
  const { server, session } = await opened(t)
  server.on(AT, graphError(100, 400, { message: `Bad ${CREDENTIALS.accessToken}`, error_data: { details: `In ${CREDENTIALS.accessToken}` } }))
  t.notRegex(JSON.stringify(await session.sendMessage(message(text('x')))), /EAAGsecret/)
})

test('messages are marked read newest first, each id once, at most 20', async (t) => {
  const { server, session } = await opened(t, { tuning: { messagesInFlight: 1 } })
  server.on(AT, { json: { success: true } })
  const ids = Array.from({ length: 30 }, (_, index) => `wamid.${index}`)
  t.deepEqual(await session.markRead([...ids, 'wamid.29']), { ok: true, value: null })
  t.deepEqual(server.asked.map(({ body }) => body), ids.slice(10).toReversed().map((id) => ({ messaging_product: 'whatsapp', status: 'read', message_id: id })))
  server.asked.length = 0
  t.deepEqual(await session.markRead([]), { ok: true, value: null })
  t.is(server.asked.length, 0)
})

test('a reading upstream refuses is told, a fault is waited out', async (t) => {
  const { server, session } = await opened(t)
  server.on(AT, graphError(2, 500), { json: { success: true } })
  t.deepEqual(await session.markRead(['wamid.A']), { ok: true, value: null })
  server.on(AT, graphError(131009))
  t.like(await session.markRead(['wamid.A']), { ok: false, error: { code: 'OFFICIAL_REQUEST_REFUSED', details: { upstreamCode: 131009 } } })
})
