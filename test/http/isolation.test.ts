import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { Access, AccessBy } from '../../src/http/request/access.ts'
import type { Route } from '../../src/http/request/route.ts'
import type { WebSessionStore } from '../../src/ports/stores/web-session-store.ts'
import type { Stores } from '../../src/storage/stores.ts'
import type { RateLimiter } from '../../src/ports/rate-limiter.ts'
import { CALLER_KINDS, type CallerKind, type KindReach } from '../helpers/caller-kinds.ts'
import { OWN_PAGE } from '../helpers/dashboard.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { serve, type Client, type Reply } from '../helpers/http-app.ts'
import { openStoredWorld } from '../helpers/stored-world.ts'
import { servedRoutes, titleOf } from '../helpers/served-routes.ts'

const NUMBERS = ['own', 'other', 'foreign', 'malformed', 'none'] as const
/**
 * Which number a request names: the caller's own, another of the same account, one of another account, an invalid id,
 * or none.
 */
type Named = (typeof NUMBERS)[number]

const IN = 'let in'
const DENIED = '403 PERMISSION_DENIED'
const NOT_OF_NUMBER = '403 NUMBER_SCOPE_NOT_ALLOWED'
const NOT_OF_TENANT = '403 TENANT_SCOPE_NOT_ALLOWED'
const UNKNOWN = '404 NUMBER_NOT_FOUND'
const UNNAMED = '400 NUMBER_REQUIRED'
const OF_FLOWS = '422 FLOW_NUMBER_FROM_KEY'
const FORGED = '403 CSRF_REJECTED'

/** The answer for a caller to whom the route is not open, by the first kind of caller that it is open to. */
const STRANGE: Readonly<Record<AccessBy, string>> = {
  key: '401',
  grant: '401',
  session: '401',
  agent: '401',
  embed: '401 INVALID_TOKEN',
  link: '404',
  nobody: IN,
}

/** The expected answer for a number. An invalid id is expected to be answered like another account's number. */
type Expected = (of: Access['of'], named: Exclude<Named, 'malformed'>) => string

const isOfTenant = (of: Access['of']): boolean => ['tenant', 'numbers', 'pathNumber'].includes(of)
const isOfOne = (of: Access['of']): boolean => ['number', 'namedNumber', 'chosenNumber'].includes(of)

/**
 * The expected answers by the reach of a credential: [keys.scopes.3] [keys.scopes.4] [keys.credentials.3]
 * [webhooks.routes.10] [webhooks.routes.11] [leads.scope.5] [leads.scope.6] [oauth.tokens.6] [oauth.tokens.7]
 * [oauth.tokens.8] [oauth.tokens.9] [sessions.second-door.1] [rest.errors.4].
 */
const EXPECTED: Readonly<Record<KindReach, Expected>> = {
  'number key'(of, named) {
    if (isOfTenant(of)) return NOT_OF_NUMBER
    return named === 'own' || named === 'none' ? IN : UNKNOWN
  },
  'tenant key'(of, named) {
    if (of === 'number' || (of === 'namedNumber' && named === 'none')) return NOT_OF_TENANT
    if (of === 'chosenNumber' && named === 'none') return UNNAMED
    return named === 'foreign' ? UNKNOWN : IN
  },
  account(of, named) {
    if (named === 'none' && isOfOne(of)) return UNNAMED
    return named === 'foreign' ? UNKNOWN : IN
  },
  'one number'(of, named) {
    if (of === 'tenant') return NOT_OF_NUMBER
    if (named === 'none') return isOfTenant(of) ? IN : UNNAMED
    return named === 'own' ? IN : UNKNOWN
  },
}

interface Question {
  readonly route: Route
  readonly named: Named
  readonly expected: string
}

/**
 * The requests of one kind of caller to a route, with the expected answers. They follow from the route's access alone.
 */
function questionsOf(kind: CallerKind, route: Route): Question[] {
  const { by, of } = route.access
  const ask = (expected: string, named: Named = 'own'): Question[] => [{ route, named, expected }]
  if (of === 'service') return []
  if (kind.isForged) return by[0] === 'session' && route.method !== 'get' ? ask(FORGED) : []
  if (!by.some((one) => kind.is.includes(one))) {
    // Keys and grants share one check of credentials: it accepts a grant and only then refuses the route.
    if (by[0] === 'key' && kind.is.includes('grant')) return ask(DENIED)
    return kind.isVariant ? [] : ask(STRANGE[by[0]])
  }
  if (!isPermitted(kind, route)) return ask(DENIED)
  const { reach } = kind
  // The caller may always open what belongs to itself or to its link; no number is involved.
  if (reach === undefined || of === 'caller' || of === 'link') return []
  return NUMBERS.flatMap((named) => ask(EXPECTED[reach](of, named === 'malformed' ? 'foreign' : named), named))
}

function isPermitted({ permissions }: CallerKind, { permission, access: { of } }: Route): boolean {
  if (permissions === undefined) return true
  return permission === undefined ? of === 'caller' || of === 'link' : permissions.has(permission)
}

/** The answers of the access check. Any other answer means that the request passed it. */
const DOOR = new Set([DENIED, NOT_OF_NUMBER, NOT_OF_TENANT, UNKNOWN, UNNAMED, OF_FLOWS, FORGED])

function said({ status, body }: Reply): string {
  const door = body?.code === undefined ? String(status) : `${status} ${body.code}`
  return DOOR.has(door) || status === 401 || status === 405 || body?.code === 'ROUTE_NOT_FOUND' ? door : IN
}

/** The account's name, which only the holder of a valid link may see. */
const COMPANY = 'Acme of the isolation'

/**
 * Whether a reply is the expected one. Flows have a refusal of their own. Without a valid link a page may be shown, but
 * nothing of the account.
 */
function isAnswered({ route, expected }: Question, reply: Reply): boolean {
  if (expected === '404')
    return reply.status === 404
      ? reply.body?.code !== 'ROUTE_NOT_FOUND'
      : reply.status === 200 && !reply.text.includes(COMPANY)
  return said(reply) === (expected === UNNAMED && route.group === 'Flows' ? OF_FLOWS : expected)
}

class Asking {
  readonly #client: Client
  readonly #headers: Readonly<Record<string, string>>
  readonly #ids: Readonly<Record<Exclude<Named, 'none'>, string>>

  constructor(client: Client, ids: Readonly<Record<Exclude<Named, 'none'>, string>>, headers: Record<string, string>) {
    this.#client = client
    this.#ids = ids
    this.#headers = headers
  }

  /**
   * Sends the request. Its path names the number in question, or the own number when none is. The rest of the request
   * is invalid, so nothing happens after the access check, unless a body may name the number.
   */
  ask({ route, named }: Question): Promise<Reply> {
    const { of } = route.access
    const inPath = of === 'pathNumber' ? this.#ids[named === 'none' ? 'own' : named] : 'wh_01kb0000000000000000000000'
    const path = route.path
      .replace('{id}', inPath)
      .replace('{token}', 'self')
      .replaceAll(/\{\w+\}/g, '1037543291543636')
    const isNamed = named !== 'none' && of !== 'caller' && of !== 'link'
    return this.#client.send(route.method.toUpperCase(), path, {
      // These headers are always valid, so that no request is refused for lack of them.
      headers: {
        ...OWN_PAGE,
        'x-csrf-token': 'x',
        ...this.#headers,
        ...(isNamed ? { 'x-channel-number-id': this.#ids[named] } : {}),
      },
      ...(route.method === 'get' ? {} : { body: of === 'chosenNumber' || of === 'link' ? {} : '{broken' }),
    })
  }
}

/** This test is not about rate limits. */
const UNLIMITED = { isAllowed: true, limit: 1, remaining: 1, resetSeconds: 0, retryAfterSeconds: 0 }
const unlimited: RateLimiter = { take: async () => UNLIMITED, peek: async () => UNLIMITED }

const database = sharedDatabase(test, openTestDatabase)
const routes = servedRoutes()
const ends: (() => unknown)[] = []
let opened: ReturnType<typeof open> | null = null

/** Remembers proofs of sessions, because no session ends here and 1,500 requests would look each of them up. */
function rememberSessions({ webSessions }: Pick<Stores, 'webSessions'>): void {
  const proved = new Map<string, ReturnType<WebSessionStore['prove']>>()
  const prove = webSessions.prove.bind(webSessions)
  webSessions.prove = (secret) => {
    const proving = proved.get(secret) ?? prove(secret)
    proved.set(secret, proving)
    return proving
  }
}

/** One application for all kinds of callers. Refused requests change nothing, and accepted ones are invalid. */
async function open() {
  const world = await openStoredWorld(database())
  rememberSessions(world.stores)
  const served = { teardown: (end: () => unknown) => void ends.push(end) }
  const client = await serve(served, world, { limiter: unlimited, nodeLimiter: unlimited })
  await client.send('PUT', '/v1/branding', { key: world.tenantKey.raw, body: { companyName: COMPANY } })
  const { number: other } = await world.addNumber(world.tenantId)
  return {
    world,
    client,
    ids: { own: world.number.id, other: other.id, foreign: (await world.addForeign()).id, malformed: 'x' },
  }
}

test.after.always(async () => {
  for (const end of ends) await end()
})

async function matrixOf(t: ExecutionContext, kind: CallerKind): Promise<void> {
  const { world, client, ids } = await (opened ??= open())
  const asking = new Asking(client, ids, await kind.headersOf(world, client))
  const faults: string[] = []
  const asked = world.directory.asked.length
  for (const route of routes) {
    const questions = questionsOf(kind, route)
    const replies = await Promise.all(questions.map((question) => asking.ask(question)))
    for (const [at, reply] of replies.entries()) {
      const question = questions[at] as Question
      const told = `${titleOf(route)}, ${question.named} number: ${reply.status} ${reply.body?.code}`
      if (!isAnswered(question, reply)) faults.push(`${told}, expected ${question.expected}`)
      else if (reply.status >= 400 && question.expected !== IN && !isWhole(reply))
        faults.push(`${told}, not in the form of a refusal`)
    }
  }
  t.deepEqual(faults, [])
  if (kind.reach === undefined) t.is(world.directory.asked.length, asked, 'no device is asked for strangers')
}

function isWhole({ body, headers }: Reply): boolean {
  return typeof body?.error === 'string' && headers.get('x-request-id') !== null
}

for (const [name, kind] of Object.entries(CALLER_KINDS))
  test.serial(`${name} opens the routes that admit it, and no other account's numbers`, (t) => matrixOf(t, kind))

test('the table covers every kind of caller that a route may name, and every route is refused to some caller', (t) => {
  const kinds = Object.values(CALLER_KINDS)
  const named = new Set(routes.flatMap(({ access }) => access.by))
  t.deepEqual(
    [...named].filter((by) => by !== 'nobody' && !kinds.some(({ is }) => is.includes(by))),
    [],
  )
  const open = routes.filter((route) =>
    kinds.every((kind) => questionsOf(kind, route).every(({ expected }) => expected === IN)),
  )
  t.deepEqual(open.filter(({ access }) => access.of !== 'service').map(titleOf), [])
})

test('every route that is open to grants or sessions names the permission that it needs', (t) => {
  const silent = routes.filter(({ access, permission }) => isOfTenant(access.of) && permission === undefined)
  t.deepEqual(silent.map(titleOf), [])
})
