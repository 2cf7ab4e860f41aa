import type { TestFn } from 'ava'
import { succeed } from '../../src/domain/errors.ts'
import type { TenantId } from '../../src/domain/ids.ts'
import type { Role } from '../../src/domain/permissions.ts'
import { INVITATION_MS, LOGIN_WINDOW_MS, type FailureLimit } from '../../src/domain/user.ts'
import { decideChange, decideInvitation, decideRemoval, type UserPatch } from '../../src/domain/user-rules.ts'
import { SESSION_MAX_MS, SESSION_SEEN_MS } from '../../src/domain/web-session.ts'
import type { InvitedUser } from '../../src/ports/stores/user-store.ts'
import type { MakeWorld, World } from './world.ts'

const FROM = { address: null, userAgent: null }
const OWNER = { isOwner: true }
/** A password hash; to a store it is any text. */
const HASH = 'scrypt$first'
let made = 0

async function tenant(world: World): Promise<TenantId> {
  return (await world.stores.tenants.create(`People ${++made}`)).tenantId
}

function within(most: number): readonly FailureLimit[] {
  return [{ most, withinMs: LOGIN_WINDOW_MS }]
}

function emailOf(name: string): string {
  return `${name}.${++made}.${Math.random().toString(36).slice(2)}@Example.com`
}

async function invited(
  world: World,
  tenantId: TenantId,
  role: Role = 'AGENT',
  email = emailOf('Ann'),
): Promise<InvitedUser> {
  const created = await world.stores.users.create(tenantId, { email, role, name: null })
  if (!created.ok) throw new Error(created.error.message)
  return created.value
}

/** Makes a person with a password and a session. */
async function active(world: World, tenantId: TenantId, role: Role = 'AGENT') {
  const { user, invitation } = await invited(world, tenantId, role)
  const opened = await world.stores.webSessions.open(
    { invitation: invitation.token, passwordHash: HASH, name: 'Ann' },
    FROM,
  )
  if (!opened) throw new Error('the invitation opened nothing')
  return { id: user.id, email: user.email, ...opened }
}

function change(world: World, tenantId: TenantId, id: string, patch: UserPatch) {
  return world.stores.users.change(tenantId, id, (standing) => decideChange(standing, patch, OWNER))
}

function codeOf(outcome: { readonly ok: boolean; readonly error?: { readonly code: string } }): string {
  return outcome.ok ? 'ok' : (outcome.error?.code ?? '')
}

/** What every UserStore does. */
export function userStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [people.users.1]
  test(`${name}: a person is made INVITED, shown as written, and known to its own tenant alone`, async (t) => {
    const world = makeWorld()
    const [tenantId, otherId] = [await tenant(world), await tenant(world)]
    const first = await invited(world, tenantId, 'OWNER')
    world.clock.advance(1)
    const second = await invited(world, tenantId, 'ANALYST')
    t.like(first.user, { role: 'OWNER', status: 'INVITED', name: null, lastSeenAt: null })
    t.regex(first.user.email, /@Example\.com$/)
    t.regex(first.invitation.token, /^[\w-]{43}$/)
    t.is(first.invitation.expiresAt.getTime(), world.clock.now() - 1 + INVITATION_MS)
    t.deepEqual(await world.stores.users.list(tenantId), [first.user, second.user])
    t.deepEqual(await world.stores.users.find(tenantId, first.user.id), first.user)
    t.deepEqual(await world.stores.users.list(otherId), [])
    t.is(await world.stores.users.find(otherId, first.user.id), null)
    t.is(codeOf(await change(world, otherId, first.user.id, { name: 'Mine' })), 'USER_NOT_FOUND')
    t.is(codeOf(await world.stores.users.remove(otherId, first.user.id, () => succeed(null))), 'USER_NOT_FOUND')
    t.is(codeOf(await world.stores.users.invite(otherId, first.user.id, () => succeed(null))), 'USER_NOT_FOUND')
    for (const id of ["' or 1=1", 'usr_\0', '']) t.is(await world.stores.users.find(tenantId, id), null)
  })

  // [people.users.1]
  test(`${name}: an address exists once in the installation, compared without case, also where many come at once`, async (t) => {
    const world = makeWorld()
    const [tenantId, otherId] = [await tenant(world), await tenant(world)]
    const email = emailOf('Twice')
    const tries = [tenantId, otherId, tenantId, otherId].map((id, at) =>
      world.stores.users.create(id, { email: at % 2 ? email.toUpperCase() : email, role: 'AGENT', name: null }),
    )
    t.deepEqual((await Promise.all(tries)).map(codeOf).toSorted(), [
      'USER_ALREADY_EXISTS',
      'USER_ALREADY_EXISTS',
      'USER_ALREADY_EXISTS',
      'ok',
    ])
    t.is((await world.stores.users.list(tenantId)).length + (await world.stores.users.list(otherId)).length, 1)
    t.not(await world.stores.users.findSigningIn(` ${email.toLowerCase()} `), null)
  })

  test(`${name}: an invitation is used once within 7 days, sets the password and opens a session of its person`, async (t) => {
    const world = makeWorld()
    const tenantId = await tenant(world)
    const { user, invitation } = await invited(world, tenantId, 'ADMIN')
    t.deepEqual(await world.stores.users.findSigningIn(user.email), {
      id: user.id,
      isActive: false,
      passwordHash: null,
    })
    t.is(await world.stores.webSessions.open({ userId: user.id, passwordHash: HASH }, FROM), null)
    world.clock.advance(INVITATION_MS - 1)
    t.like(await world.stores.users.findInvited(invitation.token), { email: user.email, name: user.name })
    const tries = await Promise.all(
      [1, 2, 3].map((at) =>
        world.stores.webSessions.open(
          { invitation: invitation.token, passwordHash: `${HASH}${at}`, name: `Ann ${at}` },
          FROM,
        ),
      ),
    )
    const [opened, ...more] = tries.filter((one) => one !== null)
    t.deepEqual(more, [])
    t.like(opened?.session, {
      tenantId,
      user: { id: user.id, email: user.email, role: 'ADMIN' },
      expiresAt: new Date(world.clock.now() + SESSION_MAX_MS),
    })
    t.deepEqual(await world.stores.webSessions.prove(opened?.secret ?? ''), opened?.session)
    t.like(await world.stores.users.find(tenantId, user.id), {
      status: 'ACTIVE',
      name: opened?.session.user?.name,
      lastSeenAt: new Date(world.clock.now()),
    })
    t.falsy(await world.stores.users.findInvited(invitation.token))
    const late = await invited(world, tenantId)
    world.clock.advance(INVITATION_MS)
    t.falsy(await world.stores.users.findInvited(late.invitation.token))
    t.is(
      await world.stores.webSessions.open({ invitation: late.invitation.token, passwordHash: HASH, name: null }, FROM),
      null,
    )
    for (const token of ['', "' or 1=1", '\0'])
      t.is(await world.stores.webSessions.open({ invitation: token, passwordHash: HASH, name: null }, FROM), null)
  })

  test(`${name}: a newer invitation ends the one before, and what it sets takes the place of a password and its sessions`, async (t) => {
    const world = makeWorld()
    const tenantId = await tenant(world)
    const { id, secret } = await active(world, tenantId)
    const invite = async () => {
      const outcome = await world.stores.users.invite(tenantId, id, (standing) => decideInvitation(standing, OWNER))
      return outcome.ok ? outcome.value.token : ''
    }
    const [older, newer] = [await invite(), await invite()]
    t.is(
      await world.stores.webSessions.open({ invitation: older, passwordHash: 'scrypt$stolen', name: null }, FROM),
      null,
    )
    t.not(await world.stores.webSessions.prove(secret), null, 'nothing ends before it is used')
    t.like(
      await world.stores.webSessions.open({ invitation: newer, passwordHash: 'scrypt$second', name: null }, FROM),
      { session: { user: { name: 'Ann' } } },
    )
    t.is(await world.stores.webSessions.prove(secret), null)
    t.is(
      await world.stores.webSessions.open({ userId: id, passwordHash: HASH }, FROM),
      null,
      'a login with the password before',
    )
    t.not(await world.stores.webSessions.open({ userId: id, passwordHash: 'scrypt$second' }, FROM), null)
  })

  test(`${name}: a session says who its person is now, and when that was seen is noted of both`, async (t) => {
    const world = makeWorld()
    const tenantId = await tenant(world)
    const { id, secret } = await active(world, tenantId, 'ADMIN')
    t.like(await world.stores.webSessions.prove(secret), { user: { role: 'ADMIN', name: 'Ann' } })
    t.is(codeOf(await change(world, tenantId, id, { role: 'ANALYST', name: 'Anne' })), 'ok')
    t.like(await world.stores.webSessions.prove(secret), { user: { id, role: 'ANALYST', name: 'Anne' } })
    world.clock.advance(SESSION_SEEN_MS)
    await world.stores.webSessions.prove(secret)
    t.like(await world.stores.users.find(tenantId, id), { lastSeenAt: new Date(world.clock.now()) })
  })

  test(`${name}: a DISABLED user has no session and no invitation, and does not get them back when ACTIVE again`, async (t) => {
    const world = makeWorld()
    const tenantId = await tenant(world)
    const { id, email, secret } = await active(world, tenantId)
    const again = await world.stores.users.invite(tenantId, id, () => succeed(null))
    t.like(await change(world, tenantId, id, { status: 'DISABLED' }), { ok: true, value: { status: 'DISABLED' } })
    t.is(await world.stores.webSessions.prove(secret), null)
    t.deepEqual(await world.stores.webSessions.list(tenantId), [])
    t.is(await world.stores.webSessions.open({ userId: id, passwordHash: HASH }, FROM), null)
    t.deepEqual(await world.stores.users.findSigningIn(email), { id, isActive: false, passwordHash: HASH })
    const late = await world.stores.users.invite(tenantId, id, () => succeed(null))
    for (const link of [again, late])
      t.is(
        await world.stores.webSessions.open(
          { invitation: link.ok ? link.value.token : '', passwordHash: 'scrypt$x', name: null },
          FROM,
        ),
        null,
      )
    t.like(await change(world, tenantId, id, { status: 'ACTIVE' }), { ok: true, value: { status: 'ACTIVE' } })
    t.is(await world.stores.webSessions.prove(secret), null)
    t.not(await world.stores.webSessions.open({ userId: id, passwordHash: HASH }, FROM), null)
  })

  test(`${name}: a removed user is gone with sessions and invitation, and the address is free`, async (t) => {
    const world = makeWorld()
    const [tenantId, otherId] = [await tenant(world), await tenant(world)]
    const { id, email, secret } = await active(world, tenantId)
    t.deepEqual(
      await world.stores.users.remove(tenantId, id, (standing) => decideRemoval(standing, OWNER)),
      succeed(id),
    )
    t.is(await world.stores.webSessions.prove(secret), null)
    t.is(await world.stores.users.find(tenantId, id), null)
    t.is(await world.stores.users.findSigningIn(email), null)
    t.is(codeOf(await world.stores.users.remove(tenantId, id, () => succeed(null))), 'USER_NOT_FOUND')
    t.is((await invited(world, otherId, 'AGENT', email)).user.email, email)
  })

  test(`${name}: when OWNERs demote, disable or remove each other at once, one OWNER is left`, async (t) => {
    const world = makeWorld()
    const tenantId = await tenant(world)
    await invited(world, tenantId, 'OWNER')
    // Repeated, because chance decides which of them comes first.
    for (let round = 0; round < 10; round++) {
      const present = (await world.stores.users.list(tenantId))
        .filter(({ role, status }) => role === 'OWNER' && status === 'ACTIVE')
        .map(({ id }) => id)
      const ids = [
        ...present,
        ...(await Promise.all(
          Array.from({ length: 4 - present.length }, async () => (await active(world, tenantId, 'OWNER')).id),
        )),
      ]
      const [demoted = '', disabled = '', removed = '', too = ''] = ids
      const outcomes = await Promise.all([
        change(world, tenantId, demoted, { role: 'ADMIN' }),
        change(world, tenantId, disabled, { status: 'DISABLED' }),
        world.stores.users.remove(tenantId, removed, (standing) => decideRemoval(standing, OWNER)),
        change(world, tenantId, too, { role: 'AGENT' }),
      ])
      t.deepEqual(outcomes.map(codeOf).toSorted(), ['LAST_OWNER', 'ok', 'ok', 'ok'])
    }
    t.is(
      (await world.stores.users.list(tenantId)).filter(({ role, status }) => role === 'OWNER' && status === 'ACTIVE')
        .length,
      1,
    )
  })

  test(`${name}: a password is replaced where it is still the one before, and one session goes on`, async (t) => {
    const world = makeWorld()
    const tenantId = await tenant(world)
    const [kept, other] = [await active(world, tenantId), await active(world, tenantId)]
    const second = await world.stores.webSessions.open({ userId: kept.id, passwordHash: HASH }, FROM)
    const invitation = await world.stores.users.invite(tenantId, kept.id, () => succeed(null))
    const replace = (to: string) => world.stores.users.replacePassword(kept.id, { from: HASH, to }, kept.session.id)
    t.deepEqual((await Promise.all([replace('scrypt$a'), replace('scrypt$b')])).toSorted(), [false, true])
    t.like(await world.stores.webSessions.prove(kept.secret), { id: kept.session.id })
    t.is(await world.stores.webSessions.prove(second?.secret ?? ''), null)
    t.like(await world.stores.webSessions.prove(other.secret), { id: other.session.id }, 'of somebody else')
    t.deepEqual(
      (await world.stores.webSessions.list(tenantId, kept.id)).map(({ id }) => id),
      [kept.session.id],
    )
    t.falsy(await world.stores.users.findInvited(invitation.ok ? invitation.value.token : ''))
    await change(world, tenantId, kept.id, { status: 'DISABLED' })
    const { passwordHash } = (await world.stores.users.findSignedIn(tenantId, kept.id)) ?? { passwordHash: null }
    t.false(await world.stores.users.replacePassword(kept.id, { from: passwordHash ?? '', to: HASH }, kept.session.id))
    t.is(await world.stores.users.findSignedIn(await tenant(world), kept.id), null)
  })

  test(`${name}: sessions of a person are listed and ended by themselves, and one by its secret`, async (t) => {
    const world = makeWorld()
    const tenantId = await tenant(world)
    const [one, two] = [await active(world, tenantId), await active(world, tenantId)]
    t.is((await world.stores.webSessions.list(tenantId)).length, 2)
    t.deepEqual(
      (await world.stores.webSessions.list(tenantId, one.id)).map(({ id }) => id),
      [one.session.id],
    )
    t.false(await world.stores.webSessions.end(tenantId, two.session.id, one.id))
    t.true(await world.stores.webSessions.end(tenantId, one.session.id, one.id))
    await world.stores.webSessions.endSecret(two.secret)
    t.deepEqual(await world.stores.webSessions.list(tenantId), [])
  })

  test(`${name}: with the tenant's key the sessions of its people are over`, async (t) => {
    const world = makeWorld()
    const tenantId = await tenant(world)
    const { secret } = await active(world, tenantId)
    await world.stores.keys.rotateTenantKey(tenantId)
    t.is(await world.stores.webSessions.prove(secret), null)
  })

  test(`${name}: invitations that are over are purged, live ones are not`, async (t) => {
    const world = makeWorld(Date.UTC(2001, 0, 1))
    const tenantId = await tenant(world)
    await invited(world, tenantId)
    world.clock.advance(INVITATION_MS)
    const live = await invited(world, tenantId)
    t.is(await world.stores.users.purge(), 1)
    t.truthy(await world.stores.users.findInvited(live.invitation.token))
  })
}

/** What every LoginFailureStore does. */
export function loginFailureSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: each failure counts for 15 minutes against its account or address, and no more are recorded than allowed, however many come at once`, async (t) => {
    const world = makeWorld()
    const bucket = `bucket ${++made} ${world.clock.now()} ${Math.random()}`
    const note = () => world.stores.loginFailures.note(bucket, within(3))
    t.not((await note()).noted, null)
    world.clock.advance(60_000)
    const many = await Promise.all([1, 2, 3, 4, 5].map(note))
    t.is(many.filter(({ noted }) => noted !== null).length, 2)
    t.deepEqual(await note(), { noted: null, retryAfterMs: LOGIN_WINDOW_MS - 60_000 })
    t.not((await world.stores.loginFailures.note(`${bucket}!`, within(3))).noted, null)
    world.clock.advance(LOGIN_WINDOW_MS - 60_001)
    t.deepEqual(await note(), { noted: null, retryAfterMs: 1 })
    world.clock.advance(1)
    t.not((await note()).noted, null, 'the first counts no more')
    t.deepEqual(await note(), { noted: null, retryAfterMs: 60_000 })
  })

  test(`${name}: of several limits each holds, and the longest wait is told`, async (t) => {
    const world = makeWorld()
    const bucket = `bucket ${++made} ${world.clock.now()} ${Math.random()}`
    const note = () =>
      world.stores.loginFailures.note(bucket, [
        { most: 2, withinMs: 60_000 },
        { most: 3, withinMs: 3_600_000 },
      ])
    t.deepEqual([(await note()).noted !== null, (await note()).noted !== null], [true, true])
    t.deepEqual(await note(), { noted: null, retryAfterMs: 60_000 })
    world.clock.advance(60_000)
    t.not((await note()).noted, null)
    t.deepEqual(await note(), { noted: null, retryAfterMs: 3_540_000 })
    world.clock.advance(3_540_000)
    t.not((await note()).noted, null)
  })

  test(`${name}: an attempt that was no failure is taken back once, without the others`, async (t) => {
    const world = makeWorld()
    const bucket = `bucket ${++made} ${world.clock.now()} ${Math.random()}`
    const first = await world.stores.loginFailures.note(bucket, within(2))
    const second = await world.stores.loginFailures.note(bucket, within(2))
    t.is((await world.stores.loginFailures.note(bucket, within(2))).noted, null)
    if (first.noted) await world.stores.loginFailures.takeBack(first.noted)
    t.not((await world.stores.loginFailures.note(bucket, within(2))).noted, null)
    t.is(
      (await world.stores.loginFailures.note(bucket, within(2))).noted,
      null,
      'the other of the same moment still counts',
    )
    t.not(second.noted, null)
    await world.stores.loginFailures.takeBack({ bucket: 'unknown', at: new Date(0) })
  })

  test(`${name}: failures that no longer count are purged`, async (t) => {
    const world = makeWorld(Date.UTC(2001, 0, 1))
    await world.stores.loginFailures.note('old', within(2))
    world.clock.advance(LOGIN_WINDOW_MS)
    await world.stores.loginFailures.note('live', within(1))
    t.is(await world.stores.loginFailures.purge(), 1)
    t.is((await world.stores.loginFailures.note('live', within(1))).noted, null)
  })
}
