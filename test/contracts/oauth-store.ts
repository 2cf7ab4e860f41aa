import { randomBytes } from 'node:crypto'
import type { TestFn } from 'ava'
import type { NumberId, TenantId, UserId } from '../../src/domain/ids.ts'
import {
  ACCESS_TOKEN_MS,
  CODE_MS,
  GRANT_USED_MS,
  INTERACTION_MS,
  REFRESH_TOKEN_MS,
  REGISTRATIONS_PER_HOUR,
  UNUSED_CLIENT_MS,
  type Interaction,
} from '../../src/domain/oauth.ts'
import { permissionsOf, type Role } from '../../src/domain/permissions.ts'
import { decideChange, decideRemoval } from '../../src/domain/user-rules.ts'
import type { Allowed } from '../../src/ports/stores/oauth-store.ts'
import { newNumber, ownedNumber, type MakeWorld, type World } from './world.ts'

const ASKED: Omit<Interaction, 'expiresAt'> = {
  client: { clientId: 'client-1', name: 'Desk', uri: null },
  redirectUri: 'https://client.example/cb',
  state: 'st',
  scopes: ['chat:read', 'chat:send', 'numbers:manage'],
  resource: 'v1',
  codeChallenge: 'c'.repeat(43),
}
const OWNER = { isOwner: true }

function secret(): string {
  return randomBytes(32).toString('base64url')
}

/** Stores a request made in a browser. */
async function asked(world: World, fields: Partial<Interaction> = {}) {
  const [id, browser] = [secret(), secret()]
  await world.stores.oauthInteractions.begin(id, browser, { ...ASKED, ...fields })
  return { id, browser }
}

/** Makes a grant with an access token. */
async function granted(
  world: World,
  allowed: Pick<Allowed, 'tenantId'> & Partial<Allowed>,
  fields: Partial<Interaction> = {},
) {
  const { id, browser } = await asked(world, fields)
  const decided = await world.stores.oauthInteractions.allow(id, browser, {
    userId: null,
    scopes: ['chat:read', 'chat:send', 'numbers:manage'],
    numberIds: null,
    ...allowed,
  })
  if (decided.kind !== 'allowed') throw new Error(`the decision was ${decided.kind}`)
  const token = secret()
  await world.stores.oauthTokens.add(
    'access',
    token,
    { grantId: decided.grantId, payload: { clientId: 'client-1' } },
    ACCESS_TOKEN_MS / 1_000,
  )
  return { ...decided, token, prove: () => world.stores.accessTokens.prove(token, fields.resource ?? 'v1') }
}

async function person(world: World, tenantId: TenantId, role: Role): Promise<UserId> {
  const created = await world.stores.users.create(tenantId, { email: `${secret()}@example.com`, role, name: null })
  if (!created.ok) throw new Error(created.error.message)
  await world.stores.webSessions.open(
    { invitation: created.value.invitation.token, passwordHash: 'hash', name: null },
    { address: null, userAgent: null },
  )
  return created.value.user.id
}

async function numberOf(world: World, tenantId: TenantId): Promise<NumberId> {
  const made = await world.stores.numbers.create(newNumber(tenantId))
  if (!made.ok) throw new Error(made.error.message)
  return made.value.number.id
}

/** What every store of grants does. */
export function oauthStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [oauth.consent.7]
  test(`${name}: a consent request is decided once, in its browser, within ten minutes`, async (t) => {
    const world = makeWorld()
    const { tenantId } = await ownedNumber(world)
    const { oauthInteractions: store } = world.stores
    const one = await asked(world)
    t.deepEqual(await store.find(one.id, one.browser), {
      ...ASKED,
      expiresAt: new Date(world.clock.now() + INTERACTION_MS),
    })
    const allowed = { tenantId, userId: null, scopes: ['chat:read'], numberIds: null } as const
    for (const [id, browser] of [
      [one.id, secret()],
      [secret(), one.browser],
    ] as const) {
      t.is(await store.find(id, browser), null)
      t.is(await store.deny(id, browser), null)
      t.is((await store.allow(id, browser, allowed)).kind, 'unknown')
    }
    const kinds = (await Promise.all(Array.from({ length: 8 }, () => store.allow(one.id, one.browser, allowed)))).map(
      ({ kind }) => kind,
    )
    t.is(kinds.filter((kind) => kind === 'allowed').length, 1)
    t.is((await world.stores.grants.list(tenantId, null)).length, 1)
    const two = await asked(world)
    t.like(await store.deny(two.id, two.browser), { redirectUri: ASKED.redirectUri })
    t.is(await store.deny(two.id, two.browser), null)
    const late = await asked(world)
    world.clock.advance(INTERACTION_MS)
    t.is(await store.find(late.id, late.browser), null)
    t.is((await store.allow(late.id, late.browser, allowed)).kind, 'unknown')
  })

  test(`${name}: a grant for a number of another tenant is not made, and the question stays open`, async (t) => {
    const world = makeWorld()
    const [own, foreign] = [await ownedNumber(world), await ownedNumber(world)]
    const { id, browser } = await asked(world)
    const numberIds = [own.number.id, foreign.number.id]
    t.is(
      (
        await world.stores.oauthInteractions.allow(id, browser, {
          tenantId: own.tenantId,
          userId: null,
          scopes: ['chat:read'],
          numberIds,
        })
      ).kind,
      'foreign number',
    )
    t.deepEqual(await world.stores.grants.list(own.tenantId, null), [])
    t.is(
      (
        await world.stores.oauthInteractions.allow(id, browser, {
          tenantId: own.tenantId,
          userId: null,
          scopes: ['chat:read'],
          numberIds: [own.number.id],
        })
      ).kind,
      'allowed',
    )
  })

  // [oauth.endpoints.1]
  test(`${name}: codes and tokens are good once, for their time, and are kept as hashes`, async (t) => {
    const world = makeWorld()
    const { tenantId } = await ownedNumber(world)
    const { code, grantId, token } = await granted(world, { tenantId })
    const { oauthTokens: tokens } = world.stores
    t.like(await tokens.find('code', code), { grantId, isConsumed: false })
    t.is(await tokens.find('access', code), null)
    const rows = (await world.rawTable('oauth_tokens')) + (await world.rawTable('oauth_interactions'))
    for (const plain of [code, token]) t.false(rows.includes(plain))
    t.deepEqual((await Promise.all(Array.from({ length: 8 }, () => tokens.consume('code', code)))).filter(Boolean), [
      true,
    ])
    world.clock.advance(CODE_MS)
    t.like(await tokens.find('code', code), { isConsumed: true }, 'that it comes again is noticed, however late')
    const refresh = secret()
    t.true(await tokens.add('refresh', refresh, { grantId, payload: { a: 1 } }, REFRESH_TOKEN_MS / 1_000))
    t.deepEqual(await tokens.find('refresh', refresh), { grantId, payload: { a: 1 }, isConsumed: false })
    world.clock.advance(REFRESH_TOKEN_MS)
    t.is(await tokens.find('refresh', refresh), null)
    t.false(await tokens.consume('refresh', refresh))
    await tokens.remove('access', token)
    t.is(await tokens.find('access', token), null)
    const last = secret()
    t.true(await world.stores.grants.end(grantId))
    t.false(await world.stores.grants.end(grantId))
    t.true(await tokens.add('access', last, { grantId, payload: {} }, 60))
    t.is(await world.stores.accessTokens.prove(last, 'v1'), null, 'a grant that ended gives nothing any more')
    t.deepEqual(await world.stores.grants.list(tenantId, null), [])
    t.false(await world.stores.grants.endOwn(tenantId, null, grantId))
    const { grantId: taken } = await granted(world, { tenantId })
    t.true(await world.stores.grants.endOwn(tenantId, null, taken))
    t.false(await tokens.add('access', secret(), { grantId: taken, payload: {} }, 60))
  })

  test(`${name}: a token is proved for its resource, within its hour, with what it may do now`, async (t) => {
    const world = makeWorld()
    const { tenantId } = await ownedNumber(world)
    await world.setTenant(tenantId, { requestsPerMinute: 7 })
    const { token, grantId, prove } = await granted(world, { tenantId }, { resource: 'mcp' })
    const proved = await prove()
    t.like(proved, {
      grantId,
      clientId: 'client-1',
      tenantId,
      userId: null,
      numberIds: null,
      rolePermissions: permissionsOf('OWNER'),
      permissions: new Set(['chat:read', 'chat:send', 'numbers:manage']),
    })
    t.is(proved?.limits.requestsPerMinute, 7)
    t.deepEqual(await world.stores.accessTokens.find(grantId), proved)
    t.is(await world.stores.accessTokens.prove(token, 'v1'), null)
    for (const wrong of ['', `${token}A`, token.slice(1), '\0\ud800'])
      t.is(await world.stores.accessTokens.prove(wrong, 'mcp'), null)
    const used = async () => (await world.stores.grants.list(tenantId, null))[0]?.lastUsedAt
    const first = await used()
    t.deepEqual(first, new Date(world.clock.now()))
    world.clock.advance(GRANT_USED_MS - 1)
    await prove()
    t.deepEqual(await used(), first)
    world.clock.advance(1)
    await prove()
    t.deepEqual(await used(), new Date(world.clock.now()))
    world.clock.advance(ACCESS_TOKEN_MS - GRANT_USED_MS)
    t.is(await prove(), null)
  })

  // [people.permissions.11]
  test(`${name}: a grant follows the role of its person, is nothing while that person is disabled, and ends with it`, async (t) => {
    const world = makeWorld()
    const { tenantId } = await ownedNumber(world)
    await person(world, tenantId, 'OWNER')
    const userId = await person(world, tenantId, 'ADMIN')
    const { grantId, prove } = await granted(world, { tenantId, userId })
    const change = (patch: Parameters<typeof decideChange>[1]) =>
      world.stores.users.change(tenantId, userId, (standing) => decideChange(standing, patch, OWNER))
    t.deepEqual((await prove())?.permissions, new Set(['chat:read', 'chat:send', 'numbers:manage']))
    await change({ role: 'AGENT' })
    t.deepEqual((await prove())?.permissions, new Set(['chat:read', 'chat:send']))
    t.deepEqual((await prove())?.rolePermissions, permissionsOf('AGENT'))
    await change({ role: 'ANALYST' })
    t.deepEqual((await prove())?.permissions, new Set())
    await change({ status: 'DISABLED' })
    t.is(await prove(), null)
    t.is(await world.stores.grants.facts(grantId), null)
    await change({ status: 'ACTIVE' })
    t.truthy(await prove())
    await world.stores.users.remove(tenantId, userId, (standing) => decideRemoval(standing, OWNER))
    t.is(await prove(), null)
    t.deepEqual(await world.stores.grants.list(tenantId, null), [])
  })

  // [oauth.tokens.14]
  test(`${name}: a number that is removed leaves its grants, and the last one ends them`, async (t) => {
    const world = makeWorld()
    const { tenantId } = await ownedNumber(world)
    const numberIds = [await numberOf(world, tenantId), await numberOf(world, tenantId)] as const
    const { prove, grantId } = await granted(world, { tenantId, numberIds })
    t.deepEqual((await prove())?.numberIds, numberIds.toSorted())
    await world.stores.numbers.remove(tenantId, numberIds[0])
    t.deepEqual((await prove())?.numberIds, [numberIds[1]])
    await world.stores.numbers.remove(tenantId, numberIds[1])
    t.is(await prove(), null)
    t.is(await world.stores.grants.facts(grantId), null)
    t.deepEqual(await world.stores.grants.list(tenantId, null), [])
  })

  test(`${name}: grants are seen and ended by their tenant, or by their person alone`, async (t) => {
    const world = makeWorld()
    const [one, two] = [await ownedNumber(world), await ownedNumber(world)]
    const [ann, ben] = [await person(world, one.tenantId, 'OWNER'), await person(world, one.tenantId, 'AGENT')]
    const anns = await granted(world, { tenantId: one.tenantId, userId: ann })
    world.clock.advance(1)
    const bens = await granted(world, { tenantId: one.tenantId, userId: ben, numberIds: [one.number.id] })
    const foreign = await granted(world, { tenantId: two.tenantId })
    const ids = async (...whose: Parameters<World['stores']['grants']['list']>) =>
      (await world.stores.grants.list(...whose)).map(({ id }) => id)
    t.deepEqual(await ids(one.tenantId, null), [bens.grantId, anns.grantId])
    t.deepEqual(await ids(one.tenantId, ben), [bens.grantId])
    t.like((await world.stores.grants.list(one.tenantId, ben))[0], {
      user: { id: ben },
      numberIds: [one.number.id],
      client: ASKED.client,
      scopes: ['chat:read', 'chat:send', 'numbers:manage'],
      resource: 'v1',
      lastUsedAt: null,
    })
    t.false(await world.stores.grants.endOwn(one.tenantId, null, foreign.grantId))
    t.false(await world.stores.grants.endOwn(one.tenantId, ben, anns.grantId))
    t.true(await world.stores.grants.endOwn(one.tenantId, ben, bens.grantId))
    t.is(await bens.prove(), null)
    t.truthy(await anns.prove())
    t.true(await world.stores.grants.endOwn(one.tenantId, null, anns.grantId))
    t.truthy(await foreign.prove())
  })

  test(`${name}: an address registers twenty clients an hour, at once too, and their secrets are no texts of a row`, async (t) => {
    const world = makeWorld()
    const address = `2001:db8::${randomBytes(2).toString('hex')}`
    const register = (from = address) =>
      world.stores.oauthClients.register({ id: secret(), metadata: { client_name: 'Desk' } }, from)
    const outcomes = await Promise.all(Array.from({ length: REGISTRATIONS_PER_HOUR + 5 }, () => register()))
    t.is(outcomes.filter(Boolean).length, REGISTRATIONS_PER_HOUR)
    t.true(await register(`${address}:1`))
    world.clock.advance(3_600_000)
    t.true(await register())
    const id = secret()
    await world.stores.oauthClients.register({ id, metadata: { redirect_uris: ['https://a.example'] } }, `${address}:2`)
    t.deepEqual(await world.stores.oauthClients.find(id), { id, metadata: { redirect_uris: ['https://a.example'] } })
    t.is(await world.stores.oauthClients.find(secret()), null)
  })

  // [oauth.endpoints.13]
  test(`${name}: clients that no grant used for 30 days go, and grants that no token can use`, async (t) => {
    // A time long before the rows of other tests, which the purge would otherwise remove.
    const world = makeWorld(Date.UTC(2001, 0, 1))
    const { tenantId } = await ownedNumber(world)
    const [used, unused] = [secret(), secret()]
    for (const id of [used, unused]) await world.stores.oauthClients.register({ id, metadata: {} }, secret())
    const client = { clientId: used, name: 'Desk', uri: null }
    const kept = await granted(world, { tenantId }, { client })
    const refresh = secret()
    await world.stores.oauthTokens.add(
      'refresh',
      refresh,
      { grantId: kept.grantId, payload: {} },
      (2 * REFRESH_TOKEN_MS) / 1_000,
    )
    const dead = await granted(world, { tenantId }, { client })
    world.clock.advance(UNUSED_CLIENT_MS - 1)
    const fresh = secret()
    await world.stores.oauthTokens.add('access', fresh, { grantId: kept.grantId, payload: {} }, 3_600)
    t.truthy(await world.stores.accessTokens.prove(fresh, 'v1'))
    world.clock.advance(1)
    await world.stores.grants.purge()
    t.truthy(await world.stores.oauthClients.find(used))
    t.is(await world.stores.oauthClients.find(unused), null)
    t.deepEqual(
      (await world.stores.grants.list(tenantId, null)).map(({ id }) => id),
      [kept.grantId],
    )
    t.is(await world.stores.grants.facts(dead.grantId), null)
    t.truthy(await world.stores.oauthTokens.find('refresh', refresh))
  })
}
