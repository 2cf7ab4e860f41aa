import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import Koa from 'koa'
import type { CallCommandType } from '../../actors/call/messages.ts'
import type { Directory } from '../../actors/hosting/directory.ts'
import type { NumberCommandType } from '../../actors/number/messages.ts'
import { LocalBroadcast, LocalRateLimiter } from '../../src/cluster/local.ts'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { Outcome } from '../../src/domain/errors.ts'
import { newId } from '../../src/domain/ids.ts'
import type { TenantId } from '../../src/domain/ids.ts'
import { DEFAULT_SETTINGS } from '../../src/domain/number.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import { createLogoFiles } from '../../src/files/logo-files.ts'
import type { HttpMiddleware, RequestState } from '../../src/http/request/context.ts'
import { startHttp } from '../../src/http/listen.ts'
import { createKnownBrowsers } from '../../src/http/request/known-browsers.ts'
import { createHttpApp } from '../../src/http/server.ts'
import type { RestDeps } from '../../src/http/server.ts'
import { createCardHosts } from '../../src/net/card-hosts.ts'
import { createClientAddress } from '../../src/net/client-address.ts'
import { ScryptPasswords } from '../../src/process/passwords.ts'
import { createExchangeOpener } from '../../src/providers/official/flow/exchange-crypto.ts'
import { splitChanges } from '../../src/providers/official/inbound/changes.ts'
import { readLeadNotices } from '../../src/providers/official/inbound/lead-notices.ts'
import { isSignedBy } from '../../src/providers/official/inbound/signature.ts'
import type { DeviceOp } from '../../src/domain/device-ops.ts'
import { Turns } from '../../src/domain/turns.ts'
import type { UrlCheck, UrlFault } from '../../src/ports/url-check.ts'
import type { IssuedKey } from '../../src/ports/stores/key-store.ts'
import type { TemplateFileIds } from '../../src/ports/stores/template-store.ts'
import { FakeClock } from './fake-clock.ts'
import { ScriptedDeliveries } from './http-deliveries.ts'
import { MemoryLoginFailures } from './memory/login-failures.ts'
import { MemoryMessages, ScriptedFiles } from './http-memory-messages.ts'
import { OFFICIAL_FACTS, OfficialWorld } from './http-memory-official.ts'
import { nounsOf, numberAsks } from './http-nouns.ts'
import type { Changes, NounPorts } from './http-nouns.ts'
import { MemoryAccessTokens } from './memory/access-tokens.ts'
import { MemoryBranding } from './memory/branding.ts'
import { MemoryCalls } from './memory/calls.ts'
import { MemoryEmbedSessions } from './memory/embed-sessions.ts'
import { MemoryEvents } from './memory/events.ts'
import { MemoryFlowKeys } from './memory/flow-keys.ts'
import { MemoryFlowResponses, MemoryFlows } from './memory/flows.ts'
import { MemoryIdempotency } from './memory/idempotency.ts'
import { MemoryNumbers } from './memory/numbers.ts'
import { MemoryPairings } from './memory/pairings.ts'
import { MemoryRows } from './memory/rows.ts'
import { MemoryTemplates } from './memory/templates.ts'
import { MemoryUsers } from './memory/users.ts'
import { MemoryWebSessions } from './memory/web-sessions.ts'
import { MemoryWebhooks } from './memory/webhooks.ts'
import type { KnownMedia } from '../../src/ports/known-media.ts'
import { ScriptedTemplateFiles } from './scripted-templates.ts'
import { NO_INBOX } from './no-inbox.ts'
import { NO_LEADS } from './no-leads.ts'
import { NO_OAUTH } from './no-oauth.ts'
import { NO_REFERRALS } from './no-referrals.ts'
import { ask } from './patient-fetch.ts'
import { ScriptedPages } from './scripted-pages.ts'
import { noMetrics, silentLog } from './silent.ts'

type Askable = NumberCommandType | CallCommandType | DeviceOp

export interface Asked {
  readonly type: Askable
  readonly fields: any
}

type Script = { [T in Askable]?: (fields: any) => Outcome<any> | Promise<Outcome<any>> }

/** Answers by script and keeps what it was asked; what is not scripted is BUSY. */
export class ScriptedDirectory implements Directory {
  readonly asked: Asked[] = []
  script: Script = {}

  async askNumber(_: unknown, type: NumberCommandType, fields: any): Promise<Outcome<any>> {
    return this.#answer(type, fields)
  }

  /** Of what was asked, that which nobody waits for longer than a moment. */
  readonly told: NumberCommandType[] = []

  async tellNumber(_: unknown, type: NumberCommandType, fields: any): Promise<Outcome<any>> {
    this.told.push(type)
    return this.#answer(type, fields)
  }

  async askCall(_: unknown, __: unknown, type: CallCommandType, fields: any): Promise<Outcome<any>> {
    return this.#answer(type, fields)
  }

  async askDevice(_: unknown, op: DeviceOp, input: any): Promise<Outcome<any>> {
    return this.#answer(op, input)
  }

  readonly received: string[] = []

  async receive(numberId: string): Promise<void> {
    this.received.push(numberId)
  }

  /** Numbers woken for their queue. */
  readonly queued: string[] = []

  sendsQueued(numberId: string): void {
    this.queued.push(numberId)
  }

  /** Says of the latest request with a key that it takes too long. */
  late: () => void = () => {}

  async patiently<T>(work: () => Promise<T>, late: () => void): Promise<T> {
    this.late = late
    return await work()
  }

  async #answer(type: Askable, fields: any): Promise<Outcome<any>> {
    this.asked.push({ type, fields })
    return (await this.script[type]?.(fields)) ?? fail(refuse('BUSY', 'not scripted'))
  }
}

const VALUES = {
  baseUrl: 'http://localhost:3000',
  chatEmbedUrl: 'https://chat.example',
  connectEmbedUrl: 'https://connect.example',
  builtAssets: null,
  apiKeyIdAuth: true,
  isDashboardOn: true,
  mcpAllowedOrigins: [],
  callerCacheMs: 2_000,
  embedMaxAgeMs: 43_200_000,
  serviceName: 'Channel Messaging',
  sandboxUrl: null,
  clientAddress: createClientAddress([]),
  readiness: async () => ({
    ok: true,
    checks: { database: 'ok' },
    node: { nodeId: 'node_1', numbers: 0, liveCalls: 0, mediaHosts: [] },
  }),
  metricsText: async () => 'up 1\n',
}

/** Everything behind HTTP, in memory, with two tenants that each have a number. */
export class World {
  readonly clock = new FakeClock()
  readonly rows = new MemoryRows()
  readonly numbers = new MemoryNumbers(this.rows, this.clock)
  readonly keys = this.numbers.keys
  readonly calls = new MemoryCalls(this.rows, this.clock)
  readonly pairing = new MemoryPairings(this.rows, this.clock)
  readonly embedSessions = new MemoryEmbedSessions(this.rows, this.clock)
  readonly branding = new MemoryBranding(this.rows, this.clock)
  /** Tests of logos give their own. */
  readonly logos: RestDeps['logos'] = createLogoFiles('/nowhere', {
    work: async () => ({ ok: false, fault: 'crowded' }),
  })
  readonly uploadDirectory = join(tmpdir(), `cms-test-uploads-${process.pid}`)
  readonly idempotency = new MemoryIdempotency(this.clock)
  readonly events = new MemoryEvents(this.rows)
  readonly messages = new MemoryMessages(this.idempotency)
  readonly files = new ScriptedFiles()
  readonly known: KnownMedia[] = []
  readonly mediaKnown = (known: KnownMedia) => void this.known.push(known)
  readonly templates = new MemoryTemplates(this.rows, this.clock)
  readonly flows = new MemoryFlows(this.rows, this.clock)
  readonly flowResponses = new MemoryFlowResponses(this.rows, this.clock)
  readonly templatesWanted = () => {}
  readonly flowKeys = new MemoryFlowKeys(this.rows, this.clock, this.flows)
  readonly flowEndpoints = this.flowKeys
  readonly flowExchanges = this.flowKeys
  readonly openExchange = createExchangeOpener()
  readonly askEndpoint: RestDeps['askEndpoint'] = async () => ({ kind: 'failed', reason: 'not scripted' })
  readonly flowsWanted = () => {}
  readonly templateFiles = new ScriptedTemplateFiles()
  readonly cardHosts = createCardHosts([])
  /** Those of imported templates that upstream still shows, by the template's id. */
  readonly samples = new Map<string, TemplateFileIds>()
  readonly sampleFiles: NounPorts['sampleFiles'] = async (_number, { id, files }) =>
    succeed(this.samples.get(id) ?? files)
  readonly accessTokens = new MemoryAccessTokens()
  readonly webSessions = new MemoryWebSessions(this.rows, this.clock)
  readonly users = new MemoryUsers(this.rows, this.clock)
  /** Cheap ones: their rules are those of dear ones. */
  readonly passwords = new ScryptPasswords({ cost: { log2N: 4, r: 8, p: 1 } })
  readonly loginFailures = new MemoryLoginFailures(this.clock)
  readonly knownBrowsers = createKnownBrowsers({
    baseUrl: VALUES.baseUrl,
    secret: 'a secret of all nodes',
    clock: this.clock,
  })
  readonly webhooks = new MemoryWebhooks(this.rows, this.clock)
  readonly deliveries = new ScriptedDeliveries(this.webhooks)
  readonly official = new OfficialWorld(this.rows, this.numbers, this.clock)
  /** What the guard says of an address; asked ones are in `checkedUrls`. */
  urlFaults = new Map<string, UrlFault>()
  readonly checkedUrls: string[] = []
  readonly checkUrl: UrlCheck = async (url) => {
    this.checkedUrls.push(url)
    return this.urlFaults.get(url) ?? null
  }
  readonly pages = new ScriptedPages()
  readonly pageOf = this.pages.pageOf
  readonly readLeadNotices = readLeadNotices
  readonly pageVerifyToken = (appId: string) => `verify-${appId}`
  /** Who was woken for leads. */
  readonly woken: ('leads' | 'backfills')[] = []
  readonly leadsDue = () => void this.woken.push('leads')
  readonly backfillsDue = () => void this.woken.push('backfills')
  readonly directory = new ScriptedDirectory()
  readonly limiter = new LocalRateLimiter(this.clock)
  readonly nodeLimiter = new LocalRateLimiter(this.clock)
  readonly broadcast = new LocalBroadcast(silentLog)
  readonly log = silentLog
  readonly metrics = noMetrics
  readonly tenantId: TenantId = newId('ten')
  readonly otherTenantId: TenantId = newId('ten')
  readonly tenantKey: IssuedKey
  readonly otherTenantKey: IssuedKey
  readonly number: ChannelNumber
  readonly numberKey: IssuedKey
  readonly foreignNumber: ChannelNumber
  readonly foreignKey: IssuedKey

  constructor() {
    this.numbers.plan = 'self-hosted'
    this.messages.isCurrent = (message) => this.templates.isCurrent(message) && this.flows.isCurrent(message)
    this.keys.answers = this.idempotency
    this.users.keepSession = (...kept) => this.webSessions.keep(...kept)
    this.keys.sessions = this.webSessions
    this.keys.requestsPerMinute = 10_000
    this.keys.sendsPerMinute = 10_000
    for (const [id, name] of [
      [this.tenantId, 'Acme'],
      [this.otherTenantId, 'Umbrella'],
    ] as const)
      this.rows.tenants.set(id, { name })
    this.tenantKey = this.keys.issue(this.tenantId, null)
    this.otherTenantKey = this.keys.issue(this.otherTenantId, null)
    const own = this.addNumber(this.tenantId, '5511988887777')
    const foreign = this.addNumber(this.otherTenantId, '5511977776666')
    this.number = own.number
    this.numberKey = own.key
    this.foreignNumber = foreign.number
    this.foreignKey = foreign.key
  }

  addNumber(
    tenantId: TenantId,
    digits: string,
    fields: Partial<ChannelNumber> = {},
  ): { number: ChannelNumber; key: IssuedKey } {
    const number: ChannelNumber = {
      id: newId('num'),
      tenantId,
      name: 'Front desk',
      number: digits,
      provider: 'UNOFFICIAL',
      state: 'OPEN',
      isFullyConnected: true,
      isPaired: true,
      pairingReason: null,
      settings: DEFAULT_SETTINGS,
      piiMode: 'STORE_INDEFINITE',
      piiRetentionDays: null,
      createdAt: new Date(0),
      updatedAt: new Date(0),
      ...fields,
    }
    this.numbers.rows.set(number.id, number)
    return { number, key: this.keys.issue(tenantId, number.id) }
  }

  /** A number of the official platform, connected. */
  addOfficial(digits: string = '5511966665555'): { number: ChannelNumber; key: IssuedKey } {
    const made = this.addNumber(this.tenantId, digits, { provider: 'OFFICIAL', official: OFFICIAL_FACTS })
    const { phoneId, accountId, appId } = OFFICIAL_FACTS
    this.official.store.secrets.set(made.number.id, {
      credentials: { phoneId, accountId, appId, accessToken: 'EAA', appSecret: 'app-secret' },
      verifyToken: 'verify-me',
    })
    return made
  }

  /** What stands in the world under the name of a port is that port. */
  deps(changes: Changes = {}): RestDeps {
    const ports = {
      ...this,
      ...NO_LEADS,
      ...NO_REFERRALS,
      ...NO_INBOX,
      ...NO_OAUTH,
      ...VALUES,
      ...this.official.ports(),
      ...numberAsks(this.directory),
      isSigned: isSignedBy,
      splitChanges,
    }
    // A test gives whole ports, though routes ask for parts of them.
    const nouns = nounsOf({ ...ports, ...(changes as object as Partial<NounPorts>) })
    return { ...ports, ...nouns, ...changes }
  }
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: any
}

export interface Request {
  readonly key?: string | undefined
  readonly headers?: Record<string, string>
  /** JSON, unless it is a text or bytes: those go as they are. */
  readonly body?: unknown
}

export interface Client {
  readonly url: string
  send(method: string, path: string, request?: Request): Promise<Reply>
}

/**
 * Our choice. All tests of a thread begin at once, and an application is 0.6 MB: a thousand of them are a fifth of the
 * CPU, for memory that is looked through.
 */
const turns = new Turns(16)
const served = new WeakSet<Pick<ExecutionContext<any>, 'teardown'>>()

/** Serves the real application over the world on a free port, until the test ends. */
export async function serve(
  t: Pick<ExecutionContext<any>, 'teardown'>,
  world: World,
  changes: Changes = {},
): Promise<Client> {
  await turnOf(t)
  return await serveApp(t, createHttpApp(world.deps(changes)))
}

/** A test that serves more than one has its turn already. */
async function turnOf(t: Pick<ExecutionContext<any>, 'teardown'>): Promise<void> {
  if (served.has(t)) return
  served.add(t)
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  void turns.run(() => {
    begun.resolve()
    return ended.promise
  })
  await begun.promise
  t.teardown(() => ended.resolve())
}

/** Serves middlewares on a free port, until the test ends. */
export function serveSteps(t: ExecutionContext<any>, steps: readonly HttpMiddleware[]): Promise<Client> {
  const app = new Koa<RequestState>()
  app.silent = true
  for (const step of steps) app.use(step)
  return serveApp(t, app)
}

/** How much longer requests of tests may take to come in: a machine with too much to do is no fault of theirs. */
export const PATIENCE = 30

async function serveApp(t: Pick<ExecutionContext<any>, 'teardown'>, app: Koa<RequestState>): Promise<Client> {
  const listener = await startHttp(app, { host: '127.0.0.1', port: 0, patience: PATIENCE })
  t.teardown(() => listener.close(0))
  return clientOf(`http://127.0.0.1:${listener.port}`)
}

/** Asks what is served at an address, without a trailing slash. */
export function clientOf(url: string): Client {
  return { url, send: (method, path, request = {}) => send(url + path, method, request) }
}

async function send(url: string, method: string, { key, headers = {}, body }: Request): Promise<Reply> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const sent = {
    ...(key ? { 'x-api-key': key } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }
  const told = await ask(url, method, sent, body === undefined || isRaw ? body : JSON.stringify(body))
  const isJson = told.headers.get('content-type')?.includes('json') && told.text !== ''
  return { ...told, body: isJson ? JSON.parse(told.text) : null }
}

/** A pairing code as an actor answers it. */
export const shownCode = succeed({ qr: '2@pairing-text', pairingCode: 'ABCD-1234', expiresInMs: 20_000 })
