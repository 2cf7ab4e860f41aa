import test from 'ava'
import sharp from 'sharp'
import { animatedWebp, film, jpeg, png, webp } from '../files/make-media.ts'
import { startFileHost, waveFile } from '../helpers/file-host.ts'
import {
  KINDS,
  mediaBytes,
  numbersOfBothKinds,
  reachablePeer,
  send,
  untilInbox,
  type BothNumbers,
} from '../helpers/message-service.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'

let service: Service
let numbers: BothNumbers

test.before(async () => {
  service = await joinService()
  numbers = await numbersOfBothKinds(service)
})

function dataUri(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

for (const kind of KINDS) {
  test(`${kind}: pictures, videos and documents arrive byte for byte, from an address and from a data URI`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const [photo, drawing, movie, paper] = [
      await jpeg(),
      await png(),
      await film({ container: 'mp4' }),
      Buffer.from('%PDF-1.7\nhello'),
    ]
    const host = await startFileHost(t, ({ url }, response) => void response.end(url === '/photo' ? photo : movie))
    const sent = [
      { media: `${host.origin}/photo`, mediaType: 'image', caption: 'a photo' },
      { media: dataUri('image/png', drawing), mediaType: 'image' },
      { media: `${host.origin}/movie.bin`, mediaType: 'video', caption: 'a movie' },
      { media: dataUri('application/pdf', paper), mediaType: 'document', caption: 'a bill', mediaFilename: 'bill.pdf' },
    ]
    const bytes = [photo, drawing, movie, paper]
    const types = ['image/jpeg', 'image/png', 'video/mp4', 'application/pdf']
    for (const message of sent) await send(service, number, { destinationNumber: peer, ...message })
    const items = await untilInbox(service, peer, number, sent.length)
    t.deepEqual(
      items.map(({ type }) => type),
      sent.map(({ mediaType }) => mediaType),
    )
    t.deepEqual(
      items.map(({ text }) => text),
      ['a photo', null, 'a movie', 'a bill'],
    )
    for (const [index, item] of items.entries()) {
      t.is(item.media[0].mimeType, types[index])
      t.deepEqual(await mediaBytes(service, item.externalMessageId), bytes[index])
    }
    const document = items[3]
    t.is(kind === 'OFFICIAL' ? document.content.filename : document.media[0].fileName, 'bill.pdf')
  })

  test(`${kind}: a picture in CMYK or of 16 bits and a film with B-frames arrive`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const red = sharp({ create: { width: 64, height: 48, channels: 3, background: '#c81e1e' } })
    const [cmyk, deep, high] = [
      await red.clone().toColourspace('cmyk').jpeg().toBuffer(),
      await red.clone().toColourspace('rgb16').png().toBuffer(),
      await film({ container: 'mp4', isHigh: true }),
    ]
    for (const [type, bytes] of [
      ['image', cmyk],
      ['image', deep],
      ['video', high],
    ] as const) {
      await send(service, number, {
        destinationNumber: peer,
        media: dataUri('application/octet-stream', bytes),
        mediaType: type,
      })
    }
    const items = await untilInbox(service, peer, number, 3)
    const isAsItCame = await Promise.all(
      items.map(async ({ externalMessageId }, index) =>
        (await mediaBytes(service, externalMessageId)).equals([cmyk, deep, high][index] ?? Buffer.alloc(0)),
      ),
    )
    t.deepEqual(
      isAsItCame,
      Array.from({ length: 3 }, () => kind === 'UNOFFICIAL'),
    )
  })

  test(`${kind}: documents of types that uploads do not take arrive all the same, under names that phones open`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const zip = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(60)])
    const odt = Buffer.concat([
      Buffer.from('PK\x03\x04'),
      Buffer.alloc(26),
      Buffer.from('mimetypeapplication/vnd.oasis.opendocument.text'),
    ])
    const files = [
      ['report.csv', Buffer.from('a;b\n1;2\n')],
      ['precos.csv', Buffer.from('pre\xe7o;1', 'latin1')],
      ['x.zip', zip],
      ['x.odt', odt],
      ['Fatura 12', Buffer.from('%PDF-1.7\n')],
    ] as const
    for (const [mediaFilename, bytes] of files)
      await send(service, number, {
        destinationNumber: peer,
        media: dataUri('application/zip', bytes),
        mediaType: 'document',
        mediaFilename,
      })
    const items = await untilInbox(service, peer, number, files.length)
    t.deepEqual(
      items.map((item) => (kind === 'OFFICIAL' ? item.content.filename : item.media[0].fileName)),
      ['report.csv', 'precos.csv', 'x.zip', 'x.odt', 'Fatura 12.pdf'],
    )
    for (const [index, item] of items.entries())
      t.deepEqual(await mediaBytes(service, item.externalMessageId), files[index]?.[1])
  })

  test(`${kind}: audio and voice arrive as OGG/Opus mono voice notes, voice with its waveform`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const wave = dataUri('audio/wav', waveFile({ hz: 440, seconds: 1, channels: 2 }))
    await send(service, number, { destinationNumber: peer, media: wave, mediaType: 'audio' })
    await send(service, number, { destinationNumber: peer, media: wave, mediaType: 'voice' })
    const [audio, voice] = await untilInbox(service, peer, number, 2)
    for (const item of [audio, voice]) {
      t.is(item.type, 'audio')
      const ogg = await mediaBytes(service, item.externalMessageId)
      t.is(ogg.toString('latin1', 0, 4), 'OggS')
      const head = ogg.indexOf('OpusHead')
      t.true(head > 0)
      t.is(ogg[head + 9], 1, 'one channel')
      t.is(item.media[0].mimeType, 'audio/ogg; codecs=opus')
      t.true(kind === 'OFFICIAL' ? item.content.voice : item.media[0].voice)
    }
    if (kind === 'OFFICIAL') return
    t.is(audio.media[0].waveform, null)
    t.is(voice.media[0].waveform.length, 64)
    t.true(voice.media[0].waveform.every((point: number) => Number.isInteger(point) && point >= 0 && point <= 100))
    t.true(Math.max(...voice.media[0].waveform) > 0)
  })

  // [media.sending.8]
  test(`${kind}: stickers, still and animated, arrive as they are`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const stickers = [await webp(), await animatedWebp()]
    for (const sticker of stickers)
      await send(service, number, {
        destinationNumber: peer,
        media: dataUri('image/webp', sticker),
        mediaType: 'sticker',
      })
    const items = await untilInbox(service, peer, number, 2)
    for (const [index, item] of items.entries()) {
      t.like(item, { type: 'sticker' })
      t.is(item.media[0].mimeType, 'image/webp')
      t.deepEqual(await mediaBytes(service, item.externalMessageId), stickers[index])
    }
  })

  // [messages.carousel.2]
  test(`${kind}: a session carousel arrives with its cards, pictures and buttons in order`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const pictures = [await jpeg(60, 40), await png(40, 60), await jpeg(50, 50)]
    const button = (at: number) =>
      kind === 'OFFICIAL' || at > 0
        ? { type: 'QUICK_REPLY', text: `Buy ${at}` }
        : { type: 'URL', text: 'See', url: 'https://example.com/a' }
    const cards = pictures.map((picture, at) => ({
      image: dataUri(at === 1 ? 'image/png' : 'image/jpeg', picture),
      text: `Card ${at}`,
      buttons: [button(at)],
    }))
    await send(service, number, { destinationNumber: peer, carousel: { text: 'New this week', cards } })
    const [item] = await untilInbox(service, peer, number, 1)
    t.is(item.media.length, 3)
    for (const [index, picture] of pictures.entries())
      t.deepEqual(await mediaBytes(service, item.externalMessageId, index), picture)
    if (kind === 'OFFICIAL') {
      t.like(item, { type: 'interactive', content: { type: 'carousel', body: { text: 'New this week' } } })
      const replies = item.content.action.cards.map(({ action }: any) => action.buttons[0].quick_reply)
      t.deepEqual(
        replies,
        [0, 1, 2].map((at) => ({ id: `card_${at + 1}_button_1`, title: `Buy ${at}` })),
      )
    } else {
      t.is(item.type, 'carousel')
      t.deepEqual(
        item.content.cards.map(({ text }: any) => text),
        ['Card 0', 'Card 1', 'Card 2'],
      )
      t.like(item.content.cards[0].buttons[0], { type: 'URL', url: 'https://example.com/a' })
      t.like(item.content.cards[1].buttons[0], { type: 'QUICK_REPLY', id: 'card_2_button_1' })
    }
  })
}
