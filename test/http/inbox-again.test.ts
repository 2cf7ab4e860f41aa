import test from 'ava'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { bearer } from '../helpers/embeds.ts'
import { FAILURE, PEER } from '../contracts/message-world.ts'
import type { MessageId } from '../../src/domain/ids.ts'
import { talking } from './talking-inbox.ts'

const database = sharedDatabase(test, openTestDatabase)

// [embeds.inbox-routes.8]
test('a failed message is sent again as a new one; another one is not', async (t) => {
  const { app, token, id } = await talking(t, database())
  const sent = (await app.ask(token, 'POST', `/conversations/${id}/messages`, { text: 'once more' })).body.id
  const early = await app.ask(token, 'POST', `/messages/${sent}/retry`)
  t.deepEqual([early.status, early.body.code], [409, 'MESSAGE_INVALID_STATE'])
  await app.stores.inbox.report(app.one.fence, {
    externalMessageId: 'up.x',
    messageId: sent,
    status: 'FAILED',
    failure: FAILURE,
    at: new Date(),
  })
  const retried = await app.ask(token, 'POST', `/messages/${sent}/retry`)
  t.is(retried.status, 202)
  t.like(retried.body, { retryOf: sent, status: 'QUEUED' })
  t.not(retried.body.id, sent)
  const found = await app.ask(token, 'GET', '/search?q=ONCE')
  t.deepEqual(
    found.body.messages.map(({ message }: { message: { id: string; errorCode: string | null } }) => [
      message.id,
      message.errorCode,
    ]),
    [
      [retried.body.id, null],
      [sent, 'OFFICIAL_ERROR'],
    ],
  )
  t.is(found.body.messages[0].conversation.id, id)
})

/** Sends through the API, lets the send fail, and retries through the inbox. Returns what was sent each time. */
async function again(
  { app, token }: Awaited<ReturnType<typeof talking>>,
  body: object,
  breakUp: () => void = () => {},
) {
  const sent = await app.client.send('POST', '/v1/messages/send', {
    key: app.one.key.raw,
    body: { destinationNumber: PEER, ...body },
  })
  if (sent.status !== 202) throw new Error(sent.text)
  const outgoing = async (id: string) =>
    JSON.parse(
      (await database().query<{ outgoing: string }>('select outgoing from messages where id = $1', [id]))[0]?.outgoing
        ?? 'null',
    )
  const first = await outgoing(sent.body.id)
  await app.stores.inbox.report(app.one.fence, {
    externalMessageId: `up.${sent.body.id}`,
    messageId: sent.body.id,
    status: 'FAILED',
    failure: FAILURE,
    at: new Date(),
  })
  breakUp()
  const retried = await app.ask(token, 'POST', `/messages/${sent.body.id}/retry`)
  return { first, retried, second: retried.status === 202 ? await outgoing(retried.body.id) : null }
}

test('places, cards, lists and polls that failed are sent again as they were ordered', async (t) => {
  const talk = await talking(t, database())
  for (const order of [
    { location: { latitude: 1, longitude: 2, name: 'Acme' } },
    { contacts: [{ name: { formatted: 'Ana' }, phones: [{ phone: '190' }] }] },
    { list: { text: 'Well?', button: 'Open', sections: [{ rows: [{ id: 'a', title: 'One' }] }] } },
    { poll: { question: 'When?', options: ['Now', 'Later'], multiple: true } },
  ]) {
    const made = await again(talk, order)
    t.like(made.first, { mode: Object.keys(order)[0], ...order })
    t.deepEqual(made.second, made.first)
  }
})

test('buttons, carousels and templates that failed are sent again as they were ordered', async (t) => {
  const talk = await talking(t, database())
  const { app } = talk
  const buttons = await again(talk, {
    text: 'Well?',
    header: 'Hm',
    footer: 'Acme',
    buttons: [
      { type: 'QUICK_REPLY', text: 'Yes', id: 'y' },
      { type: 'URL', text: 'Look', url: 'https://shop.io/' },
    ],
  })
  t.like(buttons.first, { mode: 'text', header: 'Hm' })
  t.deepEqual(buttons.second, buttons.first)
  const card = (image: string) => ({ image, text: 'a', buttons: [{ type: 'QUICK_REPLY', text: 'Take' }] })
  const carousel = await again(talk, {
    carousel: { text: 'Choose', cards: [card('https://a.example/a.png'), card('data:image/png;base64,iVBORw0KGgo=')] },
  })
  const [address, bytes] = carousel.second.cards
  t.deepEqual(address, carousel.first.cards[0])
  t.regex(bytes.image.fileId, /^file_/)
  t.not(bytes.image.fileId, carousel.first.cards[1].image.fileId)
  t.is(app.world.files.dropped, 1)
  const gone = await again(
    talk,
    {
      carousel: {
        text: 'Choose',
        cards: [card('https://a.example/a.png'), card('data:image/png;base64,iVBORw0KGgo=')],
      },
    },
    () => app.world.files.kept.clear(),
  )
  t.deepEqual([gone.retried.status, gone.retried.body.code], [409, 'MEDIA_GONE'])

  const made = await app.client.send('POST', '/v1/templates', {
    key: app.one.key.raw,
    body: {
      name: 'welcome',
      category: 'UTILITY',
      language: 'en',
      body: { body: 'Hi {{name}}, {{2}}.' },
      examples: { name: 'Ana', 2: 'x' },
    },
  })
  t.is(made.status, 201, made.text)
  const template = await again(talk, {
    templateId: 'welcome',
    variables: { name: 'Bia', 2: 7, unknown: { never: 'kept' } },
  })
  t.is(template.second.body, 'Hi Bia, 7.')
  t.deepEqual(template.second, template.first)
  const kept = await database().query<{ content: string }>(`select content from messages where type = 'template'`)
  t.true(kept.length >= 2)
  for (const { content } of kept) t.false(content.includes('never'))
  const shown = await app.ask(talk.token, 'GET', `/conversations/${talk.id}/messages`)
  t.deepEqual((await app.ask(talk.token, 'GET', '/search?q=Take')).body.messages, [], 'nor is it searched')
  t.false(
    shown.text.includes('"order"') || shown.text.includes('"variables"'),
    'what it was made of is part of no read',
  )

  const labels = [{ type: 'QUICK_REPLY', text: 'Take', url: null }]
  const drawn = shown.body.messages.find(({ type }: { type: string }) => type === 'carousel')
  t.deepEqual(
    [drawn.cards, drawn.buttons],
    [
      [
        { text: 'a', buttons: labels },
        { text: 'a', buttons: labels },
      ],
      null,
    ],
  )
  t.like(
    shown.body.messages.find(({ type }: { type: string }) => type === 'interactive'),
    {
      header: 'Hm',
      footer: 'Acme',
      cards: null,
      buttons: [
        { type: 'QUICK_REPLY', text: 'Yes', url: null },
        { type: 'URL', text: 'Look', url: 'https://shop.io/' },
      ],
    },
  )
  for (const [card, status, code] of [
    ['1', 404, 'MEDIA_GONE'],
    ['2', 404, undefined],
    ['10', 400, undefined],
    ['x', 400, undefined],
  ] as const) {
    const picture = await app.ask(talk.token, 'GET', `/messages/${drawn.id}/media?card=${card}`)
    t.deepEqual([picture.status, picture.body.code], [status, code], card)
  }
})

test('media sent by their address go again from what was kept of them; without it from there', async (t) => {
  const talk = await talking(t, database())
  const { app } = talk
  const url = 'https://a.example/bill.pdf'
  const elsewhere = await again(talk, { media: url, mediaType: 'document', mediaFilename: 'bill.pdf' })
  t.deepEqual(elsewhere.second, elsewhere.first)
  const fileId = 'file_00000000000000000000000000'
  app.world.files.kept.add(fileId)
  const sent = await app.client.send('POST', '/v1/messages/send', {
    key: app.one.key.raw,
    body: { destinationNumber: PEER, media: url, mediaType: 'document', caption: 'the bill' },
  })
  await app.stores.mediaFacts.learnMedia(app.one.number.id, sent.body.id, { fileId, sizeBytes: 7 })
  await app.stores.inbox.report(app.one.fence, {
    externalMessageId: `up.${sent.body.id}`,
    messageId: sent.body.id,
    status: 'FAILED',
    failure: FAILURE,
    at: new Date(),
  })
  const retried = await app.ask(talk.token, 'POST', `/messages/${sent.body.id}/retry`)
  t.is(retried.status, 202)
  const { body } = await app.ask(talk.token, 'GET', `/conversations/${talk.id}/messages?limit=1`)
  t.like(body.messages[0], { id: retried.body.id, content: 'the bill', media: { url: null } })
})

// [embeds.inbox-routes.8]
test('a file that was uploaded is sent again from what was kept of it; when that is gone it cannot be', async (t) => {
  const { app, token, id } = await talking(t, database())
  const fail = (messageId: MessageId) =>
    app.stores.inbox.report(app.one.fence, {
      externalMessageId: `up.${messageId}`,
      messageId,
      status: 'FAILED',
      failure: FAILURE,
      at: new Date(),
    })
  const form = new FormData()
  for (const [name, value] of [['mediaType', 'voice']] as const) form.set(name, value)
  form.set('file', new Blob(['said']), 'note.ogg')
  const response = await fetch(`${app.client.url}/api/public/embed/conversations/${id}/messages`, {
    method: 'POST',
    body: form,
    headers: bearer(token).headers,
  })
  const sent = ((await response.json()) as { id: MessageId }).id
  await fail(sent)
  const retried = await app.ask(token, 'POST', `/messages/${sent}/retry`)
  t.is(retried.status, 202)
  const { body } = await app.ask(token, 'GET', `/conversations/${id}/messages?limit=1`)
  t.like(body.messages[0], { id: retried.body.id, type: 'audio', media: { isVoice: true } })
  t.is(app.world.files.kept.size, 2)
  t.is(app.world.files.dropped, 1)
  app.world.files.kept.clear()
  await fail(retried.body.id)
  const gone = await app.ask(token, 'POST', `/messages/${retried.body.id}/retry`)
  t.deepEqual([gone.status, gone.body.code], [409, 'MEDIA_GONE'])
})
