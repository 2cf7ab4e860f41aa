import test from 'ava'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { isSigned } from '../../tools/demo/verify-signature.ts'
import { EVENT_NAMES } from '../../src/domain/events.ts'
import { makeSecret } from '../../src/domain/webhook-secret.ts'
import { sign } from '../../src/webhooks/sign.ts'

const BODY = Buffer.from('{"data":{"text":"Olá ✓"}}')
const ID = `evt_${'0'.repeat(26)}` as const

interface Case {
  readonly what: string
  readonly secret: string
  readonly headers: Record<string, string>
  readonly body: Buffer
  readonly isGood: boolean
}

function headersOf(signature: string, atMs = Date.now()): Record<string, string> {
  return { 'webhook-id': ID, 'webhook-timestamp': String(Math.floor(atMs / 1000)), 'webhook-signature': signature }
}

/** Signatures by the service and by the public package, and some that must not verify. */
function cases(): Case[] {
  const [current, previous, other] = [makeSecret(), makeSecret(), makeSecret()]
  const now = Date.now()
  const signed = (secrets: string[], atMs = now) =>
    headersOf(sign(secrets, { id: ID, timestamp: Math.floor(atMs / 1000), body: BODY }), atMs)
  const good = { secret: current, headers: signed([current]), body: BODY, isGood: true }
  return [
    { ...good, what: 'ours' },
    {
      ...good,
      what: "the public package's",
      headers: headersOf(new Webhook(current).sign(ID, new Date(now), BODY), now),
    },
    { ...good, what: 'both secrets, by the new one', headers: signed([current, previous]) },
    { ...good, what: 'both secrets, by the old one', secret: previous, headers: signed([current, previous]) },
    { ...good, what: 'another secret', secret: other, isGood: false },
    { ...good, what: 'another body', body: Buffer.from(`${String(BODY)} `), isGood: false },
    { ...good, what: 'another id', headers: { ...good.headers, 'webhook-id': 'evt_other' }, isGood: false },
    { ...good, what: 'old', headers: signed([current], now - 600_000), isGood: false },
    { ...good, what: 'a signature cut short', headers: headersOf('v1,AAAA'), isGood: false },
    { ...good, what: 'an empty signature', headers: headersOf(''), isGood: false },
  ]
}

async function codeOf(language: string): Promise<string> {
  const text = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  return new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(text)?.[1] ?? ''
}

test("the demo's receiver tells good signatures from bad ones", (t) => {
  for (const { what, secret, headers, body, isGood } of cases()) t.is(isSigned(secret, headers, body), isGood, what)
  t.false(isSigned(makeSecret(), {}, BODY), 'no headers at all')
})

test('the lines for Node in the document are those of the demo, ten of them, and hold', async (t) => {
  const code = await codeOf('js')
  const lines = code.split('\n').filter((line) => line !== '' && !line.startsWith('import'))
  t.true(lines.length <= 10, `${lines.length} lines`)
  const demo = await readFile(new URL('../../tools/demo/verify-signature.ts', import.meta.url), 'utf8')
  for (const line of lines.slice(1)) t.true(demo.includes(`${line}\n`), line)
  const { isSigned: shown } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    isSigned: typeof isSigned
  }
  for (const { what, secret, headers, body, isGood } of cases()) t.is(shown(secret, headers, body), isGood, what)
})

test('the lines for Python in the document hold', async (t) => {
  const run = promisify(execFile)
  const found = await run('python3', ['-c', 'import sys; print(sys.version_info >= (3, 9))']).then(
    ({ stdout }) => stdout.trim() === 'True',
    () => false,
  )
  if (!found) {
    t.pass('there is no Python here to run them')
    return
  }
  const code = await codeOf('python')
  const program = `${code}\nimport json, sys\nprint(json.dumps([is_signed(c['secret'], c['headers'], c['body'].encode()) for c in json.loads(sys.argv[1])]))`
  const all = cases()
  const { stdout } = await run('python3', [
    '-c',
    program,
    JSON.stringify(all.map((one) => ({ ...one, body: String(one.body) }))),
  ])
  t.deepEqual(
    JSON.parse(stdout),
    all.map(({ isGood }) => isGood),
  )
})

test('the document names every event', async (t) => {
  const text = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  for (const name of EVENT_NAMES) {
    const [group, rest] = name.split('.')
    t.true(text.includes(`\`${name}\``) || (text.includes(`\`${group}.`) && text.includes(`\`.${rest}\``)), name)
  }
})
