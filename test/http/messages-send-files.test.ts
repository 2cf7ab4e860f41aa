import test from 'ava'
import { refuse } from '../../src/domain/errors.ts'
import { BODY_MEDIA_BYTES } from '../../src/domain/limits.ts'
import { FORBIDDEN } from '../helpers/scripted-messages.ts'
import { card, cards, open, PNG, REPLY, TO, URL_BUTTON } from './sending-world.ts'

test('a data URI as programs write it is taken: parameters, quotes, white space', async (t) => {
  const { send, accepted } = await open(t)
  for (const head of [
    'data:audio/webm;codecs=opus;base64,',
    'data:video/webm;codecs=vp8,opus;base64,',
    '\n data:audio/webm; codecs="opus"; base64, ',
    'data:;base64,',
  ]) {
    t.is((await send({ ...TO, media: `${head}iVBO\nRw0K\nGgo=\n`, mediaType: 'voice' })).status, 202, head)
  }
  t.is(accepted.length, 4)
})

test('addresses of media, cards and buttons are stored as browsers write them', async (t) => {
  const { world, send, accepted } = await open(t)
  const odd = 'HTTPS://Example.COM:443/a b'
  const kept = 'https://example.com/a%20b'
  await send({ ...TO, media: odd, mediaType: 'image' })
  await send({ ...TO, text: 'a', buttons: [{ ...URL_BUTTON, url: odd }] })
  await send({
    ...TO,
    carousel: { text: 'a', cards: cards(2, { image: odd, buttons: [{ ...URL_BUTTON, url: odd }] }) },
  })
  t.deepEqual(
    world.files.inspected.map(({ source }) => source),
    [{ url: kept }, { url: kept }, { url: kept }],
  )
  t.is(accepted.length, 3)
  for (const { message } of accepted) {
    t.true(JSON.stringify(message).includes(kept))
    t.false(JSON.stringify(message).includes('Example.COM'))
  }
})

test('media at an address is checked before it is queued, and the refusal names the field', async (t) => {
  const { world, send, accepted, number } = await open(t)
  const media = 'https://files.example/a.pdf'
  t.is(
    (await send({ ...TO, media, mediaType: 'document', caption: 'Your bill', mediaFilename: 'bill.pdf' })).status,
    202,
  )
  t.deepEqual(world.files.inspected, [
    {
      tenantId: number.tenantId,
      numberId: number.id,
      provider: 'UNOFFICIAL',
      kind: 'document',
      source: { url: media },
      fileName: 'bill.pdf',
    },
  ])
  t.like(accepted[0]?.message, {
    type: 'document',
    outgoing: { mode: 'media', kind: 'document', source: { url: media }, caption: 'Your bill', fileName: 'bill.pdf' },
  })
  t.like(accepted[0]?.message.content, {
    text: 'Your bill',
    media: { id: null, url: media, mimeType: null, fileName: 'bill.pdf' },
  })
  world.files.refused.set('http://10.0.0.1/', FORBIDDEN)
  const refused = await send({ ...TO, media: 'http://10.0.0.1/', mediaType: 'image' })
  t.deepEqual([refused.status, refused.body.code, refused.body.details[0].path], [400, 'MEDIA_URL_FORBIDDEN', 'media'])
  t.is(accepted.length, 1)
})

// [media.sending.11]
test('a video sent as document of an OFFICIAL number is 422 before it is queued', async (t) => {
  const { world, send, accepted } = await open(t, 'OFFICIAL')
  world.files.refused.set(
    'https://a.example/film',
    refuse('OFFICIAL_VIDEO_AS_DOCUMENT_NOT_SUPPORTED', 'send it as video'),
  )
  const { status, body } = await send({ ...TO, media: 'https://a.example/film', mediaType: 'document' })
  t.deepEqual([status, body.code], [422, 'OFFICIAL_VIDEO_AS_DOCUMENT_NOT_SUPPORTED'])
  t.deepEqual(accepted, [])
})

// [media.sending.1]
test('audio and voice are one type of message, and each keeps its kind', async (t) => {
  const { send, accepted } = await open(t, 'OFFICIAL')
  for (const mediaType of ['audio', 'voice'])
    t.is((await send({ ...TO, media: 'https://a.example/a.mp3', mediaType })).status, 202)
  t.deepEqual(
    accepted.map(({ message: { type, outgoing } }) => [type, outgoing.mode === 'media' && outgoing.kind]),
    [
      ['audio', 'audio'],
      ['audio', 'voice'],
    ],
  )
})

test('bytes that come along are kept before the message is accepted', async (t) => {
  const { world, send, accepted } = await open(t)
  t.is((await send({ ...TO, media: PNG, mediaType: 'image' })).status, 202)
  const [fileId] = world.files.kept
  t.like(accepted[0]?.message.outgoing, { source: { fileId } })
  t.like(accepted[0]?.message.content, { media: { id: null, url: null, mimeType: 'image/png', fileName: null } })
  t.deepEqual(world.files.released, [])
})

test('uploaded bytes of a refused send are released', async (t) => {
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
  const body = (length: number) =>
    JSON.stringify({ ...TO, media: 'data:image/png;base64,', mediaType: 'image' }).replace(
      'base64,',
      `base64,${'A'.repeat(length)}`,
    )
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
    mode: 'carousel',
    text: 'Pick one',
    cards: [
      { image: { url: 'https://example.com/a.png' }, text: 'One', buttons: [{ ...REPLY, id: 'card_1_button_1' }] },
      { image: { fileId }, text: 'Two', buttons: [{ ...REPLY, id: 'card_2_button_1' }] },
    ],
  } as never)
})

// [messages.carousel.4]
test('an UNOFFICIAL carousel may have URL buttons, and cards without any', async (t) => {
  const { send } = await open(t)
  t.is(
    (
      await send({
        ...TO,
        carousel: { text: 'a', cards: [card({ buttons: [URL_BUTTON, REPLY] }), card({ buttons: null })] },
      })
    ).status,
    202,
  )
})
