import type { TestFn } from 'ava'
import { MOST_CANNED_REPLIES } from '../../src/domain/canned-reply.ts'
import type { Outcome } from '../../src/domain/errors.ts'
import { ownedNumber, type MakeWorld } from './world.ts'

const codeOf = (outcome: Outcome<unknown>) => (outcome.ok ? 'ok' : outcome.error.code)

/** What every CannedReplyStore does. */
export function cannedReplySuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [canned-replies.object.2] [canned-replies.scope.2]
  test(`${name}: canned replies belong to their tenant, and a shortcut exists once in it`, async (t) => {
    const world = makeWorld()
    const { cannedReplies } = world.stores
    const { tenantId } = await ownedNumber(world)
    const other = (await ownedNumber(world)).tenantId
    const hours = await cannedReplies.create(tenantId, { shortcut: 'hours', text: 'From 9 to 17' })
    t.is(codeOf(hours), 'ok')
    t.is(codeOf(await cannedReplies.create(tenantId, { shortcut: 'hours', text: 'Again' })), 'CANNED_REPLY_EXISTS')
    t.is(codeOf(await cannedReplies.create(other, { shortcut: 'hours', text: 'Theirs' })), 'ok')
    const bye = await cannedReplies.create(tenantId, { shortcut: 'bye', text: 'See you' })
    if (!hours.ok || !bye.ok) throw new Error('none was made')
    t.deepEqual(await cannedReplies.list(tenantId), [bye.value, hours.value])
    t.is(codeOf(await cannedReplies.change(tenantId, bye.value.id, { shortcut: 'hours' })), 'CANNED_REPLY_EXISTS')
    t.is(codeOf(await cannedReplies.change(other, bye.value.id, { text: 'x' })), 'CANNED_REPLY_NOT_FOUND')
    world.clock.advance(1)
    const changed = await cannedReplies.change(tenantId, bye.value.id, { text: 'Bye' })
    t.deepEqual(changed.ok && changed.value, {
      ...bye.value,
      text: 'Bye',
      updatedAt: new Date(world.clock.now()),
    })
    t.false(await cannedReplies.remove(other, bye.value.id))
    t.true(await cannedReplies.remove(tenantId, bye.value.id))
    t.false(await cannedReplies.remove(tenantId, bye.value.id))
    t.deepEqual(await cannedReplies.list(tenantId), [hours.value])
  })

  // [canned-replies.object.3]
  test(`${name}: a tenant has 500 canned replies at most, also when many are made at once`, async (t) => {
    const world = makeWorld()
    const { cannedReplies } = world.stores
    const { tenantId } = await ownedNumber(world)
    const create = (at: number) => cannedReplies.create(tenantId, { shortcut: `r${at}`, text: 'x' })
    for (let at = 3; at < MOST_CANNED_REPLIES; at++) await create(-at)
    const made = await Promise.all([0, 1, 2, 3, 4, 5].map(create))
    t.is(made.filter(({ ok }) => ok).length, 3)
    t.is(made.filter((one) => codeOf(one) === 'CANNED_REPLY_LIMIT').length, 3)
  })
}
