import { randomInt } from 'node:crypto'
import test from 'ava'
import sharp from 'sharp'
import { png } from '../files/make-media.ts'
import { OWN_PAGE } from '../helpers/dashboard.ts'
import { makeCall, printedCalls } from '../helpers/printed-curls.ts'
import { call, type Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'

let service: Service

test.before(async () => {
  service = await joinService()
})

test("a logo that a signed-in page uploads is the tenant's by its URL, shows on its connect links and is served to anybody", async (t) => {
  const signedIn = await call('POST', `${service.base}/api/session`, {
    headers: OWN_PAGE,
    body: { tenantKey: service.tenantKey },
  })
  const desk = {
    ...OWN_PAGE,
    cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '',
    'x-csrf-token': signedIn.body.csrfToken,
  }
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(await png(400, 100))]), 'logo.png')
  const uploaded = await fetch(`${service.base}/api/branding/logo`, { method: 'POST', headers: desk, body: form })
  t.is(uploaded.status, 201)
  const { url, sizeBytes } = (await uploaded.json()) as { readonly url: string; readonly sizeBytes: number }

  t.is((await service.api('PUT', '/v1/branding', service.tenantKey, { logoUrl: url, companyName: 'Acme' })).status, 200)
  const digits = `55119${randomInt(10 ** 7, 10 ** 8)}`
  const link = await service.api('POST', '/v1/numbers/remote-pairing', service.tenantKey, {
    name: 'Desk',
    number: digits,
    branding: { subtitle: 'Connect your phone' },
  })
  const { status, body } = await call('GET', `${service.base}/v1/connect/${link.body.remotePairingToken}/branding`)
  t.like(
    { status, branding: body.branding },
    { status: 200, branding: { logoUrl: url, companyName: 'Acme', subtitle: 'Connect your phone' } },
  )

  const shown = await fetch(`${service.base}${new URL(url).pathname}`)
  t.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/png'])
  const image = Buffer.from(await shown.arrayBuffer())
  t.is(image.byteLength, sizeBytes)
  const { width, height } = await sharp(image).metadata()
  t.deepEqual([width, height], [400, 100])
})

test('the calls in the document of branding work as it says', async (t) => {
  const [change, read, link, look, ...more] = printedCalls('docs/branding.md', {
    BASE_URL: service.base,
    TENANT_KEY: service.tenantKey,
    TOKEN: 'TOKEN',
  })
  if (!change || !read || !link || !look) throw new Error('the document prints four calls')
  t.deepEqual(more, [])
  const changed = await makeCall(change)
  t.like(changed, {
    status: 200,
    body: {
      branding: {
        companyName: 'Acme',
        subtitle: 'Connect your phone',
        primaryColor: '#0a7f5a',
        supportUrl: 'https://example.com/help',
      },
    },
  })
  t.deepEqual((await makeCall(read)).body.branding, changed.body.branding)
  const { status, body } = await makeCall(link, (sent) => ({ ...sent, number: `55119${randomInt(10 ** 7, 10 ** 8)}` }))
  t.is(status, 201)
  const shown = await makeCall({ ...look, url: look.url.replace('TOKEN', body.remotePairingToken) })
  t.like(shown, {
    status: 200,
    body: {
      branding: {
        companyName: 'Acme',
        subtitle: 'Connect your phone',
        primaryColor: '#0a7f5a',
        button: { label: 'Connect', borderRadius: 12 },
      },
    },
  })
  const plain = await makeCall({ ...look, url: look.url.replace('TOKEN', body.remotePairingToken).split('?')[0] ?? '' })
  t.is(plain.body.branding.companyName, 'Acme Sul')
})
