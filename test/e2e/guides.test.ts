/**
 * Runs the guides as they are printed: each in a shell of its own, all on one service, in the order in which a reader
 * finds them.
 */
import anyTest, { type TestFn } from 'ava'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { runGuide } from '../helpers/guide.ts'
import { FAST } from '../helpers/message-service.ts'
import { Service } from '../helpers/service.ts'
import { shownSecrets } from '../helpers/shown-secrets.ts'

const test = anyTest as TestFn<{ service: Service }>

const DOCS = new URL('../../docs/', import.meta.url)

/**
 * Blocks that start a program that keeps running, or that need something outside this machine. Other tests run them.
 */
const STAYING = [
  'npm ci',
  'npm start',
  'npm test',
  'npm run cluster',
  'ENGINE_TOKEN',
  'npm run -s listen',
  'npm run sandbox',
]

/** Pages whose calls other tests make, and those tests. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/branding.md': 'e2e/branding.test.ts',
  'docs/dashboard.md': 'web/dashboard-story.test.ts',
  'docs/embed.md': 'web/connect-story.test.ts',
  'docs/engines.md': 'engine-check/engine-check.test.ts',
  'docs/frameworks.md': 'examples/guide.test.ts',
  'docs/oauth.md': 'e2e/oauth.test.ts',
  'docs/people.md': 'web/people-story.test.ts',
  'docs/proof.md': 'simulation/proof.test.ts',
  'docs/scale.md': 'e2e/backup-postgres.test.ts',
  'docs/voice-bots.md': 'examples/guide.test.ts',
}

interface Followed {
  readonly document: string
  /** Shell lines that set up what the guide assumes its reader to have. */
  readonly before?: string
  readonly instead?: Readonly<Record<string, string>>
  /**
   * The calls of the guide that must be refused, by status and by a text of the call. Either the guide shows the
   * refusal, or the call names something that only its reader has.
   */
  readonly refused?: readonly (readonly [number, string])[]
  readonly saved?: Readonly<Record<string, string>>
  /** What the programs of the guide print in the end. */
  readonly said?: RegExp
}

const FIELD = `field() { node -pe "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }`

/** Makes a paired number, as README does. */
const paired = (digits: string) => `${FIELD}
MADE=$(curl -sX POST localhost:3000/v1/numbers -H "x-api-key: $KEY" -H 'content-type: application/json' -d '{"name": "Sales", "number": "${digits}"}')
export NUM=$(echo "$MADE" | field apiKey.key); NUMBER_ID=$(echo "$MADE" | field id)
curl -sX POST localhost:3002/control/devices/${digits}/scan`

/** Makes the sandbox have the account that docs/official.md uses. */
const SEEDED_ACCOUNT = `curl -sX POST localhost:3002/control/official/numbers -d '{"number": "15550001111", "phoneId": "106540352242922", "accountId": "102290129340398",
  "appId": "2050", "appSecret": "0123456789abcdef0123456789abcdef", "accessToken": "EAAB..."}'`

const GUIDES: readonly Followed[] = [
  { document: 'README.md', saved: { 'bot.mjs': 'js' }, said: /"type":"start"[^]*"status":"COMPLETED"/ },
  {
    document: 'docs/start.md',
    before: `${paired('5511988880010')}\nNUMBER=$MADE`,
    instead: {
      // A browser that opens the page sends this request.
      '# in a browser on this machine':
        '; curl -sX POST localhost:3000/v1/remote-pairing/$(echo "$LINK" | field remotePairingToken)/connect',
    },
  },
  {
    document: 'docs/api.md',
    before: `${paired('5511988880003')}\nTENANT_KEY=$KEY; NUMBER_KEY=$NUM; ACCESS_TOKEN=none`,
    refused: [[401, 'authorization: Bearer']],
  },
  {
    document: 'docs/messages.md',
    before: `${paired('5511988880004')}\nMEDIA_ID=1; PHONE_NUMBER_ID=1`,
    refused: [
      [404, 'order_sent'],
      [404, '"invoice"'],
      [404, 'new_this_week'],
      [422, '"flowId": "flow_..."'],
      [400, '/v1/media/1'],
    ],
  },
  { document: 'docs/templates.md', instead: { 'until curl': 'until GUIDE_TRIES=1 curl' } },
  { document: 'docs/flows.md', refused: [[422, '/json']] },
  {
    document: 'docs/leads.md',
    refused: [
      [404, '"pageId": "102290129340398"'],
      [404, '/v1/leads/lead_'],
    ],
  },
  { document: 'docs/referrals.md' },
  { document: 'docs/people-and-numbers.md', said: /"from":"5215512345678"/ },
  { document: 'docs/official.md', before: SEEDED_ACCOUNT },
  {
    document: 'docs/tools.md',
    before: paired('5511988880006'),
    saved: { 'client.mjs': 'js' },
    said: /'messages_history'[^]*messages: /,
  },
  {
    document: 'docs/realtime.md',
    saved: { 'bot.mjs': 'js', 'server.mjs': 'javascript' },
    said: /type: 'dtmf'[^]*digit: '5'[^]*closed 1000 after[^]*in the call call_\w+ \{ customer: '7' \}/,
  },
  { document: 'docs/webhooks.md', before: paired('5511988880007'), instead: { 'after=evt_...&': '' } },
  { document: 'docs/operate.md' },
  // This one is last, because it makes the upstream forget everything.
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
    const places = {
      'https://api.example.com': base,
      $BASE_URL: base,
      'localhost:3000': base.replace('http://', ''),
      'localhost:3002': `127.0.0.1:${ports['sandboxPort']}`,
      '127.0.0.1:3002': `127.0.0.1:${ports['sandboxPort']}`,
    }
    const { calls, output } = await runGuide({
      document,
      before: `${FIELD}\nKEY=${tenant?.key}\n${before}`,
      instead: { ...instead, ...places },
      env: { DATA_DIR: dataDir, SANDBOX: 'on', PORT: '0' },
      refused,
      saved,
      without: STAYING,
    })
    t.true(calls.length > 0)
    const bad = calls.filter(
      ({ status, words }) =>
        status === 0 || (status >= 400 && !refused.some(([code, text]) => code === status && words.includes(text))),
    )
    t.deepEqual(bad, [], output.slice(-4000))
    if (said) t.regex(output, said)
    t.deepEqual(shownSecrets(output), [], 'a secret goes to a variable, not to the terminal')
    for (const [code, text] of refused)
      t.true(
        calls.some(({ status, words }) => code === status && words.includes(text)),
        `${code} ${text}`,
      )
  })
}

test.serial(
  'the metrics count what the guides did: messages, calls, waiting work, deliveries, and items that were set aside',
  async (t) => {
    const metrics = await (await fetch(`${t.context.service.base}/metrics`)).text()
    for (const line of [
      /^messages_total\{direction="OUTBOUND",status="SENT",code=""\} [1-9]/m,
      /^messages_total\{direction="INBOUND",status="RECEIVED",code=""\} [1-9]/m,
      /^calls_total\{direction="OUTBOUND",outcome="COMPLETED",code=""\} [1-9]/m,
      /^webhook_deliveries_total\{outcome="\w+"\} [1-9]/m,
      /^messages_waiting \d/m,
      /^messages_waiting_age_seconds \d/m,
      /^set_aside_items\{line="sends"\} 0$/m,
    ])
      t.true(line.test(metrics), String(line))
  },
)

/** The paths of the guides, from the root of the repository. */
const ALL = [
  'README.md',
  ...readdirSync(DOCS)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

function textOf(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
}

test('every guide with commands is followed, here or in a test of its own', (t) => {
  const followed = new Set(GUIDES.map(({ document }) => document))
  const alone = ALL.filter((guide) => /^```(?:sh|bash)$/m.test(textOf(guide)) && !followed.has(guide))
  t.deepEqual(alone.toSorted(), Object.keys(ELSEWHERE))
  for (const guide of alone) t.true(textOf(`test/${ELSEWHERE[guide]}`).includes(guide), guide)
})

test('no guide serves a folder to the network, least of all this one, which may contain keys', (t) => {
  const commands = ALL.flatMap(
    (guide) => textOf(guide).match(/python3? -m http\.server[^`\n]*|npx (?:serve|http-server)[^`\n]*/g) ?? [],
  )
  t.deepEqual(
    commands.filter((command) => !/ -d [a-z]/.test(command) || !command.includes(' -b 127.0.0.1')),
    [],
  )
})

/** Runs `npm run embed:example` with this environment. */
function example(env: Record<string, string>) {
  return spawn(process.execPath, ['tools/demo/embed-example.ts'], {
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

test('the example page contains the token and the address of the service, and nothing else is served', async (t) => {
  const child = example({ TOKEN: 'emb_abc', SERVICE: 'http://localhost:3999/x' })
  t.teardown(() => child.kill())
  const [said] = await once(child.stdout, 'data')
  const base = /http:\S+?(?=\/\n)/.exec(String(said))?.[0] ?? ''
  const page = await (await fetch(`${base}/`)).text()
  t.true(page.includes("token: 'emb_abc'") && page.includes('src="http://localhost:3999/embed.js"'))
  for (const path of ['/data/encryption-key', '/../package.json', '/package.json', '/?x'])
    t.is((await fetch(base + path)).status, 404, path)
  // The tour shows the same lines as the example.
  const [shown = ''] = /<div id="inbox">[^]*?(?=\n```)/.exec(textOf('docs/start.md')) ?? []
  t.true(
    page.includes(shown.replace('http://localhost:3000', 'http://localhost:3999').replace('emb_...', 'emb_abc')),
    shown,
  )
  // Only a server that listens on all addresses would answer on this one.
  await t.throwsAsync(once(connect({ host: '127.0.0.2', port: Number(new URL(base).port) }), 'connect'), {
    code: 'ECONNREFUSED',
  })
})

test('the example page without a token says what to do', async (t) => {
  const child = example({ TOKEN: '' })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  t.is(code, 1)
  t.regex(said, /POST \/v1\/embed\/sessions/)
})
