import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import { ExampleBot } from '../helpers/example-bot.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until, within } from '../helpers/until.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PICTURE = `${ROOT}/nextjs-inbox.png`
const START = [process.execPath, 'node_modules/next/dist/bin/next', 'start', '--hostname', 'localhost'] as const
/** Reads what it gets, and writes by itself nothing. */
const PEER = '5511990000041'

let service: Service
let number: PairedNumber
/** What `npm run example -- nextjs --once` printed, and its code. It leaves the build that all these tests look at. */
let ran: { readonly said: string; readonly code: number }

test.before(async () => {
  if (!usesBrowser) return
  service = await joinService()
  number = await service.pairNumber()
  ran = await runOnce()
})
test.after.always(() => rmSync(PICTURE, { force: true }))

/** Starts the program that serves the page; resolves to it and the origin of its page. */
async function serve(t: ExecutionContext, env: object): Promise<{ readonly bot: ExampleBot; readonly origin: string }> {
  const bot = await ExampleBot.start('nextjs', START, { BASE: service.base, ...env })
  t.teardown(() => bot.stop())
  return { bot, origin: bot.address ?? '' }
}

/** Asks for a token, as a page of this origin does. */
async function askToken(at: string, origin: string | null): Promise<Response> {
  return await fetch(`${at}/inbox-token`, { method: 'POST', headers: origin === null ? {} : { origin } })
}

async function peerWrites(words: string): Promise<void> {
  await service.control('POST', `/peers/${PEER}/messages`, { to: number.digits, text: words })
}

async function runOnce(): Promise<typeof ran> {
  const child = spawn(process.execPath, ['examples/run.ts', 'nextjs', '--once'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      CHROMIUM_PATH: process.env['CHROMIUM_PATH'],
      BASE: service.base,
      KEY: service.tenantKey,
      SANDBOX: `http://127.0.0.1:${service.ports['sandboxPort']}`,
    },
  })
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  const [out, faults, [code]] = await within('the example ends', ended)
  return { said: out + faults, code }
}

inBrowser('one command builds the page, and makes a picture of what a peer wrote there and was answered', (t) => {
  t.is(ran.code, 0, ran.said)
  t.regex(ran.said, /^ {2}The inbox shows what the peer wrote, and its answer: nextjs-inbox\.png$/m)
  t.true(existsSync(PICTURE))
})

inBrowser('an inbox in the page goes on with a session of its own when the first is revoked', async (t) => {
  const { origin } = await serve(t, { KEY: number.key })
  const page = await (await openBrowser(t)).newPage()
  await page.goto(origin)
  const inbox = page.frameLocator('iframe')
  await peerWrites('before')
  await inbox.locator('[data-conversation]', { hasText: 'before' }).waitFor()
  await page.getByRole('heading', { name: 'A product of yours (1)' }).waitFor()
  const sessions = async () => (await service.api('GET', '/v1/embed/sessions', number.key)).body.sessions
  const [{ id, allowedOrigins, startConversation }, ...others] = await sessions()
  t.deepEqual([others, allowedOrigins, startConversation], [[], [origin], false])
  t.is((await service.api('DELETE', `/v1/embed/sessions/${id}`, number.key)).status, 200)
  await until('the page has another session', async () => (await sessions()).some((one: any) => one.id !== id))
  await peerWrites('after')
  await inbox.locator('[data-conversation]', { hasText: 'after' }).waitFor()
  t.is(await page.locator('iframe').count(), 1)
})

inBrowser('the key of the number is in nothing that the page loads, and pages of others get no token', async (t) => {
  const { origin } = await serve(t, { KEY: number.key })
  const page = await (await openBrowser(t)).newPage()
  const loaded: Promise<string>[] = []
  // What others serve never had the key, and the stream of the inbox has no end.
  page.on('response', (response) => {
    if (response.url().startsWith(origin)) loaded.push(response.text())
  })
  await peerWrites('here')
  await page.goto(origin)
  await page.frameLocator('iframe').locator('[data-conversation]', { hasText: 'here' }).waitFor()
  const texts = await Promise.all(loaded)
  t.true(texts.some((one) => one.startsWith('emb_')))
  t.false(texts.some((one) => one.includes(number.key)))
  for (const other of [null, 'null', 'https://example.com', origin.replace('localhost', '127.0.0.1')])
    t.is((await askToken(origin, other)).status, 403, String(other))
  t.is((await fetch(`${origin}/inbox-token`)).status, 405)
})

inBrowser('a key that opens nothing is told on the server, and shown to nobody', async (t) => {
  const { bot, origin } = await serve(t, { KEY: 'cms_of_nobody' })
  const answer = await askToken(origin, origin)
  t.deepEqual([answer.status, await answer.text()], [502, ''])
  await until('it is told', () => bot.said.some((line) => line.startsWith('The session was answered 401')))
  t.notRegex(bot.said.join('\n'), /cms_of_nobody/)
})
