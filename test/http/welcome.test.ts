import test from 'ava'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

test('GET / leads a browser to the dashboard, and gives programs the addresses of the service', async (t) => {
  const { url: base } = await serve(t, new World())
  const page = await fetch(base, {
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    redirect: 'manual',
  })
  t.is(page.status, 302)
  t.is(page.headers.get('location'), '/dashboard')
  const told = await fetch(base)
  t.regex(told.headers.get('content-type') ?? '', /^application\/json/)
  const body = (await told.json()) as Record<string, string>
  t.is(body['docs'], '/docs')
  t.is((await fetch(base + String(body['live']))).status, 200)
})
