/**
 * Measures templates: checking a carousel of ten cards; importing 6,000; a page of 100 of them against a bare Koa route
 * with one bare query; and accepted sends of a template per second against sends of a text, in turns in the same run.
 * Needs PostgreSQL (bench/programs.ts).
 *
 *   node bench/templates/bench.ts [seconds a turn]
 */
import { readFileSync } from 'node:fs'
import { readTemplateBody } from '../../src/domain/template-form.ts'
import type { RuleSubject } from '../../src/domain/template-rule.ts'
import { checkTemplate } from '../../src/domain/template-rules.ts'
import { load, report, type Ask, type Turn } from '../load.ts'
import { at, install, median, postJson, startServer, stopServer, type Installation, type Server } from '../programs.ts'

const SECONDS = Number(process.argv[2] ?? 5)
const TURNS = 3
const CHECKS = 2_000
/** The upstream's limit of templates per account. */
const TEMPLATES = 6_000
const RECIPIENTS = 2_000

function checkCarousel(): void {
  const card = {
    media: { url: 'https://cdn.shop.io/a.png' },
    body: { text: `Only {{price}} ${'of words '.repeat(15)}today` },
    buttons: [
      { type: 'URL', text: 'Buy', url: 'https://shop.io/{{1}}' },
      { type: 'QUICK_REPLY', text: 'Later' },
    ],
  }
  const given = {
    body: `Hi {{name}}, ${'look at this, '.repeat(70)}bye`,
    carousel: { cards: Array.from({ length: 10 }, () => card) },
  }
  const examples = Object.fromEntries(
    ['name', 'price', '1', ...Array.from({ length: 10 }, (_, n) => `card_${n + 1}_button_1`)].map((key) => [key, 'x']),
  )
  const times = Array.from({ length: CHECKS }, () => {
    const startMs = performance.now()
    const { body, strays } = readTemplateBody(given)
    const subject: RuleSubject = {
      source: 'OFFICIAL',
      category: 'MARKETING',
      body,
      strays,
      examples,
      hosts: { isAllowed: () => false, isForbidden: () => false },
      flowStatusOf: () => null,
      isKept: () => false,
    }
    const refusal = checkTemplate(subject)
    if (refusal) throw new Error(refusal.message)
    return performance.now() - startMs
  }).toSorted((one, other) => one - other)
  console.log(
    `check of 10 cards with every rule: p50 ${at(times, 0.5).toFixed(3)} ms (target 1), p99 ${at(times, 0.99).toFixed(3)} ms`,
  )
}

interface BenchAccount {
  readonly key: string
  readonly accountId: string
}

/** Connects a number whose account has TEMPLATES templates, one of them to send. */
async function connect({ gateway, tenantKey }: Installation): Promise<BenchAccount> {
  const control = `http://127.0.0.1:${gateway.sandboxPort}/control/official`
  const seeded = await postJson(`${control}/numbers`, { number: '5511977770000' })
  const { apiKey } = await postJson(
    `http://127.0.0.1:${gateway.port}/v1/numbers/official`,
    {
      name: 'Bench',
      number: seeded.number,
      officialPhoneId: seeded.phoneId,
      officialAccountId: seeded.accountId,
      officialAccessToken: seeded.accessToken,
      officialAppId: seeded.appId,
      officialAppSecret: seeded.appSecret,
    },
    { 'x-api-key': tenantKey },
  )
  await postJson(`${control}/templates`, {
    accountId: seeded.accountId,
    name: 'order_sent',
    language: 'pt_BR',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['7'] } },
      {
        type: 'BODY',
        text: 'Hi {{1}}, your order {{2}} is on its way to {{3}}.',
        example: { body_text: [['Ana', '7', 'Rio']] },
      },
      {
        type: 'BUTTONS',
        buttons: [{ type: 'URL', text: 'Track', url: 'https://shop.io/{{1}}', example: ['https://shop.io/7'] }],
      },
    ],
  })
  await postJson(`${control}/templates/seed`, { count: TEMPLATES - 1, account: seeded.accountId })
  return { key: apiKey.key, accountId: seeded.accountId }
}

/** The most memory that the process has used, in MB (proc(5): VmHWM). */
function peakMegabytes({ child }: Server): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024
}

async function importAll({ gateway }: Installation, { key }: BenchAccount): Promise<void> {
  const beforeMb = peakMegabytes(gateway)
  const startMs = performance.now()
  const { total } = await postJson(`http://127.0.0.1:${gateway.port}/v1/templates/sync`, {}, { 'x-api-key': key })
  const seconds = (performance.now() - startMs) / 1_000
  if (total !== TEMPLATES) throw new Error(`${total} templates were listed`)
  console.log(
    `import of ${total}: ${(total / seconds).toFixed(0)}/s (target 300), peak memory ${beforeMb.toFixed(0)} -> ${peakMegabytes(gateway).toFixed(0)} MB`,
  )
}

async function turnsOf(
  ours: () => Promise<Turn>,
  theirs: () => Promise<Turn>,
): Promise<{ readonly ours: Turn[]; readonly theirs: Turn[] }> {
  const done: { ours: Turn[]; theirs: Turn[] } = { ours: [], theirs: [] }
  await theirs()
  await ours()
  for (let i = 0; i < TURNS; i++) {
    done.theirs.push(await theirs())
    done.ours.push(await ours())
  }
  return done
}

async function list({ gateway, databaseUrl }: Installation, { key, accountId }: BenchAccount): Promise<void> {
  const bare = await startServer('templates/bare.ts', { BARE_DATABASE_URL: databaseUrl ?? '' })
  try {
    const { ours, theirs } = await turnsOf(
      () => load(gateway, { path: '/v1/templates?pageSize=100', headers: { 'x-api-key': key } }, SECONDS),
      () => load(bare, { path: `/${accountId}`, headers: {} }, SECONDS),
    )
    report(`GET /v1/templates, 100 of ${TEMPLATES}`, ours, theirs, '0.60')
  } finally {
    await stopServer(bare)
  }
}

/** Sends for a later time: they are accepted and not sent, so that only accepting is measured. */
function asks({ key }: BenchAccount): { readonly text: Ask; readonly template: Ask } {
  const deliverAt = new Date(Date.now() + 24 * 3_600_000).toISOString()
  const ask = (said: object): Ask => ({
    path: '/v1/messages/send',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    bodies: Array.from({ length: RECIPIENTS }, (_, index) =>
      JSON.stringify({ destinationNumber: String(5_511_990_000_009 + index * 10), deliverAt, ...said }),
    ),
  })
  return {
    text: ask({ text: 'Order 4711. Hi Ana, your order 4711 is on its way to São Paulo.' }),
    template: ask({
      templateId: 'order_sent',
      variables: { header_1: '4711', 1: 'Ana', 2: '4711', 3: 'São Paulo', button_1: '4711' },
    }),
  }
}

async function accept(installation: Installation, account: BenchAccount): Promise<void> {
  const { text, template } = asks(account)
  const { ours, theirs } = await turnsOf(
    () => load(installation.gateway, template, SECONDS),
    () => load(installation.gateway, text, SECONDS),
  )
  const of = (turns: readonly Turn[], pick: (turn: Turn) => number) => median(turns.map(pick))
  for (const [what, turns] of [
    ['template', ours],
    ['text', theirs],
  ] as const) {
    console.log(
      `accepted sends of a ${what}: ${of(turns, (one) => one.perSecond).toFixed(0)}/s, ${of(turns, (one) => one.cpuUs).toFixed(0)} us CPU, p99 ${of(turns, (one) => one.p99)} ms`,
    )
  }
  console.log(
    `template of text: ${(of(ours, (one) => one.perSecond) / of(theirs, (one) => one.perSecond)).toFixed(2)} (target 0.85), p99 ${(of(ours, (one) => one.p99) / of(theirs, (one) => one.p99)).toFixed(2)} x (target at most 2)`,
  )
}

checkCarousel()
const installation = await install('postgres', { LOG_LEVEL: 'warn' })
try {
  const account = await connect(installation)
  await importAll(installation, account)
  await list(installation, account)
  await accept(installation, account)
} finally {
  await installation.close()
}
