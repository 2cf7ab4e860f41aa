/**
 * Compares tools and tokens with the routes behind them, on the real gateway, in turns in the same run. Needs
 * PostgreSQL (bench/programs.ts).
 *
 *   node bench/tools/bench.ts [seconds a turn] [people whose logins are timed, nine tries each]
 */
import { load, report, type Ask, type Turn } from '../load.ts'
import { insertCall } from '../stored-call.ts'
import { install, postJson, type Server } from '../programs.ts'
import { measureLogins, TRIES_OF_ACCOUNT } from './logins.ts'
import { ConsentingBrowser } from '../../test/helpers/consenting-browser.ts'
import { ACCEPT, ENVELOPE } from '../../test/helpers/tool-client.ts'

const SECONDS = Number(process.argv[2] ?? 5)
const PEOPLE = Number(process.argv[3] ?? 1)
const TURNS = 3
const JSON_BODY = { ...ACCEPT, 'content-type': 'application/json' }

/** Invites a person, who accepts and chooses a password; resolves to the e-mail address. */
async function person(url: string, tenantKey: string, index: number): Promise<string> {
  const { email, inviteUrl } = await postJson(
    `${url}/v1/users`,
    { email: `ann.${index}@example.com`, role: 'AGENT' },
    { 'x-api-key': tenantKey },
  )
  await postJson(
    `${url}/api/invitations/accept`,
    { token: new URL(inviteUrl).hash.slice(1), password: 'four words put together' },
    { 'sec-fetch-site': 'same-origin' },
  )
  return email
}

/** Compares reads with and without logins at the same time. */
async function compareLogins(gateway: Server, read: Ask, emails: readonly string[]): Promise<void> {
  const { aloneP99, amongP99, amongMax, hashed, busy, unknownP50, wrongP50 } = await measureLogins(
    gateway,
    read,
    emails,
    2 * SECONDS,
  )
  console.log(
    `reads while 20 logins a second arrive: p99 ${amongP99.toFixed(1)} ms against ${aloneP99.toFixed(1)} ms alone, ${(amongP99 / aloneP99).toFixed(2)} (target 2), longest ${amongMax.toFixed(0)} ms (target 50); ${hashed} hashed, ${busy} BUSY`,
  )
  console.log(
    `a login: unknown ${unknownP50.toFixed(0)} ms, wrong ${wrongP50.toFixed(0)} ms (medians of ${emails.length * TRIES_OF_ACCOUNT} each)`,
  )
}

/** One request of protocol revision 2025-06-18, repeated. */
function earlier(headers: Readonly<Record<string, string>>, method: string, params: object): Ask {
  return {
    path: '/mcp',
    headers: { ...JSON_BODY, ...headers },
    bodies: [JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })],
  }
}

/** The same request of revision 2026-07-28. */
function current(
  headers: Readonly<Record<string, string>>,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Ask {
  const named = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}
  return {
    path: '/mcp',
    headers: { ...JSON_BODY, ...headers, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...named },
    bodies: [JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: ENVELOPE } })],
  }
}

async function compare(gateway: Server, what: string, ours: Ask, theirs: Ask, target: string): Promise<void> {
  const [ourTurns, theirTurns]: [Turn[], Turn[]] = [[], []]
  for (let i = 0; i < TURNS; i++) {
    theirTurns.push(await load(gateway, theirs, SECONDS))
    ourTurns.push(await load(gateway, ours, SECONDS))
  }
  report(what, ourTurns, theirTurns, target)
  const p50 = (turns: readonly Turn[]) =>
    turns.map((turn) => turn.p50).toSorted((a, b) => a - b)[Math.floor(turns.length / 2)] ?? 0
  console.log(`ratio of p50: ${(p50(ourTurns) / p50(theirTurns)).toFixed(2)}`)
}

const { gateway, tenantKey, databaseUrl, close } = await install('postgres', { REQUESTS_PER_MINUTE: '10000000' })
try {
  const url = `http://127.0.0.1:${gateway.port}`
  const { apiKey, id } = await postJson(
    `${url}/v1/numbers`,
    { name: 'Bench', number: '5511988887777' },
    { 'x-api-key': tenantKey },
  )
  const callId = await insertCall(databaseUrl ?? '')
  const browser = await ConsentingBrowser.signIn(`http://localhost:${gateway.port}`, tenantKey)
  const granted = { channelNumberIds: [id as string] }
  const ofRoutes = await browser.grant('v1', 'calls:read', granted)
  const ofTools = await browser.grant('mcp', 'calls:read', granted)

  const byKey: Ask = { path: `/v1/calls/${callId}`, headers: { 'x-api-key': apiKey.key as string } }
  const byToken: Ask = {
    path: byKey.path,
    headers: { authorization: `Bearer ${ofRoutes.accessToken}`, 'x-channel-number-id': id as string },
  }
  const call = { name: 'call_get', arguments: { callId } }
  const toolByToken = { authorization: `Bearer ${ofTools.accessToken}` }
  await load(gateway, byKey, SECONDS)
  await load(gateway, byToken, SECONDS)
  await load(gateway, current(byKey.headers, 'tools/call', call), SECONDS)
  await compare(gateway, 'GET /v1/calls/{id} by token, against by key', byToken, byKey, '0.90')
  await compare(
    gateway,
    'call_get (2026-07-28) by key, against its route',
    current(byKey.headers, 'tools/call', call),
    byKey,
    '0.50',
  )
  await compare(
    gateway,
    'call_get (2025-06-18) by key, against its route',
    earlier(byKey.headers, 'tools/call', call),
    byKey,
    '0.50',
  )
  await compare(
    gateway,
    'call_get (2026-07-28) by token, against its route by token',
    current(toolByToken, 'tools/call', call),
    byToken,
    '0.50',
  )
  for (const [revision, ask] of [
    ['2026-07-28', current(byKey.headers, 'tools/list', {})],
    ['2025-06-18', earlier(byKey.headers, 'tools/list', {})],
  ] as const) {
    const { perSecond, p50, p99 } = await load(gateway, ask, SECONDS)
    console.log(`tools/list (${revision}): ${perSecond.toFixed(0)}/s (target 500), p50 ${p50} ms, p99 ${p99} ms`)
  }
  const emails: string[] = []
  while (emails.length < PEOPLE) emails.push(await person(url, tenantKey, emails.length))
  await compareLogins(gateway, byKey, emails)
} finally {
  await close()
}
