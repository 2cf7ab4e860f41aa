import test from 'ava'
import { DASHBOARD_PAGES, dashboardPageAt } from '../../src/domain/dashboard-pages.ts'
import { serve } from '../helpers/http-app.ts'
import { servePages } from '../helpers/pages.ts'
import { World } from '../helpers/world.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

// [dashboard.pages.2]
test('the address of the service leads a browser to the dashboard, and tells programs where things are', async (t) => {
  const { url, send } = await serve(t, new World())
  const led = await fetch(`${url}/`, { headers: BROWSER, redirect: 'manual' })
  t.is(led.status, 302)
  t.is(led.headers.get('location'), '/dashboard')
  t.regex(led.headers.get('vary') ?? '', /accept/i)
  t.is(await led.text(), '')
  const { status, body } = await send('GET', '/')
  t.is(status, 200)
  t.like(body, { dashboard: '/dashboard', docs: '/docs', openapi: '/openapi.json' })
})

test('a path is of the page that has it, and a detail page knows the id in it', (t) => {
  t.like(dashboardPageAt('/dashboard'), { page: { name: 'overview' }, id: null })
  t.like(dashboardPageAt('/dashboard/'), { page: { name: 'overview' } })
  t.like(dashboardPageAt('/dashboard/numbers'), { page: { name: 'numbers' }, id: null })
  t.like(dashboardPageAt('/dashboard/numbers/num_1'), { page: { name: 'number' }, id: 'num_1' })
  for (const path of ['/', '/login', '/dashboards', '/dashboard/nothing', '/dashboard/numbers/a/b', '/dashboard//x'])
    t.is(dashboardPageAt(path), null, path)
})

test('each page of the dashboard is a document that nobody frames, no cache keeps, and that says nothing of anybody', async (t) => {
  const { send } = await servePages(t, new World(), { serviceName: 'Acme <Chat>' })
  for (const { name, path } of DASHBOARD_PAGES) {
    const { status, headers, text } = await send('GET', path.replace('{id}', 'x'), {
      headers: { 'accept-language': 'pt-BR' },
    })
    t.is(status, 200, name)
    t.is(headers.get('content-type'), 'text/html; charset=utf-8')
    t.is(headers.get('cache-control'), 'no-store')
    t.is(headers.get('x-frame-options'), 'DENY')
    t.is(headers.get('cross-origin-opener-policy'), 'same-origin')
    t.is(headers.get('permissions-policy'), 'microphone=(self), camera=(), geolocation=()')
    const policy = headers.get('content-security-policy') ?? ''
    t.true(policy.includes("frame-ancestors 'none'") && policy.includes("script-src 'self'"), policy)
    t.false(policy.includes('unsafe'), policy)
    t.regex(text, /<html lang="pt"/)
    t.regex(text, /<title>Acme &lt;Chat&gt;<\/title>/)
  }
})

// [pages.headers.1]
test('pages of the dashboard may frame the embeds of the service, wherever they are, and nothing else', async (t) => {
  const apart = await servePages(t, new World(), {
    chatEmbedUrl: 'https://chat.example/below',
    connectEmbedUrl: 'https://connect.example',
  })
  const together = await servePages(t, new World())
  for (const [{ send }, frames] of [
    [apart, "frame-src 'self' https://chat.example https://connect.example"],
    [together, `frame-src 'self' ${together.url}`],
  ] as const) {
    const { headers } = await send('GET', '/dashboard/inbox')
    t.true((headers.get('content-security-policy') ?? '').split('; ').includes(frames), frames)
  }
})
