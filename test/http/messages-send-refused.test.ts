import test from 'ava'
import { card, cards, open, PNG, REPLY, TO, URL_BUTTON } from './sending-world.ts'

test('characters are code points in every limit: 600 emojis with buttons, 20 in a label, values of templates', async (t) => {
  const official = await open(t, 'OFFICIAL')
  const button = (text: string) => ({ ...TO, text: 'q', buttons: [{ type: 'QUICK_REPLY', text }] })
  for (const body of [
    button('😀'.repeat(11)),
    button('😀'.repeat(20)),
    { ...TO, text: '😀'.repeat(600), buttons: [REPLY] },
    { ...TO, text: '😀'.repeat(1_024), buttons: [REPLY] },
  ]) {
    t.is((await official.send(body)).status, 202)
  }
  for (const body of [button('😀'.repeat(21)), { ...TO, text: '😀'.repeat(1_025), buttons: [REPLY] }])
    t.is((await official.send(body)).status, 400)
  const { send } = await open(t)
  t.is((await send({ ...TO, text: '😀'.repeat(4_096) })).status, 202)
  t.is((await send({ ...TO, text: '😀'.repeat(4_097) })).status, 400)
  t.is((await send(button('😀'.repeat(25)))).status, 202)
  const ofValues = async (length: number) =>
    (await send({ ...TO, templateId: 'a', variables: { b: '😀'.repeat(length) } })).body.details?.[0]?.path
  t.deepEqual([await ofValues(4_096), await ofValues(4_097)], [undefined, 'variables'])
})

test('texts and labels that show nothing are refused on both kinds', async (t) => {
  for (const provider of ['OFFICIAL', 'UNOFFICIAL'] as const) {
    const { send, accepted } = await open(t, provider)
    for (const blank of [' ', '\n\n', '\u00A0\u3000', '\u200B\u200D', '\u2800', '\u3164', '\uFE0F', '\t\r\n']) {
      for (const [body, path] of [
        [{ text: blank }, 'text'],
        [{ text: 'q', buttons: [{ type: 'QUICK_REPLY', text: blank }] }, 'buttons.0.text'],
        [{ text: blank, buttons: [REPLY] }, 'text'],
        [{ text: 'q', buttons: [REPLY], header: blank }, 'header'],
        [{ text: 'q', buttons: [REPLY], footer: blank }, 'footer'],
        [{ carousel: { text: blank, cards: cards(2) } }, 'carousel.text'],
        [{ carousel: { text: 'q', cards: cards(2, { text: blank }) } }, 'carousel.cards.0.text'],
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
    const { status, body } = await send({
      ...TO,
      text: 'q',
      buttons: [
        { ...REPLY, id: 'a' },
        { ...REPLY, id: 'b', text: 'Yes ' },
      ],
    })
    t.deepEqual(
      [status, body.details],
      [400, [{ path: 'buttons.1.text', message: 'must differ from the texts of the other buttons' }]],
    )
    const twice = await send({
      ...TO,
      carousel: { text: 'q', cards: cards(2, { buttons: [REPLY, { ...REPLY, id: 'b' }] }) },
    })
    t.deepEqual([twice.status, twice.body.details[0].path], [400, 'carousel.cards.0.buttons.1.text'])
    t.is((await send({ ...TO, carousel: { text: 'q', cards: cards(2) } })).status, 202, 'of each card the same')
  }
})

test('an OFFICIAL number sends neither to groups nor to channels: FEATURE_NOT_SUPPORTED', async (t) => {
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
  'a button of a label of 26 characters': [
    { text: 'a', buttons: [{ ...REPLY, text: 'a'.repeat(26) }] },
    'buttons.0.text',
  ],
  'a button of no known type': [{ text: 'a', buttons: [{ type: 'FLOW', text: 'a' }] }, 'buttons.0.type'],
  'a URL button without a URL': [{ text: 'a', buttons: [{ type: 'URL', text: 'a' }] }, 'buttons.0.url'],
  'a URL button that leads to a script': [
    { text: 'a', buttons: [{ ...URL_BUTTON, url: 'javascript:alert(1)' }] },
    'buttons.0.url',
  ],
  'a call button without a number': [
    { text: 'a', buttons: [{ type: 'PHONE_NUMBER', text: 'a' }] },
    'buttons.0.phoneNumber',
  ],
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
  'a card whose image is no address': [
    { carousel: { text: 'a', cards: [card(), card({ image: 'x' })] } },
    'carousel.cards.1.image',
  ],
  'a card of 161 characters': [
    { carousel: { text: 'a', cards: [card({ text: 'a'.repeat(161) }), card()] } },
    'carousel.cards.0.text',
  ],
  'a card with three buttons': [
    { carousel: { text: 'a', cards: cards(2, { buttons: [REPLY, REPLY, REPLY] }) } },
    'carousel.cards.0.buttons',
  ],
  'a card with a call button': [
    {
      carousel: {
        text: 'a',
        cards: cards(2, { buttons: [{ type: 'PHONE_NUMBER', text: 'a', phoneNumber: '5511999990001' }] }),
      },
    },
    'carousel.cards.0.buttons.0.type',
  ],
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
  'a call button': [
    { text: 'a', buttons: [{ type: 'PHONE_NUMBER', text: 'a', phone_number: '+5511999990001' }] },
    'buttons',
  ],
  'a copy button': [{ text: 'a', buttons: [{ type: 'COPY_CODE', text: 'a', code: 'X' }] }, 'buttons'],
  'a label of 21 characters': [{ text: 'a', buttons: [{ ...REPLY, text: 'a'.repeat(21) }] }, 'buttons.0.text'],
  'a text of 1,025 characters with buttons': [{ text: 'a'.repeat(1_025), buttons: [REPLY] }, 'text'],
  'a URL button on a card': [
    { carousel: { text: 'a', cards: cards(2, { buttons: [URL_BUTTON] }) } },
    'carousel.cards.0.buttons.0.type',
  ],
  'cards without buttons': [{ carousel: { text: 'a', cards: cards(2, { buttons: [] }) } }, 'carousel.cards.0.buttons'],
  'a card with three line breaks': [
    { carousel: { text: 'a', cards: [card(), card({ text: 'a\nb\nc\nd' })] } },
    'carousel.cards.1.text',
  ],
  'cards with different numbers of buttons': [
    { carousel: { text: 'a', cards: [card(), card({ buttons: [REPLY, { ...REPLY, text: 'No' }] })] } },
    'carousel.cards.1.buttons',
  ],
}

/** Replaces relative times of the body by times of the world's clock. */
function timed(body: object, nowMs: number): object {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const days =
        typeof value === 'string' && name.startsWith('deliver')
          ? (/^in (\d+) days?$/.exec(value)?.[1] ?? (value === 'now' ? '0' : undefined))
          : undefined
      return [name, days === undefined ? value : new Date(nowMs + Number(days) * 24 * 3_600_000).toISOString()]
    }),
  )
}

// [messages.send.1] [messages.send.3] [messages.modes.1] [messages.modes.2] [messages.modes.4] [media.sending.4]
// [media.sending.5] [messages.carousel.1]
for (const [provider, table] of [
  ['UNOFFICIAL', WRONG],
  ['OFFICIAL', OFFICIAL_WRONG],
] as const) {
  // [rest.errors.1] [rest.errors.3]
  test(`every wrong send of an ${provider} number is a 400 that names the field, and stores nothing`, async (t) => {
    const { world, send, accepted } = await open(t, provider)
    for (const [what, [fields, path]] of Object.entries(table)) {
      const { status, body } = await send(timed({ ...TO, ...fields }, world.clock.now()))
      t.is(status, 400, what)
      t.is(body.code, undefined, what)
      t.true(
        body.details.some((fault: { path: string }) => fault.path === path),
        `${what}: ${JSON.stringify(body.details)}`,
      )
      t.true(body.error.startsWith('Invalid body: '), what)
    }
    t.deepEqual(accepted, [])
    t.deepEqual(world.files.inspected, [])
    t.is(world.files.kept.size, 0)
  })
}

test('a button that leads to an address with a password is refused with its field', async (t) => {
  const { send, accepted } = await open(t)
  const secret = { ...URL_BUTTON, url: 'https://user:pw@example.com/' }
  const plain = await send({ ...TO, text: 'a', buttons: [secret] })
  t.deepEqual(
    [plain.status, plain.body.details],
    [400, [{ path: 'buttons.0.url', message: 'must not contain a user name or password' }]],
  )
  const inCard = await send({ ...TO, carousel: { text: 'a', cards: cards(2, { buttons: [secret] }) } })
  t.deepEqual([inCard.status, inCard.body.details[0].path], [400, 'carousel.cards.0.buttons.0.url'])
  t.is(accepted.length, 0)
})

test('a template that does not exist is 404 without a code, once the rest is right', async (t) => {
  const { send, accepted } = await open(t)
  const { status, body } = await send({
    ...TO,
    templateId: 'welcome',
    variables: { name: 'Ana' },
    media: PNG,
    mediaType: 'image',
  })
  t.deepEqual([status, body.code, body.error], [404, undefined, 'No such template'])
  t.is((await send({ templateId: 'welcome' })).status, 400)
  t.deepEqual(accepted, [])
})

test('texts that no store can hold are refused', async (t) => {
  const { send } = await open(t)
  for (const text of ['"a\\u0000"', '"\\ud800"'])
    t.is((await send(`{"destinationNumber":"5511999990001","text":${text}}`)).body.code, 'INVALID_JSON')
})

test('a number removed meanwhile is NUMBER_NOT_FOUND', async (t) => {
  const { world, send } = await open(t)
  world.messages.isGone = true
  const { status, body } = await send({ ...TO, text: 'a' })
  t.deepEqual([status, body.code], [404, 'NUMBER_NOT_FOUND'])
  t.deepEqual(world.directory.queued, [])
})
