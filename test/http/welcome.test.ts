import test from 'ava'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

test('GET / shows a browser a page without further requests, and gives programs the addresses of the service', async (t) => {
  const { url: base } = await serve(t, new World())
  const page = await fetch(base, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
  t.is(page.status, 200)
  t.regex(page.headers.get('content-type') ?? '', /^text\/html/)
  t.regex(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/)
  t.regex(await page.text(), /href="\/docs"/)
  const told = await fetch(base)
  t.regex(told.headers.get('content-type') ?? '', /^application\/json/)
  const body = (await told.json()) as Record<string, string>
  t.is(body['docs'], '/docs')
  t.is((await fetch(base + String(body['live']))).status, 200)
})
