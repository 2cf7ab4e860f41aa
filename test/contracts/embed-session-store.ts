import type { TestFn } from 'ava'
import { EMBED_KEPT_MS, EMBED_SECRET_GRACE_MS } from '../../src/domain/embed-session.ts'
import type { KeyId, NumberId, TenantId } from '../../src/domain/ids.ts'
import type { FreshToken, MintedSession } from '../../src/ports/stores/embed-session-store.ts'
import { newNumber, ownedNumber, type MakeWorld, type World } from './world.ts'

const ORIGIN = 'https://crm.example'

/** A tenant with one number and the key of that number. */
async function minting(world: World) {
  const owned = await ownedNumber(world)
  const { tenantId, number, key } = owned
  const wanted: MintedSession = {
    tenantId,
    keyId: key.id,
    surface: 'chat',
    numberIds: [number.id],
    allowedOrigins: [ORIGIN],
    branding: null,
    canStart: false,
    ttlSeconds: 900,
    maxAgeMs: 3_600_000,
  }
  const mint = async (fields: Partial<MintedSession> = {}): Promise<FreshToken> => {
    const minted = await world.stores.embedSessions.mint({ ...wanted, ...fields })
    if (!minted) throw new Error('nothing was minted')
    return minted
  }
  return { ...owned, mint }
}

async function addNumber(world: World, tenantId: TenantId): Promise<{ readonly id: NumberId; readonly keyId: KeyId }> {
  const made = await world.stores.numbers.create(newNumber(tenantId))
  if (!made.ok) throw new Error(made.error.message)
  return { id: made.value.number.id, keyId: made.value.key.id }
}

/** What every EmbedSessionStore does. */
export function embedSessionStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  tokenTests(test, name, makeWorld)
  refreshTests(test, name, makeWorld)
  deathTests(test, name, makeWorld)
  listTests(test, name, makeWorld)
}

function tokenTests(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a token proves its session until it expires, and for a day after it is known that it did`, async (t) => {
    const world = makeWorld()
    const { tenantId, number, mint } = await minting(world)
    const branding = { companyName: 'Acme', primaryColor: null, button: { label: 'Go' } }
    const { token, session } = await mint({
      canStart: true,
      branding,
      allowedOrigins: [ORIGIN, 'http://localhost:5173'],
    })
    const nowMs = world.clock.now()
    t.regex(token, /^emb_[0-9a-z]{26}\.[\w-]{43,}$/)
    t.deepEqual(session, {
      id: session.id,
      tenantId,
      surface: 'chat',
      numberIds: [number.id],
      allowedOrigins: [ORIGIN, 'http://localhost:5173'],
      branding,
      canStart: true,
      ttlSeconds: 900,
      createdAt: new Date(nowMs),
      lastUsedAt: null,
      expiresAt: new Date(nowMs + 900_000),
      maxExpiresAt: new Date(nowMs + 3_600_000),
    })
    const { embedSessions } = world.stores
    t.deepEqual(await embedSessions.prove(token), { kind: 'live', session, secretEndsAt: session.expiresAt })
    t.deepEqual(await embedSessions.findLive(session.id), session)
    world.clock.advance(899_999)
    t.like(await embedSessions.prove(token), { kind: 'live' })
    world.clock.advance(1)
    t.deepEqual(await embedSessions.prove(token), { kind: 'over', reason: 'EXPIRED' })
    t.is(await embedSessions.findLive(session.id), null)
    world.clock.advance(EMBED_KEPT_MS - 1)
    t.deepEqual(await embedSessions.prove(token), { kind: 'over', reason: 'EXPIRED' })
    world.clock.advance(1)
    t.deepEqual(await embedSessions.prove(token), { kind: 'unknown' })
  })

  test(`${name}: a token with another secret, another id or another form proves nothing`, async (t) => {
    const world = makeWorld()
    const { mint } = await minting(world)
    const [one, two] = [await mint(), await mint()]
    const { embedSessions } = world.stores
    const [, secret = ''] = one.token.split('.')
    for (const wrong of [
      '',
      one.session.id,
      `${two.session.id}.${secret}`,
      `${one.token}x`,
      one.token.slice(0, -1),
      `${one.token}\0`,
      `emb_.${secret}`,
    ]) {
      t.deepEqual(await embedSessions.prove(wrong), { kind: 'unknown' }, wrong)
      t.deepEqual(await embedSessions.refresh(wrong), { kind: 'unknown' }, wrong)
    }
  })

  test(`${name}: no session is minted for a number of another tenant`, async (t) => {
    const world = makeWorld()
    const [own, foreign] = [await minting(world), await minting(world)]
    const minted = await world.stores.embedSessions.mint({
      tenantId: own.tenantId,
      keyId: own.key.id,
      surface: 'chat',
      numberIds: [own.number.id, foreign.number.id],
      allowedOrigins: [ORIGIN],
      branding: null,
      canStart: false,
      ttlSeconds: 60,
      maxAgeMs: 60_000,
    })
    t.is(minted, null)
    t.deepEqual(await world.stores.embedSessions.list(own.tenantId, null), [])
  })

  test(`${name}: use is noted once a minute`, async (t) => {
    const world = makeWorld()
    const { tenantId, mint } = await minting(world)
    const { session } = await mint()
    const { embedSessions } = world.stores
    const used = async () => (await embedSessions.list(tenantId, null))[0]?.lastUsedAt?.getTime()
    const firstMs = world.clock.now()
    await embedSessions.touch(session.id)
    world.clock.advance(59_999)
    await embedSessions.touch(session.id)
    t.is(await used(), firstMs)
    world.clock.advance(1)
    await embedSessions.touch(session.id)
    t.is(await used(), firstMs + 60_000)
  })
}

function refreshTests(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [embeds.refresh.1]
  test(`${name}: a refreshed token works for its whole life; the one before for 60 s more, and refreshes nothing after`, async (t) => {
    const world = makeWorld()
    const { mint } = await minting(world)
    const { token, session } = await mint()
    const { embedSessions } = world.stores
    world.clock.advance(600_000)
    const fresh = await embedSessions.refresh(token)
    if (fresh.kind !== 'fresh') return t.fail()
    t.not(fresh.token, token)
    t.like(fresh.session, {
      id: session.id,
      expiresAt: new Date(world.clock.now() + 900_000),
      maxExpiresAt: session.maxExpiresAt,
    })
    world.clock.advance(EMBED_SECRET_GRACE_MS - 1)
    t.like(await embedSessions.prove(token), { kind: 'live', secretEndsAt: new Date(world.clock.now() + 1) })
    world.clock.advance(1)
    t.deepEqual(await embedSessions.prove(token), { kind: 'over', reason: 'EXPIRED' })
    t.deepEqual(await embedSessions.refresh(token), { kind: 'over', reason: 'EXPIRED' })
    t.like(await embedSessions.prove(fresh.token), { kind: 'live', secretEndsAt: fresh.session.expiresAt })
  })

  test(`${name}: a token refreshed shortly before its end works no longer than that`, async (t) => {
    const world = makeWorld()
    const { mint } = await minting(world)
    const { token } = await mint({ ttlSeconds: 60 })
    world.clock.advance(50_000)
    t.like(await world.stores.embedSessions.refresh(token), { kind: 'fresh' })
    world.clock.advance(10_000)
    t.deepEqual(await world.stores.embedSessions.prove(token), { kind: 'over', reason: 'EXPIRED' })
  })

  test(`${name}: refreshes at once all work, those of a token in its last minute too`, async (t) => {
    const world = makeWorld()
    const { mint } = await minting(world)
    const { token } = await mint()
    const { embedSessions } = world.stores
    const first = await Promise.all([1, 2, 3, 4].map(() => embedSessions.refresh(token)))
    world.clock.advance(30_000)
    const late = await embedSessions.refresh(token)
    const tokens = [...first, late].flatMap((one) => (one.kind === 'fresh' ? [one.token] : []))
    t.is(new Set(tokens).size, 5)
    for (const one of tokens) t.like(await embedSessions.prove(one), { kind: 'live' })
    world.clock.advance(30_000)
    t.like(await embedSessions.prove(token), { kind: 'over' }, 'a second refresh gives it no more time')
  })

  // [embeds.refresh.1] [configuration.variables.23]
  test(`${name}: no refresh goes past the session's greatest age`, async (t) => {
    const world = makeWorld()
    const { tenantId, mint } = await minting(world)
    const { token, session } = await mint({ ttlSeconds: 60, maxAgeMs: 100_000 })
    const { embedSessions } = world.stores
    world.clock.advance(50_000)
    const fresh = await embedSessions.refresh(token)
    if (fresh.kind !== 'fresh') return t.fail()
    t.deepEqual(fresh.session.expiresAt, session.maxExpiresAt)
    t.deepEqual((await embedSessions.list(tenantId, null))[0]?.expiresAt, session.maxExpiresAt)
    world.clock.advance(50_000)
    t.deepEqual(await embedSessions.refresh(fresh.token), { kind: 'over', reason: 'EXPIRED' })
    t.deepEqual(
      (await mint({ ttlSeconds: 3_600, maxAgeMs: 60_000 })).session.expiresAt,
      new Date(world.clock.now() + 60_000),
    )
  })
}

function deathTests(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a session is revoked once, by its own tenant, or by a number if it covers only that number`, async (t) => {
    const world = makeWorld()
    const [own, foreign] = [await minting(world), await minting(world)]
    const other = await addNumber(world, own.tenantId)
    const { embedSessions } = world.stores
    const { token, session } = await own.mint()
    const wide = await own.mint({ numberIds: [own.number.id, other.id] })
    const all = await own.mint({ surface: 'connect', numberIds: [] })
    t.false(await embedSessions.revoke(foreign.tenantId, null, session.id))
    t.false(await embedSessions.revoke(own.tenantId, other.id, session.id))
    t.false(await embedSessions.revoke(own.tenantId, own.number.id, wide.session.id))
    t.false(await embedSessions.revoke(own.tenantId, own.number.id, all.session.id))
    t.false(await embedSessions.revoke(own.tenantId, null, 'emb_unknown\0'))
    t.true(await embedSessions.revoke(own.tenantId, own.number.id, session.id))
    t.false(await embedSessions.revoke(own.tenantId, null, session.id))
    t.true(await embedSessions.revoke(own.tenantId, null, wide.session.id))
    t.deepEqual(await embedSessions.prove(token), { kind: 'over', reason: 'REVOKED' })
    t.deepEqual(await embedSessions.refresh(token), { kind: 'over', reason: 'REVOKED' })
    t.like(await embedSessions.prove(all.token), { kind: 'live' })
    world.clock.advance(EMBED_KEPT_MS)
    t.deepEqual(await embedSessions.prove(token), { kind: 'unknown' })
  })

  test(`${name}: the rotation of a key ends the sessions it minted, and no others`, async (t) => {
    const world = makeWorld()
    const { tenantId, number, mint } = await minting(world)
    const other = await addNumber(world, tenantId)
    const { embedSessions, keys } = world.stores
    const minted = await mint()
    const spared = await mint({ keyId: other.keyId })
    const ofTenant = await mint({ keyId: null })
    await keys.rotateNumberKey(tenantId, number.id)
    t.deepEqual(await embedSessions.prove(minted.token), { kind: 'over', reason: 'REVOKED' })
    t.deepEqual(await embedSessions.refresh(minted.token), { kind: 'over', reason: 'REVOKED' })
    t.is(await embedSessions.findLive(minted.session.id), null)
    t.deepEqual(
      (await embedSessions.list(tenantId, null)).map(({ id }) => id),
      [ofTenant.session.id, spared.session.id],
    )
    t.false(await embedSessions.revoke(tenantId, null, minted.session.id))
    await keys.rotateOwnKey(other.keyId, null)
    t.deepEqual(await embedSessions.prove(spared.token), { kind: 'over', reason: 'REVOKED' })
    t.like(
      await embedSessions.prove(ofTenant.token),
      { kind: 'live' },
      'one that no key minted lives with that of the tenant',
    )
    await keys.rotateTenantKey(tenantId)
    t.deepEqual(await embedSessions.prove(ofTenant.token), { kind: 'over', reason: 'REVOKED' })
  })

  test(`${name}: removing a number ends the sessions that cover no other number, and removes it from the rest`, async (t) => {
    const world = makeWorld()
    const { tenantId, number, mint } = await minting(world)
    const other = await addNumber(world, tenantId)
    const { embedSessions, numbers } = world.stores
    const fields = { keyId: other.keyId }
    const last = await mint(fields)
    const wide = await mint({ ...fields, numberIds: [number.id, other.id] })
    const all = await mint({ ...fields, surface: 'connect', numberIds: [] })
    await numbers.remove(tenantId, number.id)
    t.deepEqual(await embedSessions.prove(last.token), { kind: 'over', reason: 'REVOKED' })
    t.like(await embedSessions.prove(wide.token), { kind: 'live', session: { numberIds: [other.id] } })
    t.like(await embedSessions.prove(all.token), { kind: 'live', session: { numberIds: [] } })
    t.deepEqual(
      (await embedSessions.states([last.session.id, wide.session.id, 'emb_unknown']))
        .map(({ over }) => over)
        .toSorted(),
      ['REVOKED', null],
    )
  })

  test(`${name}: sessions that ended a day ago are purged, and nothing else`, async (t) => {
    const world = makeWorld()
    const { tenantId, mint } = await minting(world)
    const { embedSessions } = world.stores
    const short = await mint({ ttlSeconds: 60 })
    const long = await mint({ ttlSeconds: 61 })
    world.clock.advance(60_000)
    t.deepEqual((await embedSessions.states([short.session.id]))[0], {
      id: short.session.id,
      over: 'EXPIRED',
      expiresAt: short.session.expiresAt,
    })
    world.clock.advance(EMBED_KEPT_MS)
    await embedSessions.purge()
    const left = await embedSessions.states([short.session.id, long.session.id])
    t.deepEqual(
      left.map(({ id }) => id),
      [long.session.id],
    )
    t.deepEqual(await embedSessions.list(tenantId, null), [])
  })
}

function listTests(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: live sessions are listed newest first; for a number, only sessions that cover no other`, async (t) => {
    const world = makeWorld()
    const [own, foreign] = [await minting(world), await minting(world)]
    const other = await addNumber(world, own.tenantId)
    await foreign.mint()
    const oldest = await own.mint({ ttlSeconds: 60 })
    const chat = await own.mint()
    const wide = await own.mint({ numberIds: [other.id, own.number.id] })
    const connect = await own.mint({ surface: 'connect' })
    const { embedSessions } = world.stores
    const ids = async (numberId: NumberId | null) =>
      (await embedSessions.list(own.tenantId, numberId)).map(({ id }) => id)
    t.deepEqual(
      await ids(null),
      [connect, wide, chat, oldest].map(({ session }) => session.id),
    )
    t.deepEqual(
      await ids(own.number.id),
      [connect, chat, oldest].map(({ session }) => session.id),
    )
    t.deepEqual(await ids(other.id), [])
    t.deepEqual(
      (await embedSessions.list(own.tenantId, null))[1]?.numberIds,
      [other.id, own.number.id],
      'as they were named',
    )
    world.clock.advance(60_000)
    t.deepEqual(
      await ids(own.number.id),
      [connect, chat].map(({ session }) => session.id),
    )
  })

  test(`${name}: a number is covered by connect sessions that name it or no number; among those with the same origins the newest counts`, async (t) => {
    const world = makeWorld()
    const { tenantId, number, mint } = await minting(world)
    const other = await addNumber(world, tenantId)
    const { embedSessions } = world.stores
    await mint()
    const connect = { surface: 'connect' as const }
    await mint({ ...connect, branding: { companyName: 'Older' } })
    await mint({ ...connect, numberIds: [other.id], allowedOrigins: ['https://other.example'] })
    const all = await mint({ ...connect, numberIds: [], allowedOrigins: ['https://all.example', ORIGIN] })
    const newer = await mint({ ...connect, branding: { companyName: 'Newer' } })
    const brief = await mint({ ...connect, ttlSeconds: 60, allowedOrigins: ['https://brief.example'] })
    t.deepEqual(
      (await embedSessions.covering(tenantId, number.id)).map(({ id }) => id),
      [brief, newer, all].map(({ session }) => session.id),
    )
    world.clock.advance(60_000)
    t.like((await embedSessions.covering(tenantId, number.id))[0], {
      id: newer.session.id,
      branding: { companyName: 'Newer' },
    })
    await embedSessions.revoke(tenantId, null, newer.session.id)
    t.deepEqual(
      (await embedSessions.covering(tenantId, number.id)).map(({ branding }) => branding),
      [null, { companyName: 'Older' }],
    )
  })
}
