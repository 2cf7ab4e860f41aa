import test from 'ava'
import { FAILED_AUTH_PER_MINUTE } from '../../src/domain/limits.ts'
import { LOGIN_FAILURES, LOGIN_LIMITS, LOGIN_WINDOW_MS } from '../../src/domain/user.ts'
import { createClientAddress } from '../../src/net/client-address.ts'
import { serve, type Client, type Reply } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { logIn, PASSWORD, person } from '../helpers/people.ts'

const OTHER = 'a password of somebody else'

/** Serves behind a proxy that names the client's address, so that a test can use many addresses. */
function serveProxied(t: Parameters<typeof serve>[0], world: World): Promise<Client> {
  return serve(t, world, { clientAddress: createClientAddress(['127.0.0.0/8', '::1']) })
}

function from(address: string, cookie?: string): Record<string, string> {
  return { 'x-forwarded-for': address, ...(cookie === undefined ? {} : { cookie }) }
}

/** The cookie that marks a browser as known, as the browser sends it back. */
function knownCookie(reply: Reply): string {
  return /cms_browser=[^;]+/.exec(reply.headers.get('set-cookie') ?? '')?.[0] ?? ''
}

/** Fails to log in to an account. Every ten attempts come from another address. */
async function failForAccount(client: Client, email: string, times: number, network: string): Promise<void> {
  for (let i = 0; i < times; i++) await logIn(client, email, OTHER, from(`${network}.${Math.floor(i / 10)}`))
}

test('one password sprayed over accounts fails 20 times a minute and address, of IPv6 a /64, and then is 429, many at once or one by one (security case 6)', async (t) => {
  const world = new World()
  const client = await serveProxied(t, world)
  const ann = await person(client, world, 'AGENT')
  const spray = (count: number, address: (i: number) => string) =>
    Promise.all(
      Array.from({ length: count }, (_, i) => logIn(client, `somebody.${i}@example.com`, OTHER, from(address(i)))),
    )
  for (const address of [() => '203.0.113.1', (i: number) => `2001:db8:1:2::${i.toString(16)}`]) {
    const tries = await spray(95, address)
    t.is(tries.filter(({ status }) => status === 401).length, FAILED_AUTH_PER_MINUTE)
    const refused = tries.filter(({ status }) => status === 429)
    t.is(refused.length, 95 - FAILED_AUTH_PER_MINUTE)
    for (const { headers } of refused) t.is(headers.get('retry-after'), '60')
  }
  t.is((await logIn(client, ann.email, PASSWORD, from('203.0.113.1'))).status, 429, 'the right one, too')
  t.is((await logIn(client, ann.email, PASSWORD, from('2001:db8:1:3::1'))).status, 200)
  world.clock.advance(60_000)
  t.is((await logIn(client, ann.email, PASSWORD, from('203.0.113.1'))).status, 200)
})

test('beside a flood of wrong logins from a few addresses no honest one is 503 (security case 7)', async (t) => {
  const world = new World()
  const client = await serveProxied(t, world)
  const people = [await person(client, world, 'AGENT'), await person(client, world, 'AGENT')]
  const flood = Array.from({ length: 90 }, (_, i) =>
    logIn(client, `somebody.${i}@example.com`, OTHER, from(`203.0.113.${i % 3}`)),
  )
  // An address may try ten logins at once, because attempts in progress count as failed.
  const honest = await Promise.all(
    people.flatMap(({ email }) =>
      Array.from({ length: LOGIN_FAILURES.ofAddress }, () => logIn(client, email, PASSWORD, from('198.51.100.7'))),
    ),
  )
  t.deepEqual(new Set(honest.map(({ status }) => status)), new Set([200]))
  t.deepEqual(new Set((await Promise.all(flood)).map(({ status }) => status)), new Set([401, 429]))
})

test('a browser that signed in to the account before is let in, whatever strangers do to the account or from its address', async (t) => {
  const world = new World()
  const client = await serveProxied(t, world)
  const ann = await person(client, world, 'AGENT')
  const cookie = knownCookie(await logIn(client, ann.email, PASSWORD, from('203.0.113.1')))
  await failForAccount(client, ann.email, LOGIN_FAILURES.ofAccount, '198.51.100')
  for (let i = 0; i < FAILED_AUTH_PER_MINUTE; i++)
    await logIn(client, `somebody.${i}@example.com`, OTHER, from('203.0.113.1'))
  t.is((await logIn(client, ann.email, PASSWORD, from('203.0.113.1'))).status, 429)
  t.is((await logIn(client, ann.email, PASSWORD, from('203.0.113.1', cookie))).status, 200)
})

test('a browser that is known guesses by itself as often as an address does, and is known for its own account alone', async (t) => {
  const world = new World()
  const client = await serveProxied(t, world)
  const [ann, bob] = [await person(client, world, 'AGENT'), await person(client, world, 'AGENT')]
  const cookie = knownCookie(await logIn(client, ann.email, PASSWORD, from('203.0.113.1')))
  for (let i = 0; i < LOGIN_FAILURES.ofAddress; i++)
    t.is((await logIn(client, ann.email, OTHER, from(`203.0.113.${i}`, cookie))).status, 401)
  t.is((await logIn(client, ann.email, PASSWORD, from('203.0.113.99', cookie))).status, 429)
  t.is((await logIn(client, ann.email, PASSWORD, from('203.0.113.1'))).status, 200, 'its failures lock nobody else out')
  await failForAccount(client, bob.email, LOGIN_FAILURES.ofAccount, '198.51.100')
  const [name = '', until = '', proof = ''] = cookie.split('=')[1]?.split('.') ?? []
  const forged = [
    cookie,
    `cms_browser=${name}.${until.replace(/^./, '9')}.${proof}`,
    `cms_browser=${'A'.repeat(22)}.${until}.${proof}`,
    `${cookie}; ${cookie}`,
    'cms_browser=',
  ]
  for (const one of forged) t.is((await logIn(client, bob.email, PASSWORD, from('203.0.113.2', one))).status, 429, one)
})

test('a browser is forgotten after 90 days in which nobody signed in with it', async (t) => {
  const world = new World()
  const client = await serveProxied(t, world)
  const ann = await person(client, world, 'AGENT')
  const cookie = knownCookie(await logIn(client, ann.email))
  world.clock.advance(90 * 86_400_000)
  await failForAccount(client, ann.email, LOGIN_FAILURES.ofAccount, '198.51.100')
  t.is((await logIn(client, ann.email, PASSWORD, from('203.0.113.1', cookie))).status, 429)
})

test('the wait of an account grows from minutes to hours while somebody goes on guessing', async (t) => {
  const world = new World()
  const client = await serveProxied(t, world)
  const ann = await person(client, world, 'AGENT')
  const waits: number[] = []
  for (let round = 0; round < 3; round++) {
    await failForAccount(client, ann.email, LOGIN_FAILURES.ofAccount, `198.51.${round}`)
    const refused = await logIn(client, ann.email, PASSWORD, from('203.0.113.1'))
    t.is(refused.status, 429)
    waits.push(Number(refused.headers.get('retry-after')) * 1_000)
    world.clock.advance(LOGIN_WINDOW_MS)
  }
  const [first, second] = LOGIN_LIMITS.ofAccount
  t.deepEqual(waits, [first.withinMs, second.withinMs - LOGIN_WINDOW_MS, second.withinMs - 2 * LOGIN_WINDOW_MS])
})
