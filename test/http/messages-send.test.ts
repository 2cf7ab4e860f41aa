import test from 'ava'
import type { ExecutionContext } from 'ava'
import { refuse } from '../../src/domain/errors.ts'
import { BODY_MEDIA_BYTES } from '../../src/domain/limits.ts'
import * as schema from '../../src/http/routes/messages/schema.ts'
import { FORBIDDEN } from '../helpers/http-memory-messages.ts'
import { serve, World } from '../helpers/http-app.ts'

const TO = { destinationNumber: '+55 11 99999-0001' }
const PNG = 'data:image/png;base64,iVBORw0KGgo='
const REPLY = { type: 'QUICK_REPLY', text: 'Yes' }
const URL_BUTTON = { type: 'URL', text: 'Open', url: 'https://example.com/' }
const card = (fields: object = {}) => ({ image: 'https://example.com/a.png', text: 'One', buttons: [REPLY], ...fields })
const cards = (count: number, fields: object = {}) => Array.from({ length: count }, () => card(fields))

async function open(t: ExecutionContext, provider: 'OFFICIAL' | 'UNOFFICIAL' = 'UNOFFICIAL') {
  const world = new World()
  const { number, key } = provider === 'OFFICIAL' ? world.addOfficial() : { number: world.number, key: world.numberKey }
  const client = await serve(t, world)
  const send = (body: unknown, headers: Record<string, string> = {}) => client.send('POST', '/v1/messages/send', { key: key.raw, body, headers })
  return { world, client, number, key, send, accepted: world.messages.accepted }
}

test('a text is stored as it came, answered with 202, and the owner of the number is woken', async (t) => {
  const { world, send, accepted, number } = await open(t)
  const { status, body } = await send({ ...TO, text: 'Hello 👋' })
  t.is(status, 202)
  t.deepEqual(schema.acceptedMessage.parse(body), body)
  t.is(accepted.length, 1)
  const message = accepted[0]?.message
  t.deepEqual(body, { id: message?.id, correlationId: message?.id, status: 'QUEUED', createdAt: new Date(world.clock.now()).toISOString(), sourceNumber: '5511988887777' })
  t.like(message, {
    tenantId: number.tenantId, numberId: number.id, provider: 'UNOFFICIAL', to: { type: 'DIRECT', address: '5511999990001' }, type: 'text', deliverAt: null, deliverUntil: null,
    outgoing: { mode: 'text', text: 'Hello 👋', buttons: [], header: null, footer: null }, quotedMessageId: null, template: null,
  })
  t.is(message?.content.text, 'Hello 👋')
  t.is(accepted[0]?.claim, null)
  t.deepEqual(world.directory.queued, [number.id])
})

test('a plain text asks nothing of the stores but to be accepted', async (t) => {
  const { world, send } = await open(t)
  await send({ ...TO, text: 'warm' })
  const looks = world.keys.lookUps
  world.numbers.find = () => Promise.reject(new Error('asked for the number'))
  world.files.inspect = () => Promise.reject(new Error('asked for files'))
  t.is((await send({ ...TO, text: 'x' })).status, 202)
  t.is(world.keys.lookUps, looks)
  t.deepEqual(world.messages.asked, [])
})

test('a number is sent to as it was pasted, and one without its country to nobody', async (t) => {
  const { send, accepted } = await open(t)
  for (const destinationNumber of ['+1 555‑000‑1000', '\u202A+1 555 000 1000\u202C', '15550001\u200B000', '＋１５５５０００１０００', '+١٥٥٥٠٠٠١٠٠٠', '0015550001000']) {
    t.is((await send({ destinationNumber, text: 'a' })).status, 202, destinationNumber)
    t.deepEqual(accepted.pop()?.message.to, { type: 'DIRECT', address: '15550001000' }, destinationNumber)
  }
  const { status, body } = await send({ destinationNumber: '020 7946 0958', text: 'a' })
  t.deepEqual([status, accepted.length], [400, 0])
  t.regex(body.details[0].message, /country code, which never begins with 0/)
})

test('a data URI as programs write it is taken: parameters, quotes, white space', async (t) => {
  const { send, accepted } = await open(t)
  for (const head of ['data:audio/webm;codecs=opus;base64,', 'data:video/webm;codecs=vp8,opus;base64,', '\n data:audio/webm; codecs="opus"; base64, ', 'data:;base64,']) {
    t.is((await send({ ...TO, media: `${head}iVBO\nRw0K\nGgo=\n`, mediaType: 'voice' })).status, 202, head)
  }
  t.is(accepted.length, 4)
})

test('characters are code points in every limit: 600 emojis with buttons, 20 in a label, values of templates', async (t) => {
  const official = await open(t, 'OFFICIAL')
  const button = (text: string) => ({ ...TO, text: 'q', buttons: [{ type: 'QUICK_REPLY', text }] })
  for (const body of [button('😀'.repeat(11)), button('😀'.repeat(20)), { ...TO, text: '😀'.repeat(600), buttons: [REPLY] }, { ...TO, text: '😀'.repeat(1_024), buttons: [REPLY] }]) {
    t.is((await official.send(body)).status, 202)
  }
  for (const body of [button('😀'.repeat(21)), { ...TO, text: '😀'.repeat(1_025), buttons: [REPLY] }]) t.is((await official.send(body)).status, 400)
  const { send } = await open(t)
  t.is((await send({ ...TO, text: '😀'.repeat(4_096) })).status, 202)
  t.is((await send({ ...TO, text: '😀'.repeat(4_097) })).status, 400)
  t.is((await send(button('😀'.repeat(25)))).status, 202)
  const ofValues = async (length: number) => (await send({ ...TO, templateId: 'a', variables: { b: '😀'.repeat(length) } })).body.details?.[0]?.path
  t.deepEqual([await ofValues(4_096), await ofValues(4_097)], [undefined, 'variables'])
})

test('texts and labels that show nothing are refused on both kinds', async (t) => {
  for (const provider of ['OFFICIAL', 'UNOFFICIAL'] as const) {
    const { send, accepted } = await open(t, provider)
    for (const blank of [' ', '\n\n', '\u00A0\u3000', '\u200B\u200D', '\u2800', '\u3164', '\uFE0F', '\t\r\n']) {
      for (const [body, path] of [
        [{ text: blank }, 'text'], [{ text: 'q', buttons: [{ type: 'QUICK_REPLY', text: blank }] }, 'buttons.0.text'], [{ text: blank, buttons: [REPLY] }, 'text'],
        [{ text: 'q', buttons: [REPLY], header: blank }, 'header'], [{ text: 'q', buttons: [REPLY], footer: blank }, 'footer'],
        [{ carousel: { text: blank, cards: cards(2) } }, 'carousel.text'], [{ carousel: { text: 'q', cards: cards(2, { text: blank }) } }, 'carousel.cards.0.text'],
      ] as const) {
        const { status, body: answer } = await send({ ...TO, ...body })
        t.deepEqual([status, answer.details?.[0]?.path], [400, path], `${path} ${JSON.stringify(blank)}`)
        t.regex(answer.details[0].message, /blank/)
      }
    }
    t.is(accepted.length, 0)
    for (const text of ['.', '👍', '❤️', '一', ' a ', '\u200Fא']) t.is((await send({ ...TO, text })).status, 202, text)
  }
})

test('two buttons of one message cannot have the same title', async (t) => {
  for (const provider of ['OFFICIAL', 'UNOFFICIAL'] as const) {
    const { send } = await open(t, provider)
    const { status, body } = await send({ ...TO, text: 'q', buttons: [{ ...REPLY, id: 'a' }, { ...REPLY, id: 'b', text: 'Yes ' }] })
    t.deepEqual([status, body.details], [400, [{ path: 'buttons.1.text', message: 'must differ from the texts of the other buttons' }]])
    const twice = await send({ ...TO, carousel: { text: 'q', cards: cards(2, { buttons: [REPLY, { ...REPLY, id: 'b' }] }) } })
    t.deepEqual([twice.status, twice.body.details[0].path], [400, 'carousel.cards.0.buttons.1.text'])
    t.is((await send({ ...TO, carousel: { text: 'q', cards: cards(2) } })).status, 202, 'of each card the same')
  }
})

test('a group and a channel are destinations of an UNOFFICIAL number', async (t) => {
  const { send, accepted } = await open(t)
  t.is((await send({ groupId: '120363000000000001@g.us', text: 'a' })).status, 202)
  t.is((await send({ newsletterId: '120363000000000002@newsletter', text: 'a' })).status, 202)
  t.deepEqual(accepted.map(({ message }) => message.to), [{ type: 'GROUP', address: '120363000000000001@g.us' }, { type: 'NEWSLETTER', address: '120363000000000002@newsletter' }])
})

test('a user who hides the number is a destination of an OFFICIAL number; an UNOFFICIAL one knows nobody by an id', async (t) => {
  const official = await open(t, 'OFFICIAL')
  t.is((await official.send({ destinationNumber: 'US.13491208655302741918', text: 'a' })).status, 202)
  t.deepEqual(official.accepted[0]?.message.to, { type: 'DIRECT', address: 'US.13491208655302741918' })
  const { send, accepted } = await open(t)
  const { status, body } = await send({ destinationNumber: 'US.13491208655302741918', text: 'a' })
  t.deepEqual([status, body.code, accepted.length], [400, 'FEATURE_NOT_SUPPORTED', 0])
})

test('an OFFICIAL number sends to neither: FEATURE_NOT_SUPPORTED', async (t) => {
  const { send, accepted } = await open(t, 'OFFICIAL')
  for (const to of [{ groupId: '1@g.us' }, { newsletterId: '1@newsletter' }]) {
    const { status, body } = await send({ ...to, text: 'a' })
    t.deepEqual([status, body.code], [400, 'FEATURE_NOT_SUPPORTED'])
  }
  t.deepEqual(accepted, [])
})

const WRONG: Readonly<Record<string, readonly [body: object, path: string]>> = {
  'no destination': [{ destinationNumber: null, text: 'a' }, 'destinationNumber'],
  'two destinations': [{ groupId: '1@g.us', text: 'a' }, 'groupId'],
  'a destination that is no phone number': [{ destinationNumber: '12ab', text: 'a' }, 'destinationNumber'],
  'a group id of another form': [{ destinationNumber: null, groupId: '1@newsletter', text: 'a' }, 'groupId'],
  'no mode': [{}, ''],
  'text and media': [{ text: 'a', media: PNG, mediaType: 'image' }, 'media'],
  'text and a template': [{ text: 'a', templateId: 't' }, 'text'],
  'media and a carousel': [{ media: PNG, mediaType: 'image', carousel: { text: 'a', cards: cards(2) } }, 'carousel'],
  'an empty text': [{ text: '' }, 'text'],
  'a text of 4,097 characters': [{ text: 'a'.repeat(4_097) }, 'text'],
  'buttons with media': [{ media: PNG, mediaType: 'image', buttons: [REPLY] }, 'buttons'],
  'a header with media': [{ media: PNG, mediaType: 'image', header: 'a' }, 'header'],
  'a footer with media': [{ media: PNG, mediaType: 'image', footer: 'a' }, 'footer'],
  'variables with media': [{ media: PNG, mediaType: 'image', variables: { a: 'b' } }, 'variables'],
  'variables with text': [{ text: 'a', variables: { a: 'b' } }, 'variables'],
  'a header without buttons': [{ text: 'a', header: 'b' }, 'header'],
  'a footer without buttons': [{ text: 'a', footer: 'b', buttons: null }, 'footer'],
  'a list of no buttons': [{ text: 'a', buttons: [] }, 'buttons'],
  'four buttons': [{ text: 'a', buttons: [REPLY, REPLY, REPLY, REPLY] }, 'buttons'],
  'a button without a label': [{ text: 'a', buttons: [{ type: 'QUICK_REPLY', text: '' }] }, 'buttons.0.text'],
  'a button of a label of 26 characters': [{ text: 'a', buttons: [{ ...REPLY, text: 'a'.repeat(26) }] }, 'buttons.0.text'],
  'a button of no known type': [{ text: 'a', buttons: [{ type: 'FLOW', text: 'a' }] }, 'buttons.0.type'],
  'a URL button without a URL': [{ text: 'a', buttons: [{ type: 'URL', text: 'a' }] }, 'buttons.0.url'],
  'a URL button that leads to a script': [{ text: 'a', buttons: [{ ...URL_BUTTON, url: 'javascript:alert(1)' }] }, 'buttons.0.url'],
  'a call button without a number': [{ text: 'a', buttons: [{ type: 'PHONE_NUMBER', text: 'a' }] }, 'buttons.0.phoneNumber'],
  'a copy button without a code': [{ text: 'a', buttons: [{ type: 'COPY_CODE', text: 'a' }] }, 'buttons.0.code'],
  'two buttons of one id': [{ text: 'a', buttons: [{ ...REPLY, id: 'button_2' }, REPLY] }, 'buttons.1.id'],
  'media without a type': [{ media: PNG }, 'mediaType'],
  'a type without media': [{ text: 'a', mediaType: 'image' }, 'mediaType'],
  'media of an unknown type': [{ media: PNG, mediaType: 'gif' }, 'mediaType'],
  'media that is neither URL nor data URI': [{ media: 'photo.png', mediaType: 'image' }, 'media'],
  'media at an ftp address': [{ media: 'ftp://a.example/x', mediaType: 'image' }, 'media'],
  'a data URI without base64': [{ media: 'data:text/plain,hi', mediaType: 'document' }, 'media'],
  'a caption of audio': [{ media: PNG, mediaType: 'audio', caption: 'a' }, 'caption'],
  'a caption of voice': [{ media: PNG, mediaType: 'voice', caption: 'a' }, 'caption'],
  'a caption of a sticker': [{ media: PNG, mediaType: 'sticker', caption: 'a' }, 'caption'],
  'a file name of a sticker': [{ media: PNG, mediaType: 'sticker', mediaFilename: 'a' }, 'mediaFilename'],
  'a caption without media': [{ text: 'a', caption: 'b' }, 'caption'],
  'a caption of 1,025 characters': [{ media: PNG, mediaType: 'image', caption: 'a'.repeat(1_025) }, 'caption'],
  'a sticker as template media': [{ templateId: 't', media: PNG, mediaType: 'sticker' }, 'mediaType'],
  'a template with buttons': [{ templateId: 't', buttons: [REPLY] }, 'buttons'],
  'one card': [{ carousel: { text: 'a', cards: cards(1) } }, 'carousel.cards'],
  'eleven cards': [{ carousel: { text: 'a', cards: cards(11) } }, 'carousel.cards'],
  'a card without an image': [{ carousel: { text: 'a', cards: [card(), { text: 'b' }] } }, 'carousel.cards.1.image'],
  'a card whose image is no address': [{ carousel: { text: 'a', cards: [card(), card({ image: 'x' })] } }, 'carousel.cards.1.image'],
  'a card of 161 characters': [{ carousel: { text: 'a', cards: [card({ text: 'a'.repeat(161) }), card()] } }, 'carousel.cards.0.text'],
  'a card with three buttons': [{ carousel: { text: 'a', cards: cards(2, { buttons: [REPLY, REPLY, REPLY] }) } }, 'carousel.cards.0.buttons'],
  'a card with a call button': [{ carousel: { text: 'a', cards: cards(2, { buttons: [{ type: 'PHONE_NUMBER', text: 'a', phoneNumber: '5511999990001' }] }) } }, 'carousel.cards.0.buttons.0.type'],
  'deliverAt without a time': [{ text: 'a', deliverAt: '2026-01-05' }, 'deliverAt'],
  'deliverAt that does not exist': [{ text: 'a', deliverAt: '2026-02-30T10:00:00Z' }, 'deliverAt'],
  'deliverAt in 31 days': [{ text: 'a', deliverAt: 'in 31 days' }, 'deliverAt'],
  'deliverAt in 2 days with bytes': [{ media: PNG, mediaType: 'image', deliverAt: 'in 2 days' }, 'deliverAt'],
  'deliverUntil of no form': [{ text: 'a', deliverUntil: 'tomorrow' }, 'deliverUntil'],
  'deliverUntil now': [{ text: 'a', deliverUntil: 'now' }, 'deliverUntil'],
  'deliverUntil at deliverAt': [{ text: 'a', deliverAt: 'in 1 day', deliverUntil: 'in 1 day' }, 'deliverUntil'],
  'an empty correlationId': [{ text: 'a', correlationId: '' }, 'correlationId'],
  'a correlationId of 256 characters': [{ text: 'a', correlationId: 'a'.repeat(256) }, 'correlationId'],
  'an empty quotedMessageId': [{ text: 'a', quotedMessageId: '' }, 'quotedMessageId'],
}

const OFFICIAL_WRONG: typeof WRONG = {
  'two URL buttons': [{ text: 'a', buttons: [URL_BUTTON, URL_BUTTON] }, 'buttons'],
  'a reply beside a URL button': [{ text: 'a', buttons: [REPLY, URL_BUTTON] }, 'buttons'],
  'a call button': [{ text: 'a', buttons: [{ type: 'PHONE_NUMBER', text: 'a', phone_number: '+5511999990001' }] }, 'buttons'],
  'a copy button': [{ text: 'a', buttons: [{ type: 'COPY_CODE', text: 'a', code: 'X' }] }, 'buttons'],
  'a label of 21 characters': [{ text: 'a', buttons: [{ ...REPLY, text: 'a'.repeat(21) }] }, 'buttons.0.text'],
  'a text of 1,025 characters with buttons': [{ text: 'a'.repeat(1_025), buttons: [REPLY] }, 'text'],
  'a URL button on a card': [{ carousel: { text: 'a', cards: cards(2, { buttons: [URL_BUTTON] }) } }, 'carousel.cards.0.buttons.0.type'],
  'cards without buttons': [{ carousel: { text: 'a', cards: cards(2, { buttons: [] }) } }, 'carousel.cards.0.buttons'],
  'a card with three line breaks': [{ carousel: { text: 'a', cards: [card(), card({ text: 'a\nb\nc\nd' })] } }, 'carousel.cards.1.text'],
  'cards with different numbers of buttons': [{ carousel: { text: 'a', cards: [card(), card({ buttons: [REPLY, { ...REPLY, text: 'No' }] })] } }, 'carousel.cards.1.buttons'],
}

/** Times relative to the clock of the world. */
function timed(body: object, nowMs: number): object {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => {
    const days = typeof value === 'string' && name.startsWith('deliver') ? /^in (\d+) days?$/.exec(value)?.[1] ?? (value === 'now' ? '0' : undefined) : undefined
    return [name, days === undefined ? value : new Date(nowMs + Number(days) * 24 * 3_600_000).toISOString()]
  }))
}

for (const [provider, table] of [['UNOFFICIAL', WRONG], ['OFFICIAL', OFFICIAL_WRONG]] as const) {
  test(`every wrong send of an ${provider} number is a 400 that names the field, and stores nothing`, async (t) => {
    const { world, send, accepted } = await open(t, provider)
    for (const [what, [fields, path]] of Object.entries(table)) {
      const { status, body } = await send(timed({ ...TO, ...fields }, world.clock.now()))
      t.is(status, 400, what)
      t.is(body.code, undefined, what)
      t.true(body.details.some((fault: { path: string }) => fault.path === path), `${what}: ${JSON.stringify(body.details)}`)
      t.true(body.error.startsWith('Invalid body: '), what)
    }
    t.deepEqual(accepted, [])
    t.deepEqual(world.files.inspected, [])
    t.is(world.files.kept.size, 0)
  })
}

test('buttons carry the id given, or the one of their position', async (t) => {
  const { send, accepted } = await open(t, 'OFFICIAL')
  t.is((await send({ ...TO, text: 'Sure?', buttons: [REPLY, { ...REPLY, text: 'No', id: 'no' }, { ...REPLY, text: 'Later' }], header: 'Order', footer: 'Acme' })).status, 202)
  t.is((await send({ ...TO, text: 'Look', buttons: [URL_BUTTON] })).status, 202)
  const [first, second] = accepted.map(({ message }) => message)
  t.is(first?.type, 'interactive')
  t.deepEqual(first?.outgoing, {
    mode: 'text', text: 'Sure?', header: 'Order', footer: 'Acme',
    buttons: [{ ...REPLY, id: 'button_1' }, { type: 'QUICK_REPLY', text: 'No', id: 'no' }, { type: 'QUICK_REPLY', text: 'Later', id: 'button_3' }],
  } as never)
  t.like(second?.outgoing, { buttons: [URL_BUTTON] })
})

test('an UNOFFICIAL number sends all four kinds of button, under either name of their fields', async (t) => {
  const { send, accepted } = await open(t)
  const call = { type: 'PHONE_NUMBER', text: 'Call' }
  const copy = { type: 'COPY_CODE', text: 'Copy' }
  t.is((await send({ ...TO, text: 'a', buttons: [URL_BUTTON, { ...call, phone_number: '+55 11 99999-0001' }, { ...copy, example: ['SAVE10'] }] })).status, 202)
  t.is((await send({ ...TO, text: 'a', buttons: [REPLY, { ...call, phoneNumber: '5511999990001' }, { ...copy, code: 'SAVE10' }] })).status, 202)
  const wanted = [{ ...call, phoneNumber: '5511999990001' }, { ...copy, code: 'SAVE10' }]
  for (const { message: { outgoing } } of accepted) t.deepEqual(outgoing.mode === 'text' ? outgoing.buttons.slice(1) : [], wanted as never)
})

test('addresses of media, cards and buttons are stored as browsers write them', async (t) => {
  const { world, send, accepted } = await open(t)
  const odd = 'HTTPS://Example.COM:443/a b'
  const kept = 'https://example.com/a%20b'
  await send({ ...TO, media: odd, mediaType: 'image' })
  await send({ ...TO, text: 'a', buttons: [{ ...URL_BUTTON, url: odd }] })
  await send({ ...TO, carousel: { text: 'a', cards: cards(2, { image: odd, buttons: [{ ...URL_BUTTON, url: odd }] }) } })
  t.deepEqual(world.files.inspected.map(({ source }) => source), [{ url: kept }, { url: kept }, { url: kept }])
  t.is(accepted.length, 3)
  for (const { message } of accepted) {
    t.true(JSON.stringify(message).includes(kept))
    t.false(JSON.stringify(message).includes('Example.COM'))
  }
})

test('a button that leads to an address with a password is refused with its field', async (t) => {
  const { send, accepted } = await open(t)
  const secret = { ...URL_BUTTON, url: 'https://user:pw@example.com/' }
  const plain = await send({ ...TO, text: 'a', buttons: [secret] })
  t.deepEqual([plain.status, plain.body.details], [400, [{ path: 'buttons.0.url', message: 'must not contain a user name or password' }]])
  const inCard = await send({ ...TO, carousel: { text: 'a', cards: cards(2, { buttons: [secret] }) } })
  t.deepEqual([inCard.status, inCard.body.details[0].path], [400, 'carousel.cards.0.buttons.0.url'])
  t.is(accepted.length, 0)
})

test('media at an address is checked before it is queued, and the refusal names the field', async (t) => {
  const { world, send, accepted, number } = await open(t)
  const media = 'https://files.example/a.pdf'
  t.is((await send({ ...TO, media, mediaType: 'document', caption: 'Your bill', mediaFilename: 'bill.pdf' })).status, 202)
  t.deepEqual(world.files.inspected, [{ tenantId: number.tenantId, numberId: number.id, provider: 'UNOFFICIAL', kind: 'document', source: { url: media }, fileName: 'bill.pdf' }])
  t.like(accepted[0]?.message, { type: 'document', outgoing: { mode: 'media', kind: 'document', source: { url: media }, caption: 'Your bill', fileName: 'bill.pdf' } })
  t.like(accepted[0]?.message.content, { text: 'Your bill', media: { id: null, url: media, mimeType: null, fileName: 'bill.pdf' } })
  world.files.refused.set('http://10.0.0.1/', FORBIDDEN)
  const refused = await send({ ...TO, media: 'http://10.0.0.1/', mediaType: 'image' })
  t.deepEqual([refused.status, refused.body.code, refused.body.details[0].path], [400, 'MEDIA_URL_FORBIDDEN', 'media'])
  t.is(accepted.length, 1)
})

test('a video sent as document of an OFFICIAL number is 422 before it is queued', async (t) => {
  const { world, send, accepted } = await open(t, 'OFFICIAL')
  world.files.refused.set('https://a.example/film', refuse('OFFICIAL_VIDEO_AS_DOCUMENT_NOT_SUPPORTED', 'send it as video'))
  const { status, body } = await send({ ...TO, media: 'https://a.example/film', mediaType: 'document' })
  t.deepEqual([status, body.code], [422, 'OFFICIAL_VIDEO_AS_DOCUMENT_NOT_SUPPORTED'])
  t.deepEqual(accepted, [])
})

test('audio and voice are one type of message, and each keeps its kind', async (t) => {
  const { send, accepted } = await open(t, 'OFFICIAL')
  for (const mediaType of ['audio', 'voice']) t.is((await send({ ...TO, media: 'https://a.example/a.mp3', mediaType })).status, 202)
  t.deepEqual(accepted.map(({ message: { type, outgoing } }) => [type, outgoing.mode === 'media' && outgoing.kind]), [['audio', 'audio'], ['audio', 'voice']])
})

test('bytes that come along are kept before the message is accepted', async (t) => {
  const { world, send, accepted } = await open(t)
  t.is((await send({ ...TO, media: PNG, mediaType: 'image' })).status, 202)
  const [fileId] = world.files.kept
  t.like(accepted[0]?.message.outgoing, { source: { fileId } })
  t.like(accepted[0]?.message.content, { media: { id: null, url: null, mimeType: 'image/png', fileName: null } })
  t.deepEqual(world.files.released, [])
})

test('bytes of a send that is refused are let go of', async (t) => {
  const { world, send, accepted } = await open(t)
  world.files.refused.set('bytes', refuse('MEDIA_UNSUPPORTED', 'no'))
  t.is((await send({ ...TO, media: PNG, mediaType: 'image' })).status, 422)
  t.is((await send({ ...TO, carousel: { text: 'a', cards: [card({ image: PNG }), card()] } })).status, 422)
  world.files.refused.clear()
  world.messages.isGone = true
  t.is((await send({ ...TO, media: PNG, mediaType: 'image' })).body.code, 'NUMBER_NOT_FOUND')
  t.is(world.files.released.length, 3)
  t.is(world.files.kept.size, 0)
  world.files.keepRefusal = refuse('MEDIA_TOO_LARGE', 'too large')
  t.is((await send({ ...TO, media: PNG, mediaType: 'image' })).body.code, 'MEDIA_TOO_LARGE')
  t.deepEqual(accepted, [])
})

test('a body with media may have 25 MB, and no more', async (t) => {
  const { send } = await open(t)
  const body = (length: number) => JSON.stringify({ ...TO, media: 'data:image/png;base64,', mediaType: 'image' }).replace('base64,', `base64,${'A'.repeat(length)}`)
  const room = BODY_MEDIA_BYTES - body(0).length
  t.is((await send(body(room))).status, 202)
  const over = await send(body(room + 1))
  t.deepEqual([over.status, over.body.code], [413, 'PAYLOAD_TOO_LARGE'])
})

test('each image of a carousel is checked, and its buttons name their card', async (t) => {
  const { world, send, accepted } = await open(t, 'OFFICIAL')
  const carousel = { text: 'Pick one', cards: [card(), card({ image: PNG, text: 'Two' })] }
  t.is((await send({ ...TO, carousel })).status, 202)
  t.is(world.files.inspected.length, 2)
  const [fileId] = world.files.kept
  t.is(accepted[0]?.message.type, 'carousel')
  t.deepEqual(accepted[0]?.message.outgoing, {
    mode: 'carousel', text: 'Pick one',
    cards: [
      { image: { url: 'https://example.com/a.png' }, text: 'One', buttons: [{ ...REPLY, id: 'card_1_button_1' }] },
      { image: { fileId }, text: 'Two', buttons: [{ ...REPLY, id: 'card_2_button_1' }] },
    ],
  } as never)
})

test('an UNOFFICIAL carousel may have URL buttons, and cards without any', async (t) => {
  const { send } = await open(t)
  t.is((await send({ ...TO, carousel: { text: 'a', cards: [card({ buttons: [URL_BUTTON, REPLY] }), card({ buttons: null })] } })).status, 202)
})

test('a template that does not exist is 404 without a code, once the rest is right', async (t) => {
  const { send, accepted } = await open(t)
  const { status, body } = await send({ ...TO, templateId: 'welcome', variables: { name: 'Ana' }, media: PNG, mediaType: 'image' })
  t.deepEqual([status, body.code, body.error], [404, undefined, 'No such template'])
  t.is((await send({ templateId: 'welcome' })).status, 400)
  t.deepEqual(accepted, [])
})

test('a quoted message is named by our id, once upstream knows it, or by upstream’s', async (t) => {
  const { world, send, accepted, number } = await open(t)
  const known = world.messages.add(number, { externalMessageId: '3EB0AA' })
  const waiting = world.messages.add(number, { externalMessageId: null })
  const foreign = world.messages.add(world.foreignNumber)
  t.is((await send({ ...TO, text: 'a', quotedMessageId: known.id })).status, 202)
  t.is((await send({ ...TO, text: 'a', quotedMessageId: 'wamid.HBg=' })).status, 202)
  t.deepEqual(accepted.map(({ message }) => message.quotedMessageId), ['3EB0AA', 'wamid.HBg='])
  for (const quotedMessageId of [waiting.id, foreign.id, 'msg_00000000000000000000000000']) {
    const { status, body } = await send({ ...TO, text: 'a', quotedMessageId })
    t.deepEqual([status, body.code], [404, undefined])
  }
})

test('a message for later wakes nobody; a time that has passed means now', async (t) => {
  const { world, send, accepted } = await open(t)
  const at = (ms: number) => new Date(world.clock.now() + ms).toISOString()
  t.is((await send({ ...TO, text: 'a', deliverAt: at(3_600_000), deliverUntil: at(7_200_000), correlationId: 'order-1' })).body.correlationId, 'order-1')
  t.like(accepted[0]?.message, { deliverAt: new Date(at(3_600_000)), deliverUntil: new Date(at(7_200_000)), correlationId: 'order-1' })
  t.deepEqual(world.directory.queued, [])
  t.is((await send({ ...TO, text: 'a', deliverAt: at(-1_000) })).status, 202)
  t.is(accepted[1]?.message.deliverAt, null)
  t.is(world.directory.queued.length, 1)
  t.is((await send({ ...TO, text: 'a', deliverAt: '2020-01-01T10:00:00+02:00' })).status, 202)
})

test('null says nothing: every field may be null', async (t) => {
  const { send } = await open(t)
  const empty = Object.fromEntries(['groupId', 'newsletterId', 'buttons', 'header', 'footer', 'media', 'mediaType', 'caption', 'mediaFilename', 'carousel', 'templateId', 'variables', 'quotedMessageId', 'deliverAt', 'deliverUntil', 'correlationId'].map((name) => [name, null]))
  t.is((await send({ ...TO, text: 'a', ...empty })).status, 202)
  t.is((await send({ ...TO, text: 'a', variables: {} })).status, 202)
})

test('texts that no store can hold are refused', async (t) => {
  const { send } = await open(t)
  for (const text of ['"a\\u0000"', '"\\ud800"']) t.is((await send(`{"destinationNumber":"5511999990001","text":${text}}`)).body.code, 'INVALID_JSON')
})

test('a number removed meanwhile is NUMBER_NOT_FOUND', async (t) => {
  const { world, send } = await open(t)
  world.messages.isGone = true
  const { status, body } = await send({ ...TO, text: 'a' })
  t.deepEqual([status, body.code], [404, 'NUMBER_NOT_FOUND'])
  t.deepEqual(world.directory.queued, [])
})

test('a send repeated with its key is answered with the first answer, byte for byte, and stored once', async (t) => {
  const { world, send, accepted } = await open(t)
  const again = () => send({ ...TO, media: PNG, mediaType: 'image' }, { 'idempotency-key': 'k' })
  const first = await again()
  const second = await again()
  t.deepEqual([first.status, second.status], [202, 202])
  t.is(second.text, first.text)
  t.deepEqual([first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')], [null, 'true'])
  t.is(second.headers.get('content-type'), first.headers.get('content-type'))
  t.is(accepted.length, 1)
  t.is(accepted[0]?.claim?.answer.body, first.text)
  t.is(world.files.kept.size, 1, 'the bytes of the repeat are let go of')
  const other = await send({ ...TO, text: 'b' }, { 'idempotency-key': 'k' })
  t.deepEqual([other.status, other.body.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
})

test('a repeat while the first still runs is 409, which is no first answer: what comes after it is sent', async (t) => {
  const { world, send } = await open(t)
  const { accept } = world.messages
  world.messages.accept = async () => ({ kind: 'running' })
  const { status, body, headers } = await send({ ...TO, text: 'a' }, { 'idempotency-key': 'k' })
  t.deepEqual([status, body.code, headers.get('retry-after')], [409, 'IDEMPOTENCY_IN_PROGRESS', '1'])
  world.messages.accept = accept
  t.is((await send({ ...TO, text: 'a' }, { 'idempotency-key': 'k' })).status, 202)
})

test('a repeat of a send whose deliverUntil has passed since still gets the first answer', async (t) => {
  const { world, send } = await open(t)
  const body = { ...TO, text: 'a', deliverUntil: new Date(world.clock.now() + 60_000).toISOString() }
  const first = await send(body, { 'idempotency-key': 'k' })
  world.clock.advance(61_000)
  const second = await send(body, { 'idempotency-key': 'k' })
  t.deepEqual([second.status, second.text, second.headers.get('idempotency-replayed')], [202, first.text, 'true'])
  t.is((await send(body)).status, 400)
})

test('a refused send is a first answer too, and a corrected body needs a new key', async (t) => {
  const { send, accepted } = await open(t)
  const first = await send({ ...TO }, { 'idempotency-key': 'k' })
  const second = await send({ ...TO }, { 'idempotency-key': 'k' })
  t.deepEqual([first.status, second.status, second.text, second.headers.get('idempotency-replayed')], [400, 400, first.text, 'true'])
  t.is((await send({ ...TO, text: 'a' }, { 'idempotency-key': 'k' })).body.code, 'IDEMPOTENCY_KEY_REUSED')
  t.is((await send({ ...TO, text: 'a' }, { 'idempotency-key': '' })).status, 400)
  t.deepEqual(accepted, [])
})

test('sends are counted apart from other requests', async (t) => {
  const world = new World()
  world.keys.requestsPerMinute = 1
  world.keys.sendsPerMinute = 2
  const { key } = world.addNumber(world.tenantId, '5511900003333')
  const client = await serve(t, world)
  const send = () => client.send('POST', '/v1/messages/send', { key: key.raw, body: { ...TO, text: 'a' } })
  t.is((await client.send('GET', '/v1/conversations', { key: key.raw })).status, 200)
  t.is((await client.send('GET', '/v1/conversations', { key: key.raw })).status, 429)
  const first = await send()
  t.deepEqual([first.status, first.headers.get('ratelimit-limit')], [202, '2'])
  t.is((await send()).status, 202)
  const over = await send()
  t.deepEqual([over.status, over.body.code, typeof over.body.error], [429, undefined, 'string'])
  t.truthy(over.headers.get('retry-after'))
})

test('GET on the path of sends is 405, whatever a message may be called', async (t) => {
  const { client, key } = await open(t)
  const reply = await client.send('GET', '/v1/messages/send', { key: key.raw })
  t.deepEqual([reply.status, reply.headers.get('allow')], [405, 'OPTIONS, POST'])
})
