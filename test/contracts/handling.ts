import type { TestFn } from 'ava'
import type { Outcome } from '../../src/domain/errors.ts'
import { MOST_NOTES } from '../../src/domain/handling.ts'
import { succeed } from '../../src/domain/errors.ts'
import type { UserId } from '../../src/domain/ids.ts'
import { PAGE, received } from './message-world.ts'
import { ownedNumber, type MakeWorld, type Owned, type World } from './world.ts'

const DIGITS = '4915100000077'
const USER = 'DE.13491208655302741918'

const codeOf = (outcome: Outcome<unknown>) => (outcome.ok ? 'ok' : outcome.error.code)
function valueOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.error.code)
  return outcome.value
}

async function talkWith(world: World, owned: Owned, peer: string): Promise<string> {
  await received(world, owned, { peer, from: peer })
  const { items } = await world.stores.messages.conversations(owned.number.id, PAGE)
  return items.find((one) => one.peer === peer)?.id ?? ''
}

/** An active person of a role. */
async function active(world: World, { tenantId }: Owned, name: string, role: 'AGENT' | 'ANALYST' = 'AGENT') {
  const email = `${name}.${Math.random()}@example.com`
  const { user } = valueOf(await world.stores.users.create(tenantId, { email, role, name }))
  valueOf(await world.stores.users.change(tenantId, user.id, () => succeed({ role, name, status: 'ACTIVE' })))
  return user
}

/** How every store keeps whom conversations are assigned to, and notes on them. */
export function handlingSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [handling.assignment.1] [handling.assignment.2] [handling.scope.2]
  test(`${name}: a conversation is assigned to an active person of its account who may answer`, async (t) => {
    const world = makeWorld()
    const { handling, users } = world.stores
    const [owned, foreign] = [await ownedNumber(world), await ownedNumber(world)]
    const { tenantId } = owned
    const id = await talkWith(world, owned, DIGITS)
    const [ana, ben, reader] = [
      await active(world, owned, 'Ana'),
      await active(world, owned, 'Ben'),
      await active(world, owned, 'Rita', 'ANALYST'),
    ]
    const invited = valueOf(
      await users.create(tenantId, { email: `new.${Math.random()}@example.com`, role: 'AGENT', name: null }),
    ).user
    t.is(valueOf(await handling.assignment(tenantId, id)), null)
    const first = valueOf(await handling.assign(tenantId, id, ana.id))
    t.deepEqual(first?.assignee, { id: ana.id, name: 'Ana', isActive: true })
    world.clock.advance(1_000)
    t.deepEqual(valueOf(await handling.assign(tenantId, id, ana.id)), first, 'again it stays as it is')
    for (const nobody of [reader.id, invited.id, (await active(world, foreign, 'Theirs')).id, 'usr_none'])
      t.is(codeOf(await handling.assign(tenantId, id, nobody)), 'USER_NOT_FOUND')
    t.deepEqual(valueOf(await handling.assignment(tenantId, id)), first, 'what is refused changes nothing')
    t.is(codeOf(await handling.assign(foreign.tenantId, id, ana.id)), 'CONVERSATION_NOT_FOUND')
    t.is(codeOf(await handling.assign(foreign.tenantId, id, null)), 'CONVERSATION_NOT_FOUND')
    t.is(codeOf(await handling.assignment(foreign.tenantId, id)), 'CONVERSATION_NOT_FOUND')
    const other = await talkWith(world, owned, '4915100000078')
    valueOf(await handling.assign(tenantId, other, ben.id))
    const of = async (userId: UserId | null, of = tenantId) =>
      (await handling.assigned(of, userId, 10)).map(({ conversationId }) => conversationId)
    t.deepEqual([await of(null), await of(ana.id), await of(ben.id)], [[other, id], [id], [other]])
    t.deepEqual([await of(null, foreign.tenantId), await of(ana.id, foreign.tenantId)], [[], []])
    valueOf(await users.change(tenantId, ana.id, () => succeed({ role: 'AGENT', name: 'Ana', status: 'DISABLED' })))
    t.false(valueOf(await handling.assignment(tenantId, id))?.assignee.isActive)
    t.is(valueOf(await handling.assign(tenantId, id, null)), null)
    t.is(valueOf(await handling.assignment(tenantId, id)), null)
    valueOf(await users.remove(tenantId, ben.id, () => succeed(null)))
    t.is(valueOf(await handling.assignment(tenantId, other)), null, 'it goes with the person')
  })

  // [handling.notes.1] [handling.notes.3] [handling.scope.2]
  test(`${name}: notes are read newest first, outlive their author, and are removed by the author or an admin`, async (t) => {
    const world = makeWorld()
    const { handling, users } = world.stores
    const [owned, foreign] = [await ownedNumber(world), await ownedNumber(world)]
    const { tenantId } = owned
    const id = await talkWith(world, owned, DIGITS)
    const ana = await active(world, owned, 'Ana')
    const author = { id: ana.id, name: 'Ana' }
    const add = async (text: string, by: typeof author | null = author) =>
      valueOf(await handling.addNote(tenantId, id, { author: by, text }))
    const notes = [await add('one'), await add('two', null), await add('three')]
    const newest = notes.toReversed()
    const read = async (before: string | null = null, most = 10) =>
      valueOf(await handling.notes(tenantId, id, before, most))
    t.deepEqual(await read(), newest)
    t.deepEqual(await read(null, 2), newest.slice(0, 2))
    t.deepEqual(await read(newest[1]?.id), newest.slice(2))
    t.deepEqual(await read(newest[2]?.id), [])
    t.is(codeOf(await handling.notes(foreign.tenantId, id, null, 10)), 'CONVERSATION_NOT_FOUND')
    t.is(codeOf(await handling.addNote(foreign.tenantId, id, { author: null, text: 'x' })), 'CONVERSATION_NOT_FOUND')
    const [first, second] = notes
    if (!first || !second) return t.fail()
    const remove = async (note: typeof first, by: UserId | 'nobody' | 'anybody', of = tenantId) =>
      codeOf(await handling.removeNote(of, id, note.id, by))
    t.is(await remove(first, 'anybody', foreign.tenantId), 'NOTE_NOT_FOUND')
    t.is(await remove(first, 'usr_other'), 'FORBIDDEN')
    t.is(await remove(first, 'nobody'), 'FORBIDDEN')
    t.is(await remove(second, ana.id), 'FORBIDDEN')
    t.is(await remove(first, ana.id), 'ok')
    t.is(await remove(first, ana.id), 'NOTE_NOT_FOUND')
    t.is(await remove(second, 'anybody'), 'ok')
    valueOf(await users.remove(tenantId, ana.id, () => succeed(null)))
    t.deepEqual(await read(), newest.slice(0, 1))
  })

  // [handling.notes.2]
  test(`${name}: a conversation has 1,000 notes at most`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const id = await talkWith(world, owned, DIGITS)
    const add = () => world.stores.handling.addNote(owned.tenantId, id, { author: null, text: 'x' })
    for (let made = 0; made < MOST_NOTES; made++) valueOf(await add())
    t.is(codeOf(await add()), 'NOTE_LIMIT')
  })

  // [handling.scope.4]
  test(`${name}: two conversations that become one have the notes of both, and the assignment of the one that stays`, async (t) => {
    const world = makeWorld()
    const { handling, inbox } = world.stores
    const owned = await ownedNumber(world)
    const { tenantId } = owned
    const [hidden, open] = [await talkWith(world, owned, USER), await talkWith(world, owned, DIGITS)]
    const [ana, ben] = [await active(world, owned, 'Ana'), await active(world, owned, 'Ben')]
    for (const id of [hidden, open]) valueOf(await handling.addNote(tenantId, id, { author: null, text: `of ${id}` }))
    valueOf(await handling.assign(tenantId, hidden, ana.id))
    valueOf(await handling.assign(tenantId, open, ben.id))
    t.is(await inbox.name(owned.fence, { addresses: [DIGITS, USER] }), 'applied')
    t.is(valueOf(await handling.notes(tenantId, open, null, 10)).length, 2)
    t.is(valueOf(await handling.assignment(tenantId, open))?.assignee.id, ben.id)
    t.is(valueOf(await handling.assignment(tenantId, hidden))?.assignee.id, ben.id, 'its id leads there')
    t.deepEqual(
      (await handling.assigned(tenantId, null, 10)).map(({ conversationId }) => conversationId),
      [open],
    )
    const [other, known] = ['DE.13491208655302741919', '4915100000079']
    const [left, stays] = [await talkWith(world, owned, other), await talkWith(world, owned, known)]
    valueOf(await handling.assign(tenantId, left, ana.id))
    await inbox.name(owned.fence, { addresses: [known, other] })
    t.is(valueOf(await handling.assignment(tenantId, stays))?.assignee.id, ana.id)
  })
}
