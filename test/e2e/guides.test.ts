/** Guides, followed as they are printed: one shell each, on one service, in the order in which a reader finds them. */
import anyTest, { type TestFn } from 'ava'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { runGuide } from '../helpers/guide.ts'
import { FAST } from '../helpers/message-service.ts'
import { Service } from '../helpers/service.ts'

const test = anyTest as TestFn<{ service: Service }>

const DOCS = new URL('../../docs/', import.meta.url)

/** Blocks that start a program that stays, or need what stands outside of this machine: other tests run those programs. */
const STAYING = ['npm ci', 'npm start', 'npm run cluster', 'ENGINE_TOKEN', 'npm run listen', 'npm run sandbox']

interface Followed {
  readonly document: string
  /** Lines that stand for what the guide says the reader has. */
  readonly before?: string
  readonly instead?: Readonly<Record<string, string>>
  /** How many calls of the guide are refused, because that is what it shows, or because its reader brings what they name: by status and a text in them. */
  readonly refused?: readonly (readonly [number, string])[]
  readonly saved?: Readonly<Record<string, string>>
  /** What its programs say at last. */
  readonly said?: RegExp
}

const FIELD = `field() { node -pe "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }`

/** A paired number, as README makes one. */
const paired = (digits: string) => `${FIELD}
MADE=$(curl -sX POST localhost:3000/v1/numbers -H "x-api-key: $KEY" -H 'content-type: application/json' -d '{"name": "Sales", "number": "${digits}"}')
export NUM=$(echo "$MADE" | field apiKey.key); NUMBER_ID=$(echo "$MADE" | field id)
curl -sX POST localhost:3002/control/devices/${digits}/scan`

/** The account that docs/official.md writes of, made up by the sandbox. */
const SEEDED_ACCOUNT = `curl -sX POST localhost:3002/control/official/numbers -d '{"number": "15550001111", "phoneId": "106540352242922", "accountId": "102290129340398",
  "appId": "2050", "appSecret": "0123456789abcdef0123456789abcdef", "accessToken": "EAAB..."}'`

const GUIDES: readonly Followed[] = [
  {
    document: 'README.md',
    instead: {
      // A browser that opens the page asks this.
      '# in a browser on this machine': '; curl -sX POST localhost:3000/v1/remote-pairing/$(echo "$LINK" | field remotePairingToken)/connect',
    },
  },
  { document: 'docs/api.md', before: `${paired('5511988880003')}\nTENANT_KEY=$KEY; NUMBER_KEY=$NUM; ACCESS_TOKEN=none`, refused: [[401, 'authorization: Bearer']] },
  {
    document: 'docs/messages.md', before: `${paired('5511988880004')}\nMEDIA_ID=1; PHONE_NUMBER_ID=1`,
    refused: [[404, 'order_sent'], [404, '"invoice"'], [404, 'new_this_week'], [422, '"flowId": "flow_..."'], [400, '/v1/media/1']],
  },
  { document: 'docs/templates.md', instead: { 'until curl': 'until GUIDE_TRIES=1 curl' } },
  { document: 'docs/flows.md', refused: [[422, '/json']] },
  { document: 'docs/leads.md', refused: [[404, '"pageId": "102290129340398"'], [404, '/v1/leads/lead_']] },
  { document: 'docs/referrals.md' },
  {
    document: 'docs/official.md', before: SEEDED_ACCOUNT,
    instead: { '"officialAppSecret": "0123456789abcdef0123456789abcdef"\n}\'': '"officialAppSecret": "0123456789abcdef0123456789abcdef"\n}\' > made.json\nID=$(field id < made.json); NUM=$(field apiKey.key < made.json)' },
  },
  { document: 'docs/tools.md', before: paired('5511988880006') },
  { document: 'docs/realtime.md', saved: { 'bot.mjs': 'js' }, said: /type: 'dtmf'[^]*digit: '5'[^]*closed 1000 after/ },
  { document: 'docs/webhooks.md', before: paired('5511988880007'), instead: { 'after=evt_...&': '' } },
  // At last: it makes the upstreams of all of them forget everything.
  { document: 'docs/sandbox.md', refused: [[409, 'flows/exchange']] },
]

test.before(async (t) => {
  t.context.service = await Service.start({ env: { ...FAST } })
})

test.after.always(async (t) => {
  await t.context.service?.stop()
})

for (const { document, before = '', instead = {}, refused = [], saved = {}, said } of GUIDES) {
  test.serial(`every line of ${document} does what it says`, async (t) => {
    const { base, dataDir, ports } = t.context.service
    const tenant = await askToCreateTenant(dataDir, document)
    const places = { 'https://api.example.com': base, '$BASE_URL': base, 'localhost:3000': base.replace('http://', ''), 'localhost:3002': `127.0.0.1:${ports['sandboxPort']}`, '127.0.0.1:3002': `127.0.0.1:${ports['sandboxPort']}` }
    const { calls, output } = await runGuide({
      document, before: `${FIELD}\nKEY=${tenant?.key}\n${before}`, instead: { ...instead, ...places }, env: { DATA_DIR: dataDir, SANDBOX: 'on', PORT: '0' }, refused, saved, without: STAYING,
    })
    t.true(calls.length > 0)
    const bad = calls.filter(({ status, words }) => status === 0 || status >= 400 && !refused.some(([code, text]) => code === status && words.includes(text)))
    t.deepEqual(bad, [], output.slice(-4000))
    if (said) t.regex(output, said)
    for (const [code, text] of refused) t.true(calls.some(({ status, words }) => code === status && words.includes(text)), `${code} ${text}`)
  })
}

test('no guide serves this folder, where keys may stand, or any folder to the network', (t) => {
  const guides = ['README.md', ...readdirSync(DOCS).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)]
  const commands = guides.flatMap((guide) => readFileSync(new URL(`../../${guide}`, import.meta.url), 'utf8').match(/python3? -m http\.server[^`\n]*|npx (?:serve|http-server)[^`\n]*/g) ?? [])
  t.deepEqual(commands.filter((command) => !/ -d [a-z]/.test(command) || !command.includes(' -b 127.0.0.1')), [])
})

/** `npm run embed:example` with this environment. */
function example(env: Record<string, string>) {
  return spawn(process.execPath, ['tools/demo/embed-example.ts'], { env: { ...process.env, PORT: '0', ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
}

test('the example page holds the token and the service, and nothing else is served beside it', async (t) => {
  const child = example({ TOKEN: 'emb_abc', SERVICE: 'http://localhost:3999/x' })
  t.teardown(() => child.kill())
  const [said] = await once(child.stdout, 'data')
  const base = /http:\S+?(?=\/\n)/.exec(String(said))?.[0] ?? ''
  const page = await (await fetch(`${base}/`)).text()
  t.true(page.includes("token: 'emb_abc'") && page.includes('src="http://localhost:3999/embed.js"'))
  for (const path of ['/data/encryption-key', '/../package.json', '/package.json', '/?x']) t.is((await fetch(base + path)).status, 404, path)
})

test('the example page without a token says what to do', async (t) => {
  const child = example({ TOKEN: '' })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  t.is(code, 1)
  t.regex(said, /POST \/v1\/embed\/sessions/)
})
