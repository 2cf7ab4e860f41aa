import { request as httpRequest } from 'node:http'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import sharp from 'sharp'
import { createLogoFiles } from '../../src/files/logo-files.ts'
import { DiskPlace } from '../../src/files/places/disk-place.ts'
import { createMediaChildren } from '../../src/files/media-children.ts'
import { LOGO_BYTES, LOGO_KEPT_MS } from '../../src/domain/logo.ts'
import { createPages } from '../../src/commands/pages/pages.ts'
import { UPLOAD_MS } from '../../src/http/middlewares/file-taken.ts'
import { systemClock } from '../../src/process/clock.ts'
import { animatedWebp, gif, jpeg, padded, png, statedPng, webp } from '../files/make-media.ts'
import { OWN_PAGE, signIn } from '../helpers/dashboard.ts'
import { serve, type Client, type Reply } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { until } from '../helpers/until.ts'

const children = createMediaChildren({ clock: systemClock, maxChildren: 1 })
test.after.always(() => children.close())

interface Desk {
  readonly client: Client
  readonly world: World
  /** The names of stored files, and of uploads that are still on disk. */
  onDisk(): Promise<string[]>
  /** Uploads parts as the dashboard does. */
  upload(
    parts: readonly (readonly [field: string, bytes: Buffer | string, fileName?: string])[],
    headers?: Record<string, string>,
  ): Promise<Reply>
  readonly headers: Record<string, string>
}

async function desk(t: ExecutionContext): Promise<Desk> {
  const world = new World()
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  const [kept, uploads] = [join(directory.path, 'branding'), join(directory.path, 'uploads')]
  Object.assign(world, {
    logos: createLogoFiles({
      place: new DiskPlace(kept, systemClock),
      temp: join(directory.path, 'temp'),
      children,
      clock: systemClock,
    }),
    uploadDirectory: uploads,
  })
  const client = await serve(t, world)
  const { cookie, csrfToken } = await signIn(client, world)
  const headers = { ...OWN_PAGE, cookie, 'x-csrf-token': csrfToken }
  return {
    client,
    world,
    headers,
    onDisk: async () => (await Promise.all([kept, uploads].map((path) => readdir(path).catch(() => [])))).flat(),
    upload: async (parts, more = headers) => {
      const form = new FormData()
      for (const [field, bytes, fileName] of parts)
        form.append(
          field,
          typeof bytes === 'string' ? bytes : new Blob([Uint8Array.from(bytes)]),
          ...((fileName === undefined ? [] : [fileName]) as []),
        )
      const response = new Response(form)
      return client.send('POST', '/api/branding/logo', {
        headers: { ...more, 'content-type': response.headers.get('content-type') ?? '' },
        body: Buffer.from(await response.arrayBuffer()),
      })
    },
  }
}

async function served(client: Client, key: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${client.url}/branding/logos/${key}`)).arrayBuffer())
}

// [branding.logo.2] [branding.logo.8] [branding.routes.3] [branding.routes.4]
test('PNG, JPEG and WebP are taken by their content, kept in their type and shown to any page for good', async (t) => {
  const { client, upload, onDisk, world } = await desk(t)
  for (const [bytes, type, extension, name] of [
    [await png(), 'image/png', 'png', 'logo.svg'],
    [await jpeg(), 'image/jpeg', 'jpg', 'a.jpeg'],
    [await webp(), 'image/webp', 'webp', 'x'],
  ] as const) {
    const { status, body } = await upload([['file', bytes, name]])
    t.is(status, 201)
    t.regex(body.key, new RegExp(`^[0-9a-z]{26}\\.${extension}$`))
    t.like(body, { url: `http://localhost:3000/branding/logos/${body.key}`, mimeType: type, fileName: name })
    const shown = await fetch(`${client.url}/branding/logos/${body.key}`)
    const image = Buffer.from(await shown.arrayBuffer())
    t.is(image.byteLength, body.sizeBytes)
    t.is(`image/${(await sharp(image).metadata()).format}`, type)
    t.deepEqual(
      [
        'content-type',
        'cache-control',
        'x-content-type-options',
        'cross-origin-resource-policy',
        'content-security-policy',
      ].map((header) => shown.headers.get(header)),
      [type, 'public, max-age=31536000, immutable', 'nosniff', 'cross-origin', "default-src 'none'; sandbox"],
    )
    t.is(
      (await client.send('PUT', '/v1/branding', { key: world.tenantKey.raw, body: { logoUrl: body.url } })).status,
      200,
    )
  }
  t.is((await onDisk()).length, 3, 'nothing of the requests is left')
})

test('a logo is served for HEAD and in ranges; a key of no logo is 404', async (t) => {
  const { client, upload } = await desk(t)
  const { body } = await upload([['file', await png(), 'logo.png']])
  const head = await fetch(`${client.url}/branding/logos/${body.key}`, { method: 'HEAD' })
  t.is(head.headers.get('content-length'), String(body.sizeBytes))
  const part = await fetch(`${client.url}/branding/logos/${body.key}`, { headers: { range: 'bytes=0-7' } })
  t.deepEqual([part.status, (await part.arrayBuffer()).byteLength], [206, 8])
  for (const key of [
    '00000000000000000000000000.png',
    'x',
    '..%2f..%2fbranding',
    `${body.key}.part`,
    body.key.slice(1),
  ]) {
    t.is((await client.send('GET', `/branding/logos/${key}`)).status, 404, key)
  }
})

// [branding.logo.2]
test('a file that is no PNG, JPEG or WebP is 415, whatever its name and type say', async (t) => {
  const { upload, onDisk } = await desk(t)
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const avif = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#123456' } })
    .avif()
    .toBuffer()
  for (const [what, bytes] of Object.entries({
    svg,
    gif: await gif(),
    avif,
    html: Buffer.from('<!doctype html><script>alert(1)</script>'),
    empty: Buffer.alloc(0),
    pdf: Buffer.from('%PDF-1.7\n'),
  })) {
    t.like(await upload([['file', bytes, 'logo.png']]), { status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } }, what)
  }
  t.deepEqual(await onDisk(), [])
})

// [branding.logo.4]
test('a logo is stored re-encoded: no metadata, no trailing bytes, one frame, upright, at most 1,024 pixels a side', async (t) => {
  const { client, upload } = await desk(t)
  const keep = async (bytes: Buffer) => served(client, (await upload([['file', bytes, 'logo']])).body.key)
  const script = await keep(Buffer.concat([await png(), Buffer.from('<script>alert(1)</script>')]))
  t.false(script.includes('script'))
  const noted = await keep(
    await sharp({ create: { width: 40, height: 20, channels: 3, background: '#123456' } })
      .jpeg()
      .withExif({ IFD0: { Copyright: 'secret words' } })
      .withMetadata({ orientation: 6 })
      .toBuffer(),
  )
  t.false(noted.includes('secret words'))
  const { width, height, exif, orientation } = await sharp(noted).metadata()
  t.deepEqual([width, height, exif, orientation], [20, 40, undefined, undefined])
  t.is((await sharp(await keep(await animatedWebp(64))).metadata()).pages ?? 1, 1)
  const large = await sharp(await keep(await png(2_048, 512))).metadata()
  t.deepEqual([large.width, large.height], [1_024, 256])
})

// [branding.logo.3]
test('a picture that is broken, or of too many pixels, is 422', async (t) => {
  const { upload, onDisk } = await desk(t)
  const whole = await jpeg(400, 300)
  const pictures = {
    huge: statedPng(30_000, 30_000, Buffer.alloc(1_000)),
    wide: await png(4_097, 10),
    many: await png(4_096, 4_096),
    truncated: whole.subarray(0, whole.byteLength / 2),
    lying: statedPng(100, 100, Buffer.alloc(10)),
  }
  for (const [what, bytes] of Object.entries(pictures))
    t.like(await upload([['file', bytes, 'logo.png']]), { status: 422, body: { code: 'IMAGE_INVALID' } }, what)
  t.deepEqual(await onDisk(), [])
})

// [branding.logo.1]
test('a file of 2 MiB is taken, and one byte more is not', async (t) => {
  const { upload, onDisk } = await desk(t)
  const logo = await png()
  t.is((await upload([['file', padded(logo, LOGO_BYTES), 'logo.png']])).status, 201)
  t.like(await upload([['file', padded(logo, LOGO_BYTES + 1), 'logo.png']]), {
    status: 413,
    body: { code: 'PAYLOAD_TOO_LARGE' },
  })
  t.like(await upload([['file', padded(logo, LOGO_BYTES * 2), 'logo.png']]), {
    status: 413,
    body: { code: 'PAYLOAD_TOO_LARGE' },
  })
  t.is((await onDisk()).length, 1)
})

// [branding.logo.5]
test('a body is one part, the file, and nothing else', async (t) => {
  const { client, upload, onDisk, headers } = await desk(t)
  const logo = await png()
  const wrong = [
    [],
    [['logo', logo, 'a.png']],
    [
      ['file', logo, 'a.png'],
      ['file', logo, 'b.png'],
    ],
    [
      ['file', logo, 'a.png'],
      ['more', 'x'],
    ],
    [
      ['more', 'x'],
      ['file', logo, 'a.png'],
    ],
    [['file', 'just text']],
  ] as const
  for (const parts of wrong) t.is((await upload(parts)).status, 400, JSON.stringify(parts.map(([field]) => field)))
  const send = (type: string, body: string) =>
    client.send('POST', '/api/branding/logo', { headers: { ...headers, 'content-type': type }, body })
  t.is(
    (
      await send(
        'multipart/form-data; boundary=x',
        '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc',
      )
    ).status,
    400,
  )
  t.is((await send('multipart/form-data', 'abc')).status, 400)
  t.is((await send('image/png', 'abc')).status, 415)
  t.is((await send('application/json', '{}')).status, 415)
  t.deepEqual(await onDisk(), [])
})

// [branding.logo.6]
test('a name is told without path and control characters', async (t) => {
  const { upload } = await desk(t)
  const logo = await png()
  const names = {
    '../../etc/logo.png': 'logo.png',
    'C:\\pictures\\logo.png': 'logo.png',
    'a\r\nset-cookie: x.png': 'aset-cookie: x.png',
    'l\u202Egnp.png': 'lgnp.png',
    'Ação \u{1F600}.png': 'Ação \u{1F600}.png',
  }
  for (const [name, told] of Object.entries(names)) {
    const { status, body } = await upload([['file', logo, name]])
    t.is(status, 201)
    t.is(body.fileName, told)
  }
})

test('an upload that does not end is cut, and leaves nothing', async (t) => {
  const { client, world, headers, onDisk } = await desk(t)
  const { hostname, port } = new URL(client.url)
  const answered = Promise.withResolvers<number>()
  const sent = httpRequest(
    {
      hostname,
      port,
      method: 'POST',
      path: '/api/branding/logo',
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x', 'transfer-encoding': 'chunked' },
    },
    (response) => {
      response.resume()
      answered.resolve(response.statusCode ?? 0)
    },
  )
  sent.on('error', () => answered.resolve(0))
  sent.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n')
  sent.write(Buffer.alloc(10_000))
  await until('the upload has begun', async () => (await onDisk()).length > 0)
  world.clock.advance(UPLOAD_MS)
  t.is(await answered.promise, 400)
  sent.destroy()
  await until('nothing is left', async () => (await onDisk()).length === 0)
})

test('without session, with a key instead, without the CSRF header or from elsewhere nothing is stored', async (t) => {
  const { client, world, upload, headers, onDisk } = await desk(t)
  const logo: readonly [string, Buffer, string] = ['file', await png(), 'logo.png']
  const { cookie = '', 'x-csrf-token': csrf = '', ...own } = headers as Record<string, string>
  t.is((await upload([logo], { ...own, 'x-csrf-token': csrf })).status, 401)
  t.is((await upload([logo], { ...own, 'x-csrf-token': csrf, 'x-api-key': world.tenantKey.raw })).status, 401)
  t.like(await upload([logo], { ...own, cookie }), { status: 403, body: { code: 'CSRF_REJECTED' } })
  for (const origin of ['https://evil.example', 'null']) {
    t.like(await upload([logo], { cookie, 'x-csrf-token': csrf, origin }), {
      status: 403,
      body: { code: 'CSRF_REJECTED' },
    })
  }
  t.like(await upload([logo], { ...headers, 'sec-fetch-site': 'cross-site' }), {
    status: 403,
    body: { code: 'CSRF_REJECTED' },
  })
  t.is((await client.send('POST', '/v1/branding/logo', { key: world.tenantKey.raw })).status, 404)
  t.deepEqual(await onDisk(), [])
})

// [branding.logo.7]
test('a logo that no brand names is removed after 30 days, its picture too', async (t) => {
  const { client, world, upload, onDisk } = await desk(t)
  const [kept, unused] = [
    await upload([['file', await png(), 'a.png']]),
    await upload([['file', await png(), 'b.png']]),
  ]
  await client.send('PUT', '/v1/branding', { key: world.tenantKey.raw, body: { logoUrl: kept.body.url } })
  world.clock.advance(LOGO_KEPT_MS)
  t.false(await createPages({ ...world, baseUrl: '' }).purgeLogos())
  t.deepEqual(await onDisk(), [kept.body.key])
  t.is((await client.send('GET', `/branding/logos/${unused.body.key}`)).status, 404)
})
