import test from 'ava'
import type { ExecutionContext } from 'ava'
import { FORBIDDEN } from '../helpers/scripted-messages.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { card } from '../helpers/template-subject.ts'

const TO = { destinationNumber: '+55 11 99999-0001', templateId: 'welcome' }
const PNG = 'data:image/png;base64,iVBORw0KGgo='
const PICTURE = { header: { type: 'IMAGE', url: 'https://a.example/a.png' }, body: 'Hi.' }
const CARDS = { body: 'Hi {{name}}.', carousel: { cards: [card({ body: 'a {{1}} a' }), card({ body: 'b {{1}} b' })] } }

async function open(t: ExecutionContext, provider: 'OFFICIAL' | 'UNOFFICIAL' = 'OFFICIAL') {
  const world = new World()
  const { number, key } = provider === 'OFFICIAL' ? world.addOfficial() : { number: world.number, key: world.numberKey }
  const client = await serve(t, world)
  const send = (body: object, headers: Record<string, string> = {}) =>
    client.send('POST', '/v1/messages/send', { key: key.raw, body: { ...TO, ...body }, headers })
  return {
    world,
    number,
    send,
    raw: (body: string) => client.send('POST', '/v1/messages/send', { key: key.raw, body }),
    accepted: world.messages.accepted,
  }
}

// [templates.scope.3] [templates.send.9]
test('a template is taken as it is worded now: by its id or its name', async (t) => {
  const { world, number, send, accepted } = await open(t)
  const { id } = world.templates.add(number, 'Hi {{name}}, order {{1}}.')
  t.is((await send({ variables: { name: 'Ana', 1: 4711, unknown: {} } })).status, 202)
  t.is((await send({ templateId: id, language: 'pt-BR', variables: { name: 'Ana', 1: '4711' } })).status, 202)
  for (const { message } of accepted) {
    t.like(message, {
      type: 'template',
      template: 'welcome',
      templateId: id,
      content: { text: 'Hi Ana, order 4711.', media: null },
    })
    t.deepEqual(message.outgoing, {
      mode: 'template',
      name: 'welcome',
      language: 'pt_BR',
      files: [],
      isMarketing: true,
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ana' },
            { type: 'text', text: '4711' },
          ],
        },
      ],
    })
  }
  t.deepEqual(world.templates.asked, ['welcome', id])
})

// [templates.send.17] [templates.send.18]
test('an UNOFFICIAL number sends a template as one message with its parts', async (t) => {
  const { world, number, send, accepted } = await open(t, 'UNOFFICIAL')
  world.templates.add(number, {
    header: { type: 'TEXT', text: 'Hello' },
    body: 'Hi {{name}}.',
    footer: 'Acme',
    buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }],
  })
  t.is((await send({ variables: { name: 'Ana\n\tB' } })).status, 202)
  t.like(accepted[0]?.message, {
    type: 'template',
    template: 'welcome',
    outgoing: { mode: 'composed', header: 'Hello', body: 'Hi Ana\n\tB.', footer: 'Acme', file: null },
  })
})

const FORMS: Readonly<Record<string, readonly [fields: object, path: string]>> = {
  'an empty language': [{ language: '' }, 'language'],
  'a language of 21 characters': [{ language: 'a'.repeat(21) }, 'language'],
  'variables that are a list': [{ variables: ['a'] }, 'variables'],
  'variables that are a text': [{ variables: 'a' }, 'variables'],
  'a value of 4,097 characters': [{ variables: { name: 'a'.repeat(4_097) } }, 'variables'],
  '1,001 variables': [
    { variables: Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`v${at}`, 'a'])) },
    'variables',
  ],
  'cards that are no list': [{ cards: { a: 1 } }, 'cards'],
  '31 cards': [{ cards: Array.from({ length: 31 }, () => ({})) }, 'cards'],
  'a card that is a text': [{ cards: ['a'] }, 'cards.0'],
  'media of a card without a url': [{ cards: [{ media: {} }] }, 'cards.0.media.url'],
  'a button of a card without a type': [{ cards: [{ buttons: [{}] }] }, 'cards.0.buttons.0.type'],
  'a token of a Flow of 257 characters': [{ flow: { token: 'a'.repeat(257) } }, 'flow.token'],
  'data of a Flow that are a list': [{ flow: { data: [] } }, 'flow.data'],
  'no data of a Flow': [{ flow: { data: {} } }, 'flow.data'],
  'another Flow than the template has': [{ flow: { flowId: 'flow_1' } }, 'flow.flowId'],
  'a screen of its Flow': [{ flow: { screen: 'START' } }, 'flow.screen'],
  'a file name without media': [{ mediaFilename: 'a.pdf' }, 'mediaFilename'],
  'a caption': [{ media: PNG, caption: 'a' }, 'caption'],
  'a language of a text': [{ templateId: null, text: 'a', language: 'pt_BR' }, 'language'],
  'cards of a text': [{ templateId: null, text: 'a', cards: [{}] }, 'cards'],
  'a Flow of a text': [{ templateId: null, text: 'a', flow: { token: 'a' } }, 'flow'],
}

// [templates.send.2]
test('a malformed send is a 400 that names the field, before the template is looked up', async (t) => {
  const { world, send, accepted } = await open(t)
  for (const [what, [fields, path]] of Object.entries(FORMS)) {
    const { status, body } = await send(fields)
    t.deepEqual([status, body.code], [400, undefined], what)
    t.true(
      body.details.some((fault: { path: string }) => fault.path === path),
      `${what}: ${JSON.stringify(body.details)}`,
    )
  }
  t.deepEqual([accepted, world.templates.asked], [[], []])
})

// [templates.send.2] [templates.send.10]
test('of several faults the first one in the order of checks is told', async (t) => {
  const { world, number, send, accepted } = await open(t)
  const bad = { variables: { b: {} }, cards: [{}] }
  const expect = async (what: string, status: number, code: string | undefined, fields: object) => {
    const reply = await send(fields)
    t.deepEqual([reply.status, reply.body.code], [status, code], what)
    return reply.body
  }
  await expect('form', 400, undefined, { ...bad, language: '' })
  await expect('unknown', 404, undefined, bad)
  world.templates.add(
    number,
    { ...PICTURE, body: 'Hi {{a}} {{b}}.' },
    { name: 'waiting', officialStatus: 'PENDING', unsupported: ['CATALOG'] },
  )
  await expect('not approved', 404, undefined, { ...bad, templateId: 'waiting' })
  world.templates.add(number, { ...PICTURE, body: 'Hi {{a}} {{b}}.' }, { name: 'shop', unsupported: ['CATALOG'] })
  t.is(
    (await expect('unsupported', 400, 'TEMPLATE_COMPONENT_NOT_SUPPORTED', { ...bad, templateId: 'shop' })).details
      .component,
    'CATALOG',
  )
  world.templates.add(number, { ...PICTURE, body: 'Hi {{a}} {{b}}.' })
  t.deepEqual((await expect('missing', 400, 'MISSING_TEMPLATE_VARIABLES', bad)).details, {
    missing: ['a'],
    invalid: [{ key: 'b', reason: 'TYPE' }],
  })
  await expect('invalid', 400, 'INVALID_TEMPLATE_VARIABLE_VALUE', { ...bad, variables: { a: 'x', b: 'x\ny' } })
  await expect('cards', 400, 'TEMPLATE_CARDS_MISMATCH', { variables: { a: 'x', b: 'y' }, cards: [{}] })
  await expect('media', 400, 'TEMPLATE_MEDIA_REQUIRED', { variables: { a: 'x', b: 'y' } })
  t.deepEqual(accepted, [])
})

// [templates.scope.4]
test('a name that languages share needs the language', async (t) => {
  const { world, number, send, accepted } = await open(t)
  for (const language of ['en_US', 'pt_BR'])
    world.templates.add(number, 'Hi.', { language, officialLanguage: language })
  const { status, body } = await send({})
  t.deepEqual([status, body.code, body.details], [409, 'TEMPLATE_NAME_AMBIGUOUS', { languages: ['en_US', 'pt_BR'] }])
  t.is((await send({ language: 'en-US' })).status, 202)
  t.like(accepted[0]?.message.outgoing, { language: 'en_US' })
  t.is((await send({ language: 'es' })).status, 404)
})

test('another number knows nothing of the template', async (t) => {
  const { world, send } = await open(t)
  const { id } = world.templates.add(world.foreignNumber, 'Hi.')
  for (const templateId of ['welcome', id]) t.is((await send({ templateId })).status, 404)
})

test('names that every object has are variables like any other, and no value is taken from a prototype', async (t) => {
  const { world, number, raw, accepted } = await open(t)
  world.templates.add(number, 'x {{constructor}} {{a}} x')
  const body = (variables: string) =>
    `{"destinationNumber":"5511999990001","templateId":"welcome","variables":${variables}}`
  t.deepEqual((await raw(body('{}'))).body.details.missing, ['constructor', 'a'])
  t.deepEqual((await raw(body('{"constructor":"b","__proto__":{"a":"b"}}'))).body.details.missing, ['a'])
  t.is((await raw(body('{"constructor":"$&","a":"{{constructor}}"}'))).status, 202)
  t.is(accepted[0]?.message.content.text, 'x $& {{constructor}} x')
})

// [templates.send.1]
test("the file of the header is the template's, or the one that came along", async (t) => {
  const { world, number, send, accepted } = await open(t)
  world.templates.add(number, PICTURE, { files: { header: 'file_own', cards: [] } })
  t.is((await send({})).status, 202)
  t.is((await send({ media: 'https://b.example/b.png', mediaFilename: 'b.png' })).status, 202)
  t.is((await send({ media: PNG, mediaType: 'image' })).status, 202)
  const [bytes] = world.files.kept
  t.deepEqual(
    accepted.map(({ message: { outgoing } }) => outgoing.mode === 'template' && outgoing.files),
    [
      [{ kind: 'image', source: { fileId: 'file_own' }, fileName: null, isOwn: false }],
      [{ kind: 'image', source: { url: 'https://b.example/b.png' }, fileName: 'b.png', isOwn: true }],
      [{ kind: 'image', source: { fileId: bytes }, fileName: null, isOwn: true }],
    ] as never,
  )
  t.deepEqual(
    world.files.inspected.map(({ kind }) => kind),
    ['image', 'image'],
  )
  const other = await send({ media: PNG, mediaType: 'video' })
  t.deepEqual([other.status, other.body.details[0].path], [400, 'mediaType'])
  world.templates.add(number, 'Hi.', { name: 'plain' })
  const stray = await send({ templateId: 'plain', media: PNG })
  t.deepEqual([stray.status, stray.body.details[0].path], [400, 'media'])
  world.files.refused.set('https://10.0.0.1/a.png', FORBIDDEN)
  t.is((await send({ media: 'https://10.0.0.1/a.png' })).body.code, 'MEDIA_URL_FORBIDDEN')
  t.is(accepted.length, 3)
})

// [templates.import.8] [templates.send.10]
test('a sample that upstream still has is fetched for the first send', async (t) => {
  const { world, number, send, accepted } = await open(t)
  const { id } = world.templates.add(number, { header: { type: 'DOCUMENT' }, body: 'Hi.' })
  t.is((await send({})).body.code, 'TEMPLATE_MEDIA_REQUIRED')
  world.samples.set(id, { header: 'file_fetched', cards: [] })
  t.is((await send({})).status, 202)
  t.like(accepted[0]?.message.outgoing, {
    files: [{ kind: 'document', source: { fileId: 'file_fetched' }, isOwn: false }],
  })
})

test("each card has the picture of the send, else the template's", async (t) => {
  const { world, number, send, accepted } = await open(t)
  world.templates.add(number, CARDS, { files: { header: null, cards: ['file_1', 'file_2'] } })
  const variables = { name: 'Ana', card_1_1: 'one', card_2_1: 'two' }
  t.is((await send({ variables })).status, 202)
  t.is(
    (
      await send({
        variables,
        cards: [
          {},
          { media: { url: 'https://b.example/b.webp' }, variables: { 1: 'dos' }, buttons: [{ type: 'quick_reply' }] },
        ],
      })
    ).status,
    202,
  )
  const [kept] = world.templateFiles.kept.keys()
  t.deepEqual(
    accepted.map(
      ({ message: { outgoing } }) =>
        outgoing.mode === 'template' && outgoing.files.map(({ source, isOwn }) => [source, isOwn]),
    ),
    [
      [
        [{ fileId: 'file_1' }, false],
        [{ fileId: 'file_2' }, false],
      ],
      [
        [{ fileId: 'file_1' }, false],
        [{ fileId: kept }, true],
      ],
    ] as never,
  )
  t.true(JSON.stringify(accepted[1]?.message.outgoing).includes('"dos"'))
  t.is(accepted[1]?.message.content.text, 'Hi Ana.')
})

// [templates.send.15]
test('cards that do not fit the template are refused, and pictures that came along are let go of', async (t) => {
  const { world, number, send, accepted } = await open(t)
  world.templates.add(number, CARDS, { files: { header: null, cards: ['file_1', null] } })
  const variables = { name: 'Ana', card_1_1: 'one', card_2_1: 'two' }
  const refused = async (cards: readonly object[]) => {
    const { status, body } = await send({ variables, cards })
    return [status, body.code, body.details?.card, body.details?.problem]
  }
  t.deepEqual(await refused([{}]), [400, 'TEMPLATE_CARDS_MISMATCH', undefined, undefined])
  t.deepEqual(await refused(Array.from({ length: 11 }, () => ({}))), [
    400,
    'TEMPLATE_CARDS_MISMATCH',
    undefined,
    undefined,
  ])
  t.deepEqual(await refused([{}, { buttons: [{ type: 'URL' }] }]), [400, 'TEMPLATE_CARDS_MISMATCH', 2, undefined])
  t.deepEqual(await refused([{}, { media: { url: 'http://b.example/b.png' } }]), [
    400,
    'TEMPLATE_CARD_MEDIA_URL_INVALID',
    2,
    'NOT_HTTPS',
  ])
  t.deepEqual(await refused([{}, { media: { url: 'https://127.0.0.1/b.png' } }]), [
    400,
    'TEMPLATE_CARD_MEDIA_URL_INVALID',
    2,
    'FORBIDDEN_ADDRESS',
  ])
  t.deepEqual(await refused([{}, {}]), [400, 'TEMPLATE_MEDIA_REQUIRED', 2, undefined])
  const two = (name: string) => [
    { media: { url: 'https://b.example/good.png' } },
    { media: { url: `https://b.example/${name}.png` } },
  ]
  for (const [problem, status, code, said] of [
    ['UNREACHABLE', 422, 'TEMPLATE_CARD_MEDIA_REFUSED', 'UNREACHABLE'],
    ['UNSUPPORTED', 422, 'TEMPLATE_CARD_MEDIA_REFUSED', 'NOT_AN_IMAGE'],
    ['TOO_LARGE', 422, 'TEMPLATE_CARD_MEDIA_REFUSED', 'TOO_LARGE'],
    ['FORBIDDEN', 400, 'TEMPLATE_CARD_MEDIA_URL_INVALID', 'FORBIDDEN_ADDRESS'],
  ] as const) {
    world.templateFiles.problems.set(`https://b.example/${problem}.png`, { problem, message: 'it cannot be had' })
    t.deepEqual(await refused(two(problem)), [status, code, 2, said])
  }
  world.messages.isGone = true
  t.is((await send({ variables, cards: two('other') })).body.code, 'NUMBER_NOT_FOUND')
  t.deepEqual([world.templateFiles.kept.size, accepted.length], [0, 0])
  t.is(world.templateFiles.released.length, 6)
})

test('a template that is remembered is not read again, until it changed, went, or another language of its name came', async (t) => {
  const { world, number, send, accepted } = await open(t)
  const row = world.templates.add(number, 'Hi {{name}}.')
  const variables = { name: 'Ana' }
  const sent = async (fields: object = {}) => {
    const [asked, { status, body }] = [world.templates.asked.length, await send({ variables, ...fields })]
    return [status, body.code, world.templates.asked.length - asked]
  }
  t.deepEqual(
    [await sent(), await sent(), await sent()],
    [
      [202, undefined, 1],
      [202, undefined, 0],
      [202, undefined, 0],
    ],
  )
  t.deepEqual(
    await sent({ variables: {} }),
    [400, 'MISSING_TEMPLATE_VARIABLES', 1],
    'nothing is refused for what is only remembered',
  )
  await world.templates.change(row.id, () => ({
    kind: 'CHANGE',
    patch: { body: { ...row.body, body: { text: 'Dear {{name}}.' } } },
  }))
  t.deepEqual(
    [await sent(), await sent()],
    [
      [202, undefined, 1],
      [202, undefined, 0],
    ],
  )
  t.deepEqual(
    accepted.map(({ message }) => message.content.text),
    ['Hi Ana.', 'Hi Ana.', 'Hi Ana.', 'Dear Ana.', 'Dear Ana.'],
  )
  const other = world.templates.add(number, 'Olá {{name}}.', { language: 'pt_PT' })
  t.deepEqual(await sent(), [409, 'TEMPLATE_NAME_AMBIGUOUS', 1])
  t.deepEqual(
    [await sent({ language: 'pt_PT' }), await sent({ templateId: row.id }), await sent({ templateId: row.id })],
    [
      [202, undefined, 0],
      [202, undefined, 1],
      [202, undefined, 0],
    ],
  )
  world.templates.remove(row.id)
  t.deepEqual(
    [await sent({ templateId: row.id }), await sent({ language: 'pt_PT' })],
    [
      [404, undefined, 1],
      [202, undefined, 0],
    ],
  )
  await world.templates.change(other.id, () => ({ kind: 'CHANGE', patch: { officialStatus: 'DISABLED' } }))
  t.deepEqual(await sent({ language: 'pt_PT' }), [404, undefined, 1])
})

test('a repeated request gets its first answer, whatever became of the template since', async (t) => {
  const { world, number, send, accepted } = await open(t)
  const row = world.templates.add(number, 'Hi.')
  const first = await send({}, { 'idempotency-key': 'a' })
  world.templates.remove(row.id)
  t.is((await send({})).status, 404)
  const again = await send({}, { 'idempotency-key': 'a' })
  t.deepEqual([again.status, again.body], [202, first.body])
  t.is(accepted.length, 1)
})
