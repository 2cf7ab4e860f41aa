import type { TestFn } from 'ava'
import type { KeyId } from '../../src/domain/ids.ts'
import {
  LOGIN_TOKEN_MS,
  MOST_SESSIONS,
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
  SESSION_SEEN_MS,
} from '../../src/domain/web-session.ts'
import type { SessionProof } from '../../src/ports/stores/web-session-store.ts'
import { ownedNumber, type MakeWorld, type World } from './world.ts'

const FROM = { address: '203.0.113.9', userAgent: 'Browser/1' }

async function keyedTenant(world: World, name = 'Acme') {
  const { tenantId, key } = await world.stores.tenants.create(name)
  const caller = await world.stores.keys.authenticateKey(key)
  if (!caller) throw new Error("the new key is nobody's")
  return { tenantId, proof: { keyId: caller.id as KeyId } }
}

async function opened(world: World, proof: SessionProof) {
  const made = await world.stores.webSessions.open(proof, FROM)
  if (!made) throw new Error('no session was opened')
  return made
}

/** What every WebSessionStore does. */
export function webSessionStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a session is proved by its secret alone, and each has a secret and a CSRF token of its own`, async (t) => {
    const world = makeWorld()
    const { tenantId, proof } = await keyedTenant(world)
    const { session, secret } = await opened(world, proof)
    const now = new Date(world.clock.now())
    t.regex(secret, /^[\w-]{43}$/)
    t.like(session, {
      tenantId,
      tenantName: 'Acme',
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(world.clock.now() + SESSION_MAX_MS),
      ...FROM,
    })
    t.deepEqual(await world.stores.webSessions.prove(secret), session)
    const other = await opened(world, proof)
    t.is(
      new Set([secret, session.id, session.csrfToken, other.secret, other.session.id, other.session.csrfToken]).size,
      6,
    )
    for (const wrong of [session.id, session.csrfToken, secret.slice(1), `${secret}A`, '', '\0\ud800'])
      t.is(await world.stores.webSessions.prove(wrong), null)
  })

  test(`${name}: the roles of sessions are those of live ones alone`, async (t) => {
    const world = makeWorld()
    const { tenantId, proof } = await keyedTenant(world)
    const [one, other] = [await opened(world, proof), await opened(world, proof)]
    const ids = [one.session.id, other.session.id]
    t.deepEqual(await world.stores.webSessions.roles(ids), new Map(ids.map((id) => [id, 'OWNER' as const])))
    await world.stores.webSessions.end(tenantId, one.session.id)
    t.deepEqual([...(await world.stores.webSessions.roles(ids)).keys()], [other.session.id])
    world.clock.advance(SESSION_IDLE_MS)
    t.is((await world.stores.webSessions.roles(ids)).size, 0)
    t.is((await world.stores.webSessions.roles([])).size, 0)
  })

  test(`${name}: a session ends 12 hours after it was seen last, and 7 days after it was opened`, async (t) => {
    const world = makeWorld()
    const { tenantId, proof } = await keyedTenant(world)
    const { session, secret } = await opened(world, proof)
    const { secret: idle } = await opened(world, proof)
    world.clock.advance(SESSION_IDLE_MS - 1)
    t.like(await world.stores.webSessions.prove(secret), { lastSeenAt: new Date(world.clock.now()) })
    world.clock.advance(1)
    t.is(await world.stores.webSessions.prove(idle), null)
    t.deepEqual(
      (await world.stores.webSessions.list(tenantId)).map(({ id }) => id),
      [session.id],
    )
    while (world.clock.now() < session.expiresAt.getTime() - 1) {
      world.clock.advance(Math.min(SESSION_IDLE_MS / 2, session.expiresAt.getTime() - 1 - world.clock.now()))
      t.like(await world.stores.webSessions.prove(secret), { id: session.id })
    }
    world.clock.advance(1)
    t.is(await world.stores.webSessions.prove(secret), null)
    t.deepEqual(await world.stores.webSessions.list(tenantId), [])
  })

  test(`${name}: when a session was seen is noted once a minute`, async (t) => {
    const world = makeWorld()
    const { tenantId, proof } = await keyedTenant(world)
    const { session, secret } = await opened(world, proof)
    world.clock.advance(SESSION_SEEN_MS - 1)
    t.deepEqual(await world.stores.webSessions.prove(secret), session)
    world.clock.advance(1)
    const lastSeenAt = new Date(world.clock.now())
    t.deepEqual(await world.stores.webSessions.prove(secret), { ...session, lastSeenAt })
    t.deepEqual(await world.stores.webSessions.list(tenantId), [{ ...session, lastSeenAt }])
  })

  test(`${name}: sessions are listed to their tenant, newest first, and ended by it alone, once`, async (t) => {
    const world = makeWorld()
    const [one, two] = [await keyedTenant(world), await keyedTenant(world)]
    const older = await opened(world, one.proof)
    world.clock.advance(1)
    const newer = await opened(world, one.proof)
    const foreign = await opened(world, two.proof)
    t.deepEqual(
      (await world.stores.webSessions.list(one.tenantId)).map(({ id }) => id),
      [newer.session.id, older.session.id],
    )
    t.false(await world.stores.webSessions.end(one.tenantId, foreign.session.id))
    t.false(await world.stores.webSessions.end(one.tenantId, "' or 1=1\0"))
    t.true(await world.stores.webSessions.end(one.tenantId, older.session.id))
    t.false(await world.stores.webSessions.end(one.tenantId, older.session.id))
    t.is(await world.stores.webSessions.prove(older.secret), null)
    t.like(await world.stores.webSessions.prove(newer.secret), { id: newer.session.id })
    t.like(await world.stores.webSessions.prove(foreign.secret), { tenantId: two.tenantId })
    world.clock.advance(SESSION_IDLE_MS)
    t.false(await world.stores.webSessions.end(one.tenantId, newer.session.id), 'one that is over')
  })

  test(`${name}: with the tenant's key all its sessions are over, whoever replaces it, and no others`, async (t) => {
    const world = makeWorld()
    const [one, two] = [await keyedTenant(world), await ownedNumber(world)]
    const { secret } = await opened(world, one.proof)
    const token = await world.stores.webSessions.mintLoginToken(two.tenantId)
    const foreign = await opened(world, { loginToken: token ?? '' })
    await world.stores.keys.rotateNumberKey(two.tenantId, two.number.id)
    t.not(await world.stores.webSessions.prove(foreign.secret), null)
    await world.stores.keys.rotateOwnKey(one.proof.keyId, null)
    t.is(await world.stores.webSessions.prove(secret), null)
    t.deepEqual(await world.stores.webSessions.list(one.tenantId), [])
    t.is(await world.stores.webSessions.open(one.proof, FROM), null, 'a login that began before')
    t.not(await world.stores.webSessions.prove(foreign.secret), null)
    await world.stores.keys.rotateTenantKey(two.tenantId)
    t.is(await world.stores.webSessions.prove(foreign.secret), null)
  })

  test(`${name}: a session that replaces the tenant's key goes on with the new one, and of several at once a single one does`, async (t) => {
    const world = makeWorld()
    const { keys, webSessions } = world.stores
    const [one, foreign] = [await keyedTenant(world), await keyedTenant(world)]
    const [asking, other] = [await opened(world, one.proof), await opened(world, one.proof)]
    const of = { tenantId: one.tenantId, sessionId: asking.session.id }
    t.deepEqual(await keys.rotateKeyBySession({ ...of, tenantId: foreign.tenantId }, null), { kind: 'gone' })
    const claim = {
      request: { ownerId: asking.session.id, key: 'once', fingerprint: 'f1' },
      answer: ({ raw }: { readonly raw: string }) => ({ status: 201, body: raw }),
    }
    const first = await keys.rotateKeyBySession(of, claim)
    if (first.kind !== 'rotated') return t.fail('not rotated')
    t.like(first.key, { tenantId: one.tenantId, numberId: null, scope: 'TENANT' })
    t.is(await keys.authenticateKeyId(one.proof.keyId), null)
    t.like(await keys.authenticateKey(first.key.raw), { tenantId: one.tenantId })
    t.like(await webSessions.prove(asking.secret), { id: asking.session.id })
    t.is(await webSessions.prove(other.secret), null)
    t.deepEqual(await keys.rotateKeyBySession({ ...of, sessionId: other.session.id }, null), { kind: 'gone' })
    t.deepEqual(await keys.rotateKeyBySession(of, claim), {
      kind: 'replay',
      answer: { status: 201, body: first.key.raw },
    })
    const rivals = await Promise.all(Array.from({ length: 4 }, () => opened(world, { keyId: first.key.id })))
    const rotated = await Promise.all(
      rivals.map(({ session }) => keys.rotateKeyBySession({ ...of, sessionId: session.id }, null)),
    )
    t.is(rotated.filter(({ kind }) => kind === 'rotated').length, 1)
    const live = await Promise.all(rivals.map(({ secret }) => webSessions.prove(secret)))
    t.deepEqual(
      live.map((session) => session !== null),
      rotated.map(({ kind }) => kind === 'rotated'),
    )
  })

  test(`${name}: the key of a number opens no session`, async (t) => {
    const world = makeWorld()
    const { key } = await ownedNumber(world)
    t.is(await world.stores.webSessions.open({ keyId: key.id }, FROM), null)
  })

  test(`${name}: a login token opens one session within 15 minutes, also where many try at once`, async (t) => {
    const world = makeWorld()
    const { tenantId } = await keyedTenant(world)
    const token = (await world.stores.webSessions.mintLoginToken(tenantId)) ?? ''
    t.regex(token, /^lt_[\w-]{43}$/)
    world.clock.advance(LOGIN_TOKEN_MS - 1)
    const made = await Promise.all(
      [1, 2, 3, 4, 5].map(() => world.stores.webSessions.open({ loginToken: token }, FROM)),
    )
    t.deepEqual(
      made.filter((one) => one !== null).map(({ session }) => session.tenantId),
      [tenantId],
    )
    t.is((await world.stores.webSessions.list(tenantId)).length, 1)
    const late = (await world.stores.webSessions.mintLoginToken(tenantId)) ?? ''
    world.clock.advance(LOGIN_TOKEN_MS)
    t.is(await world.stores.webSessions.open({ loginToken: late }, FROM), null)
    t.is(await world.stores.webSessions.open({ loginToken: 'lt_\0' }, FROM), null)
    t.is(await world.stores.webSessions.mintLoginToken('ten_00000000000000000000000000'), null)
  })

  test(`${name}: a login token of the oldest tenant is minted where none is named`, async (t) => {
    const world = makeWorld()
    await keyedTenant(world)
    const token = await world.stores.webSessions.mintLoginToken(null)
    const { session } = await opened(world, { loginToken: token ?? '' })
    const [oldest] = await world.stores.tenants.list()
    t.is(session.tenantId as string, oldest?.tenantId ?? '')
  })

  test(`${name}: of more sessions than a tenant may have, the one not seen for longest ends`, async (t) => {
    const world = makeWorld()
    const { tenantId, proof } = await keyedTenant(world)
    const [seen, unseen] = [await opened(world, proof), await opened(world, proof)]
    world.clock.advance(SESSION_SEEN_MS)
    await world.stores.webSessions.prove(seen.secret)
    for (let i = 2; i <= MOST_SESSIONS; i++) await opened(world, proof)
    t.is(await world.stores.webSessions.prove(unseen.secret), null)
    t.not(await world.stores.webSessions.prove(seen.secret), null)
    t.is((await world.stores.webSessions.list(tenantId)).length, MOST_SESSIONS)
  })

  test(`${name}: ended sessions are purged, live ones are not`, async (t) => {
    // A time before all other tests of the database, so that the purge does not end their sessions.
    const world = makeWorld(Date.UTC(2001, 0, 1))
    const { tenantId, proof } = await keyedTenant(world)
    await opened(world, proof)
    await world.stores.webSessions.mintLoginToken(tenantId)
    world.clock.advance(SESSION_IDLE_MS)
    const live = await opened(world, proof)
    const token = await world.stores.webSessions.mintLoginToken(tenantId)
    t.true((await world.stores.webSessions.purge()) >= 2)
    t.like(await world.stores.webSessions.prove(live.secret), { id: live.session.id })
    t.like(await opened(world, { loginToken: token ?? '' }), { session: { tenantId } })
  })
}
