import { readFile } from 'node:fs/promises'
import test from 'ava'
import { GUIDES } from '../../src/http/routes/guides/library.ts'
import { htmlOf } from '../../src/http/routes/guides/markdown.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

// [pages.guides.1] [pages.guides.2]
test('every guide is a page whose links lead to guides and headings that are there', async (t) => {
  const { url } = await serve(t, new World())
  const pages = new Map<string, string>()
  for (const name of GUIDES) {
    const answer = await fetch(`${url}/docs/guides/${name}`)
    t.is(answer.status, 200, name)
    t.is(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    t.regex(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'(?!.*script-src)/)
    pages.set(name, await answer.text())
  }
  const lost = [...pages].flatMap(([name, html]) =>
    [
      ...html
        .slice(html.indexOf('<main>'), html.indexOf('</main>'))
        .matchAll(/href="(?!https?:)(?<to>[^"#]*)(?:#(?<id>[^"]*))?"/g),
    ].flatMap(({ groups: { to, id } = {} }) => {
      const page = pages.get(to === '' ? name : (to ?? ''))
      const isThere = page !== undefined && (id === undefined || page.includes(`id="${decodeURIComponent(id)}"`))
      return isThere ? [] : [`${name}: ${to}#${id}`]
    }),
  )
  t.deepEqual(lost, [])
  const list = await (await fetch(`${url}/docs/guides`)).text()
  for (const name of GUIDES) t.true(list.includes(`href="guides/${name}"`), name)
  const title = /^# (.+)$/m.exec(await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8'))?.[1]
  t.true(list.includes(`>${title}</a>`))
  t.is((await fetch(`${url}/docs/guides.css`)).headers.get('content-type'), 'text/css; charset=utf-8')
})

// [pages.guides.1]
test('what is no guide is 404, whatever the name reaches for', async (t) => {
  const { url } = await serve(t, new World())
  for (const name of ['performance', 'README', 'webhooks.md', '..%2FREADME', '%2e%2e%2f..%2fpackage.json', '__proto__'])
    t.is((await fetch(`${url}/docs/guides/${name}`)).status, 404, name)
})

// [pages.guides.2]
test('markup in a guide is text, and a link that runs something is none', (t) => {
  const html = htmlOf('# A\n\n# A\n\n<b>x</b> [run](javascript:alert(1)) [gone](x.md) ![sky](sky.png)\n', () => null)
  t.is(html, '<h1 id="a">A</h1>\n<h1 id="a-1">A</h1>\n<p>&lt;b&gt;x&lt;/b&gt; run gone sky</p>\n')
})
