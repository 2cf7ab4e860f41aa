import test from 'ava'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { deflateSync } from 'node:zlib'
import { VIDEO_BYTES } from '../../src/domain/limits.ts'
import { film, jpeg, padded, paddedMp4, paddedRiff, png, statedPng, webp } from '../files/make-media.ts'
import { serve } from '../files/rig.ts'
import { startFileHost } from '../helpers/file-host.ts'
import {
  FAST,
  inboxOf,
  KINDS,
  mediaBytes,
  newPeer,
  numbersOfBothKinds,
  reachablePeer,
  send,
  sendText,
  untilEvents,
  untilInbox,
  untilStatus,
  untilTold,
  write,
  type BothNumbers,
  type Kind,
} from '../helpers/message-service.ts'
import { Service } from '../helpers/service.ts'
import { GUARDED, joinService } from '../helpers/shared-service.ts'

const RSS_BOUND_BYTES = 400 * 1024 * 1024
let service: Service
let numbers: BothNumbers
let restingBytes: number

test.before(async () => {
  service = await Service.start({ env: FAST })
  numbers = await numbersOfBothKinds(service)
  restingBytes = rssBytes()
})

test.after.always(async () => {
  await service?.stop()
})

/** The gateway's resident memory in bytes. */
function rssBytes(): number {
  const [, kilobytes] =
    /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.gateway.child.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** Sends a medium that cannot be sent; resolves to the data of message.failed. */
async function failureOf(kind: Kind, message: object): Promise<any> {
  const number = numbers[kind]
  const peer = await reachablePeer(service, number)
  const { id } = await send(service, number, { destinationNumber: peer, ...message })
  const { errorCode } = await untilStatus(service, number, id, ['FAILED'])
  const data = (await untilEvents(service, number, id, 'message.failed')).at(-1)?.data
  if (data.code !== errorCode) throw new Error(`${data.code} is not ${errorCode}`)
  if ((await inboxOf(service, peer, number)).length > 0) throw new Error('it reached the peer')
  return data
}

/** An MP4 whose header claims a duration of ten hours. */
function lying(mp4: Buffer): Buffer {
  const copy = Buffer.from(mp4)
  for (const [box, at] of [
    ['mvhd', 20],
    ['tkhd', 24],
    ['mdhd', 20],
  ] as const) {
    for (let found = copy.indexOf(box); found >= 0; found = copy.indexOf(box, found + 4))
      copy.writeUInt32BE(36_000_000, found + at)
  }
  return copy
}

/**
 * 50 MB of zeros, deflated; made before anything connects, because a thread that is busy for long is taken for a client
 * that connects and says nothing.
 */
const BOMB = deflateSync(Buffer.alloc(50_000_000), { level: 1 })

/** Answers with a PDF of a size, a megabyte at a time. */
function writePdf(response: ServerResponse, sizeBytes: number): void {
  const head = Buffer.from('%PDF-1.7\n')
  const zeros = Buffer.alloc(1024 * 1024)
  response.writeHead(200, { 'content-length': sizeBytes }).write(head)
  const pages = function* (): Generator<Buffer> {
    for (let left = sizeBytes - head.length; left > 0; left -= zeros.length) yield zeros.subarray(0, left)
  }
  Readable.from(pages())
    .on('error', () => {})
    .pipe(response)
}

// [messages.failures.9]
for (const kind of KINDS) {
  test(`${kind}: bombs, pictures of absurd size and playlists under the name of a video fail for themselves, and harm nothing`, async (t) => {
    const secret = await serve(t, {})
    const host = await serve(t, {
      '/zip.png': Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), BOMB]),
      '/signed.png': Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), BOMB]),
      '/huge.png': statedPng(30_000, 30_000, Buffer.alloc(1_000)),
      '/list.mp4': Buffer.from(`#EXTM3U\n#EXTINF:10,\n${secret.origin}/secret.ts\nfile:///etc/passwd\n`),
      '/page.mp4': Buffer.from('<!doctype html><title>sign in</title>'),
    })
    for (const path of ['/zip.png', '/signed.png', '/huge.png'])
      t.is((await failureOf(kind, { media: host.origin + path, mediaType: 'image' })).code, 'MEDIA_UNSUPPORTED', path)
    for (const path of ['/list.mp4', '/page.mp4'])
      t.is((await failureOf(kind, { media: host.origin + path, mediaType: 'video' })).code, 'MEDIA_UNSUPPORTED', path)
    t.is(
      (await failureOf(kind, { media: `${host.origin}/gone.png`, mediaType: 'image' })).code,
      'MEDIA_DOWNLOAD_FAILED',
    )
    t.is(secret.requests.length, 0, 'a playlist is not followed')
    t.true(rssBytes() < restingBytes + RSS_BOUND_BYTES)
  })

  test(`${kind}: a video that lies about its length is counted, and arrives as it is`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const movie = lying(await film({ container: 'mp4', seconds: 1 }))
    const host = await serve(t, { '/long.mp4': movie })
    await send(service, number, { destinationNumber: peer, media: `${host.origin}/long.mp4`, mediaType: 'video' })
    const [item] = await untilInbox(service, peer, number, 1)
    t.deepEqual(await mediaBytes(service, item.externalMessageId), movie)
  })

  // [messages.failures.5] [media.sending.7]
  test(`${kind}: stickers that break the rules are accepted and fail with upstream's code and the reason`, async (t) => {
    const still = await webp()
    const host = await serve(t, {
      '/heavy.webp': paddedRiff(still, 100 * 1024 + 2),
      '/small.webp': await webp(511, 512),
      '/picture.png': await png(512, 512),
      '/huge.webp': paddedRiff(still, 500 * 1024 + 2),
    })
    const reasons = {
      '/heavy.webp': /102402 bytes/,
      '/small.webp': /511x512/,
      '/picture.png': /image\/png/,
      '/huge.webp': /512002 bytes/,
    }
    for (const [path, reason] of Object.entries(reasons)) {
      const { code, upstreamCode, error_data } = await failureOf(kind, {
        media: host.origin + path,
        mediaType: 'sticker',
      })
      t.deepEqual([code, upstreamCode], ['OFFICIAL_MEDIA_UPLOAD_ERROR', 131_053], path)
      t.regex(error_data.details, reason)
    }
  })

  // [messages.failures.6] [messages.failures.9]
  test(`${kind}: a video over 16 MB fails with the size that was measured, announced or not`, async (t) => {
    const large = paddedMp4(await film({ container: 'mp4' }), VIDEO_BYTES + 1_000_000)
    const host = await serve(t, {
      '/a.mp4': large,
      '/b.mp4': (_, response: ServerResponse) => void response.write(large, () => response.end()),
    })
    const announced = await failureOf(kind, { media: `${host.origin}/a.mp4`, mediaType: 'video' })
    t.is(announced.code, kind === 'OFFICIAL' ? 'OFFICIAL_MEDIA_TOO_LARGE' : 'MEDIA_TOO_LARGE')
    t.true(
      `${announced.errorMessage} ${announced.error_data.details}`.includes(String(large.length)),
      announced.errorMessage,
    )
    const counted = await failureOf(kind, { media: `${host.origin}/b.mp4`, mediaType: 'video' })
    t.is(counted.code, announced.code)
  })

  test(`${kind}: ceilings of pictures, sounds and documents hold through the whole service`, async (t) => {
    const host = await serve(t, {
      '/a.jpg': padded(await jpeg(), 5 * 1024 * 1024 + 1),
      '/b.pdf': (_, response: ServerResponse) => writePdf(response, 100 * 1024 * 1024 + 1),
    })
    const code = kind === 'OFFICIAL' ? 'OFFICIAL_MEDIA_TOO_LARGE' : 'MEDIA_TOO_LARGE'
    t.is((await failureOf(kind, { media: `${host.origin}/a.jpg`, mediaType: 'image' })).code, code)
    t.is((await failureOf(kind, { media: `${host.origin}/b.pdf`, mediaType: 'document' })).code, code)
    t.true(rssBytes() < restingBytes + RSS_BOUND_BYTES)
  })
}

test('a host that sends two kilobytes a second holds up its own conversation alone', async (t) => {
  const picture = await png()
  const host = await serve(t, {
    // As fast as it must be not to be given up: a slower one would be over on a machine that is slow itself.
    '/slow.png': (_, response: ServerResponse) => {
      response.write(picture)
      const drip = setInterval(() => void response.write(Buffer.alloc(2_048)), 1_000)
      response.on('close', () => clearInterval(drip))
    },
  })
  for (const kind of KINDS) {
    const number = numbers[kind]
    const [patient, ...others] = await Promise.all(Array.from({ length: 4 }, () => reachablePeer(service, number)))
    const slow = await send(service, number, {
      destinationNumber: patient,
      media: `${host.origin}/slow.png`,
      mediaType: 'image',
    })
    const behind = await sendText(service, number, patient ?? '', 'behind')
    for (const peer of others) {
      await sendText(service, number, peer, 'beside')
      await send(service, number, {
        destinationNumber: peer,
        media: `data:image/png;base64,${picture.toString('base64')}`,
        mediaType: 'image',
      })
    }
    for (const peer of others) t.is((await untilInbox(service, peer, number, 2)).length, 2)
    t.is((await service.api('GET', `/v1/messages/${slow.id}`, number.key)).body.status, 'QUEUED')
    t.is((await service.api('GET', `/v1/messages/${behind.id}`, number.key)).body.status, 'QUEUED')
  }
})

test('a slow host is given up in the end, and what waited behind it goes', async (t) => {
  const number = numbers.UNOFFICIAL
  const peer = newPeer()
  const host = await serve(t, {
    '/cut.png': (_, response: ServerResponse) =>
      void response.writeHead(200, { 'content-length': '100000' }).write('x', () => response.destroy()),
  })
  const cut = await send(service, number, {
    destinationNumber: peer,
    media: `${host.origin}/cut.png`,
    mediaType: 'image',
  })
  const behind = await sendText(service, number, peer, 'behind')
  t.is((await untilStatus(service, number, cut.id, ['FAILED'])).errorCode, 'MEDIA_DOWNLOAD_FAILED')
  await untilStatus(service, number, behind.id, ['READ'])
  t.true(host.requests.length > 1, 'it was tried again')
})

test('OFFICIAL: a film of another container becomes MP4 by its content, whatever its name says', async (t) => {
  const number = numbers.OFFICIAL
  const peer = await reachablePeer(service, number)
  const host = await serve(t, {
    '/a.mp4': await film({ container: 'mov' }),
    '/b.mov': await film({ container: 'webm', video: 'vp8', audio: 'opus' }),
  })
  for (const path of ['/a.mp4', '/b.mov'])
    await send(service, number, {
      destinationNumber: peer,
      media: host.origin + path,
      mediaType: 'video',
      caption: path,
    })
  for (const item of await untilInbox(service, peer, number, 2)) {
    t.is(item.media[0].mimeType, 'video/mp4')
    const bytes = await mediaBytes(service, item.externalMessageId)
    t.is(bytes.toString('latin1', 4, 8), 'ftyp')
    t.not(bytes.toString('latin1', 8, 12), 'qt  ', 'no QuickTime any more')
  }
})

test('UNOFFICIAL: a .mov arrives as it is', async (t) => {
  const number = numbers.UNOFFICIAL
  const peer = newPeer()
  const movie = await film({ container: 'mov' })
  const host = await serve(t, { '/a.mov': movie })
  await send(service, number, { destinationNumber: peer, media: `${host.origin}/a.mov`, mediaType: 'video' })
  const [item] = await untilInbox(service, peer, number, 1)
  t.deepEqual(await mediaBytes(service, item.externalMessageId), movie)
})

test('OFFICIAL: a webm of more than 16 MB that fits once it is converted is sent', async (t) => {
  const number = numbers.OFFICIAL
  const peer = await reachablePeer(service, number)
  const movie = await film({ container: 'webm', video: 'vp8', audio: 'opus', seconds: 1 })
  // Appends an EBML Void element (RFC 9559), which players skip.
  const size = VIDEO_BYTES + 1_000_000
  const empty = Buffer.alloc(size)
  empty[0] = 0xec
  empty.writeBigUInt64BE(0x01_00_00_00_00_00_00_00n + BigInt(size - 9), 1)
  const host = await serve(t, { '/large.webm': Buffer.concat([movie, empty]) })
  await send(service, number, { destinationNumber: peer, media: `${host.origin}/large.webm`, mediaType: 'video' })
  const [item] = await untilInbox(service, peer, number, 1)
  t.is(item.media[0].mimeType, 'video/mp4')
  t.true(item.media[0].size < VIDEO_BYTES)
})

test('a video as document is 422 on OFFICIAL numbers, with nothing stored, and fine on UNOFFICIAL ones', async (t) => {
  const movie = await film({ container: 'mp4' })
  const host = await serve(t, { '/report.pdf': movie })
  const media = [`${host.origin}/report.pdf`, `data:application/pdf;base64,${movie.toString('base64')}`]
  for (const one of media) {
    const peer = await reachablePeer(service, numbers.OFFICIAL)
    const message = { destinationNumber: peer, media: one, mediaType: 'document' }
    const headers = { 'idempotency-key': `document ${peer}` }
    for (let time = 0; time < 2; time++) {
      const refused = await service.api('POST', '/v1/messages/send', numbers.OFFICIAL.key, message, headers)
      t.deepEqual([refused.status, refused.body.code], [422, 'OFFICIAL_VIDEO_AS_DOCUMENT_NOT_SUPPORTED'])
    }
    t.is(
      (await service.api('GET', `/v1/messages/history?direction=OUTBOUND&peer=${peer}`, numbers.OFFICIAL.key)).body
        .total,
      0,
    )
    const other = newPeer()
    await send(service, numbers.UNOFFICIAL, {
      destinationNumber: other,
      media: one,
      mediaType: 'document',
      mediaFilename: 'film.mp4',
    })
    const [item] = await untilInbox(service, other, numbers.UNOFFICIAL, 1)
    t.deepEqual(await mediaBytes(service, item.externalMessageId), movie)
  }
})

test('addresses that lead into private networks are 400 MEDIA_URL_FORBIDDEN, however they are written, and nothing is asked of them', async (t) => {
  const guarded = await joinService(GUARDED)
  const both = await numbersOfBothKinds(guarded)
  const host = await serve(t, { '/a.png': await png() })
  const leading = await startFileHost(
    t,
    (_, response) => void response.writeHead(302, { location: `${host.origin}/a.png` }).end(),
    '127.0.0.2',
  )
  const forbidden = [
    `${host.origin}/a.png`,
    `http://localhost:${host.port}/a.png`,
    `http://2130706433:${host.port}/a.png`,
    `http://[::ffff:127.0.0.1]:${host.port}/a.png`,
    `http://0x7f.1:${host.port}/a.png`,
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/a.png',
    'http://[fd00::1]/a.png',
  ]
  for (const kind of KINDS) {
    const to = { destinationNumber: newPeer() }
    for (const media of forbidden) {
      const plain = await guarded.api('POST', '/v1/messages/send', both[kind].key, { ...to, media, mediaType: 'image' })
      t.deepEqual([plain.status, plain.body.code], [400, 'MEDIA_URL_FORBIDDEN'], media)
      const card = { image: media, text: 'a', buttons: [{ type: 'QUICK_REPLY', text: 'a' }] }
      const carousel = await guarded.api('POST', '/v1/messages/send', both[kind].key, {
        ...to,
        carousel: { text: 'a', cards: [card, card] },
      })
      t.deepEqual([carousel.status, carousel.body.code], [400, 'MEDIA_URL_FORBIDDEN'], media)
    }
    // An allowed address redirects to a forbidden one.
    const peer = await reachablePeer(guarded, both[kind])
    const { id } = await send(guarded, both[kind], {
      destinationNumber: peer,
      media: `${leading.origin}/`,
      mediaType: 'image',
    })
    t.is((await untilStatus(guarded, both[kind], id, ['FAILED'])).errorCode, 'MEDIA_DOWNLOAD_FAILED')
  }
  t.is(host.requests.length, 0)
  // The operator named the engine's host, not a caller. The gateway still fetches received media from there.
  const image = await png()
  const external = await write(guarded, newPeer(), both.UNOFFICIAL, {
    type: 'image',
    media: { base64: image.toString('base64'), mimeType: 'image/png' },
  })
  const told = await untilTold(guarded, both.UNOFFICIAL, 'message.received', external)
  t.deepEqual(Buffer.from(await (await fetch(told.data.mediaLink)).arrayBuffer()), image)
})
