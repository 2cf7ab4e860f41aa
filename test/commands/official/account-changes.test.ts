import test from 'ava'
import { createOfficialAccounts } from '../../../src/commands/official/official.ts'
import type { OfficialPorts, TemplateTold } from '../../../src/commands/official/ports.ts'
import { openAccountChanges } from '../../../src/gateway/open-account-changes.ts'
import { createUpkeep } from '../../../src/gateway/upkeep.ts'
import { readAccountEvents } from '../../../src/providers/official/inbound/account-events.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import { StoreAway } from '../../../src/domain/store-away.ts'
import { account, accountChange } from '../../contracts/account-change-store.ts'
import type { World } from '../../contracts/world.ts'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { ScriptedPlatform } from '../../helpers/http-memory-official.ts'
import { noMetrics, silentLog } from '../../helpers/silent.ts'
import { until, within } from '../../helpers/until.ts'
import { worldsOver } from '../../contracts/sql-worlds.ts'
import { portsOver } from './official-rig.ts'

const worlds = worldsOver(sharedDatabase(test, openTestPglite))

/** The work on account changes, over the real rows. The store of numbers throws `failing` when it is set. */
function work(world: World) {
  const { official } = world.stores
  const hastened: string[] = []
  const told: TemplateTold[] = []
  const script: { failing: Error | null; hasten: (accountId: string) => unknown } = { failing: null, hasten: () => {} }
  const hasten = official.hastenCalling.bind(official)
  official.hastenCalling = async (tenantId, accountId) => {
    if (script.failing) throw script.failing
    await script.hasten(accountId)
    hastened.push(accountId)
    return hasten(tenantId, accountId)
  }
  const ports: OfficialPorts = {
    ...portsOver(world),
    async templateTold(one) {
      if (script.failing) throw script.failing
      told.push(one)
    },
  }
  const workOffWith = (changes: Partial<OfficialPorts>, isWanted = always) =>
    createOfficialAccounts({ ...ports, ...changes }).workOff(isWanted)
  return { ports, hastened, told, script, workOffWith, run: () => workOffWith({}) }
}

function always(): boolean {
  return true
}

test.serial(
  'one change of an account of 40 numbers is worked off once, and makes the waiting tries of all of them due',
  async (t) => {
    const world = worlds(Date.UTC(2031, 0, 1))
    const { tenantId, accountId, target, numbers } = await account(world, 40)
    for (const { id } of numbers)
      await world.stores.official.save(tenantId, id, {
        callingStatus: 'PENDING_TIER',
        callingRetry: { tries: 3, inMs: 3_600_000 },
      })
    const { hastened, ports, run } = work(world)
    const upkeep = createUpkeep({ clock: world.clock, log: silentLog, metrics: noMetrics })
    const chore = openAccountChanges({ upkeep }, createOfficialAccounts(ports))
    upkeep.start()
    const { numbers: woken, accounts } = await world.stores.inbound.accept(target, [accountChange(target, 1)])
    t.deepEqual([woken, accounts], [[], [accountId]], 'no actor is woken, the account is told')
    chore.wake()
    await until('it is worked off', async () => (await world.rawTable('account_changes')) === '[]')
    await upkeep.stop()
    t.deepEqual(hastened, [accountId])
    t.false(await run())
    const due = await world.stores.official.takeDueCalling(1_000, 60_000)
    t.is(due.filter(({ numberId }) => numbers.some(({ id }) => id === numberId)).length, 40)
    const leased = await world.rawTable('number_leases')
    t.false(
      numbers.some(({ id }) => leased.includes(id)),
      'no node took any of the numbers',
    )
  },
)

// [message-verbs.pace.8]
test.serial(
  'changes of limits that wait together are one read of the account, whose running numbers go on by what it says',
  async (t) => {
    const world = worlds(Date.UTC(2031, 6, 1))
    const { tenantId, accountId, target, numbers } = await account(world, 3)
    const { workOffWith } = work(world)
    const [one, other] = numbers
    if (!one?.official || !other?.official) return t.fail()
    for (const { id } of [one, other]) await world.leases().acquire(id)
    const upstream = new ScriptedPlatform()
    upstream.script = {
      'health.readLimits': () =>
        succeed([{ phoneId: one.official?.phoneId ?? '', messagingLimitTier: 'TIER_10K', perSecond: 1_000 }]),
    }
    const done: unknown[] = []
    await world.stores.inbound.accept(
      target,
      [1, 2, 3].map((n) => accountChange(target, n)),
    )
    await workOffWith({
      officialOf: upstream.officialOf,
      askApplySettings: async (id, { limits }) => {
        done.push([id, limits?.messagingLimitTier, limits?.perSecond])
        return succeed(null)
      },
      queue: {
        letGo: async (...of) => {
          done.push(of)
          return [other.id]
        },
      },
      sendsQueued: (id) => void done.push(id),
    })
    t.deepEqual(
      upstream.asked.map(({ op }) => op),
      ['health.readLimits'],
    )
    t.deepEqual(done, [[one.id, 'TIER_10K', 1_000], [tenantId, accountId], other.id])
    t.like((await world.stores.numbers.load(one.id))?.official, { messagingLimitTier: 'TIER_10K', perSecond: 1_000 })
  },
)

test.serial('limits that upstream does not tell hold up nothing that is told of the account', async (t) => {
  const world = worlds(Date.UTC(2031, 7, 1))
  const { target } = await account(world)
  const { workOffWith } = work(world)
  const upstream = new ScriptedPlatform()
  upstream.script = { 'health.readLimits': () => fail(refuse('OFFICIAL_ERROR', 'no answer')) }
  await world.stores.inbound.accept(target, [accountChange(target, 1)])
  t.true(await workOffWith({ officialOf: upstream.officialOf }))
  t.is(await world.rawTable('account_changes'), '[]')
})

test.serial('a number that cannot be told of its limits holds up nothing that waited for higher ones', async (t) => {
  const world = worlds(Date.UTC(2031, 8, 1))
  const { target, numbers } = await account(world)
  const { workOffWith } = work(world)
  const upstream = new ScriptedPlatform()
  const phoneId = numbers[0]?.official?.phoneId ?? ''
  upstream.script = {
    'health.readLimits': () => succeed([{ phoneId, messagingLimitTier: 'TIER_10K', perSecond: 1_000 }]),
  }
  const woken: unknown[] = []
  await world.stores.inbound.accept(target, [accountChange(target, 1)])
  await workOffWith({
    officialOf: upstream.officialOf,
    askApplySettings: () => Promise.reject(new StoreAway('gone')),
    queue: { letGo: async () => ['num_waiting'] },
    sendsQueued: (id) => void woken.push(id),
  })
  t.deepEqual(woken, ['num_waiting'])
})

test.serial('a change worked off twice does no more than once', async (t) => {
  const world = worlds(Date.UTC(2032, 0, 1))
  const { tenantId, target, numbers } = await account(world)
  const numberId = numbers[0]?.id ?? (t.fail() as never)
  await world.stores.official.save(tenantId, numberId, {
    callingStatus: 'PENDING_TIER',
    callingRetry: { tries: 3, inMs: 3_600_000 },
  })
  await world.stores.inbound.accept(target, [accountChange(target, 1)])
  const { run, hastened, ports, workOffWith } = work(world)
  // The process is killed after the work and before the change is settled.
  t.true(
    await workOffWith({
      accountChanges: {
        take: (...how) => ports.accountChanges.take(...how),
        settle: () => Promise.reject(new Error('killed')),
        failed: () => Promise.reject(new Error('killed')),
      },
    }),
  )
  t.false(await run(), 'its account is still taken')
  world.clock.advance(60_000)
  t.true(await run())
  t.is(hastened.length, 2)
  const due = await world.stores.official.takeDueCalling(1_000, 60_000)
  t.deepEqual(
    due.filter((one) => one.numberId === numberId).map(({ tries }) => tries),
    [3],
    'one try, which is the next of its row',
  )
  t.false(await run())
})

test.serial('changes that were stored but not yet taken survive a kill', async (t) => {
  const world = worlds(Date.UTC(2033, 0, 1))
  const { accountId, target } = await account(world)
  await world.stores.inbound.accept(target, [accountChange(target, 1), accountChange(target, 2)])
  // Another node, or the same one after a restart: it knows only the rows.
  const { run, hastened } = work(worlds(Date.UTC(2033, 0, 1, 0, 0, 1)))
  t.true(await run())
  t.deepEqual(hastened, [accountId, accountId])
  t.false(await run())
})

test.serial('a failure holds its account back until its lease is over, and no other', async (t) => {
  const world = worlds(Date.UTC(2034, 0, 1))
  const [one, two] = [await account(world), await account(world)]
  const { run, hastened, script } = work(world)
  await world.stores.inbound.accept(one.target, [accountChange(one.target, 1), accountChange(one.target, 2)])
  script.failing = new Error('the database is away')
  t.true(await run())
  script.failing = null
  await world.stores.inbound.accept(two.target, [accountChange(two.target, 1)])
  t.true(await run())
  t.deepEqual(hastened, [two.accountId])
  world.clock.advance(60_000)
  t.true(await run())
  t.deepEqual(hastened, [two.accountId, one.accountId, one.accountId])
  t.is(await world.rawTable('account_changes'), '[]')
})

test.serial(
  'a change that fails three times for a reason of its own is set aside, and what follows it is worked off',
  async (t) => {
    const world = worlds(Date.UTC(2034, 6, 1))
    const { accountId, target } = await account(world)
    const { run, hastened, workOffWith } = work(world)
    await world.stores.inbound.accept(target, [accountChange(target, 1), accountChange(target, 2)])
    const readEvents = (field: string, value: string) => {
      if (value === '{"n":1}') throw new RangeError('poison')
      return readAccountEvents(field, value)
    }
    for (const expected of [[], [], [accountId]]) {
      t.true(await workOffWith({ readEvents }))
      t.deepEqual(hastened, expected)
      world.clock.advance(10_000)
    }
    const [item, ...others] = (await world.stores.setAside.list(10)).filter((one) => one.accountId === accountId)
    t.deepEqual(others, [])
    t.like(item, { line: 'account-changes', reason: 'RangeError', tries: 3 })
    t.false(await run())
    t.is(await world.stores.setAside.retry(item?.id ?? ''), 'retried')
    t.true(await run())
    t.deepEqual(hastened, [accountId, accountId])
    t.is(await world.rawTable('account_changes'), '[]')
  },
)

test.serial('an older service settles a field that a newer one stored, and ignores it', async (t) => {
  const world = worlds(Date.UTC(2035, 0, 1))
  const { target } = await account(world)
  await world.stores.inbound.accept(target, [accountChange(target, 1)])
  const { hastened, workOffWith } = work(world)
  t.true(await workOffWith({ readEvents: (_field, value) => readAccountEvents('field_of_2030', value) }))
  t.deepEqual([hastened, await world.rawTable('account_changes')], [[], '[]'])
})

test.serial(
  'a template change is applied once for its account, with its time, and again after a failure',
  async (t) => {
    const world = worlds(Date.UTC(2036, 0, 1))
    const { tenantId, accountId, target } = await account(world, 3)
    const value =
      '{"event":"APPROVED","message_template_id":12345678901234567890,"message_template_name":"order_sent","message_template_language":"en-US"}'
    await world.stores.inbound.accept(target, [
      accountChange(target, 1, {
        field: 'message_template_status_update',
        value,
        at: new Date(Date.UTC(2035, 11, 31)),
      }),
    ])
    const { run, told, script } = work(world)
    script.failing = new Error('the database is away')
    t.true(await run())
    t.deepEqual(told, [])
    script.failing = null
    world.clock.advance(60_000)
    t.true(await run())
    t.deepEqual(told, [
      {
        tenantId,
        accountId,
        kind: 'STATUS',
        at: new Date(Date.UTC(2035, 11, 31)),
        ref: { externalId: '12345678901234567890', name: 'order_sent', language: 'en-US' },
        value: {
          event: 'APPROVED',
          message_template_id: '12345678901234567890',
          message_template_name: 'order_sent',
          message_template_language: 'en-US',
        },
      },
    ])
    t.false(await run())
  },
)

test.serial(
  'a template is told of at the time that upstream says, at that of its arrival where there is none or it is days ahead',
  async (t) => {
    const nowMs = Date.UTC(2037, 0, 1)
    const world = worlds(nowMs)
    const { target } = await account(world)
    const { run, told } = work(world)
    const DAY_MS = 24 * 3_600_000
    const cases: readonly (readonly [at: number | null, expected: number])[] = [
      [nowMs - 7 * DAY_MS, nowMs - 7 * DAY_MS],
      [nowMs + DAY_MS, nowMs + DAY_MS],
      [nowMs + DAY_MS + 1_000, nowMs],
      [null, nowMs],
    ]
    await world.stores.inbound.accept(
      target,
      cases.map(([at], n) =>
        accountChange(target, n, {
          field: 'template_category_update',
          value: `{"message_template_name":"n${n}"}`,
          at: at === null ? null : new Date(at),
        }),
      ),
    )
    t.true(await run())
    t.deepEqual(
      told.map(({ at }) => at.getTime()),
      cases.map(([, expected]) => expected),
    )
  },
)

// [message-verbs.delivery.6]
test.serial(
  'signed terms are told of the account that they name, else of the one that was told, in its tenant',
  async (t) => {
    const world = worlds(Date.UTC(2037, 6, 1))
    const { target, tenantId, accountId } = await account(world)
    const signed: unknown[] = []
    const { workOffWith } = work(world)
    const news = [
      { event: 'MM_LITE_TERMS_SIGNED', waba_info: { waba_id: '777' } },
      { event: 'MM_LITE_TERMS_SIGNED' },
      { event: 'VERIFIED_ACCOUNT', waba_info: { waba_id: '777' } },
    ]
    await world.stores.inbound.accept(
      target,
      news.map((value, n) => accountChange(target, n, { field: 'account_update', value: JSON.stringify(value) })),
    )
    t.true(await workOffWith({ marketingSigned: async (of) => void signed.push(of) }))
    t.deepEqual(signed, [
      { tenantId, accountId: '777' },
      { tenantId, accountId },
    ])
    t.false(await workOffWith({}))
  },
)

test.serial('accounts whose upstream does not answer hold up no other, nor what is told later', async (t) => {
  const world = worlds(Date.UTC(2038, 0, 1))
  const [slow, other] = [await account(world), await account(world)]
  const { ports, hastened, script } = work(world)
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const upkeep = createUpkeep({ clock: world.clock, log: silentLog, metrics: noMetrics })
  const chore = openAccountChanges({ upkeep }, createOfficialAccounts(ports))
  script.hasten = async (accountId) => {
    if (accountId !== slow.accountId) return
    asked.resolve()
    await answer.promise
  }
  await world.stores.inbound.accept(slow.target, [accountChange(slow.target, 1)])
  upkeep.start()
  await within('upstream is asked', asked.promise)
  for (const n of [1, 2]) {
    await world.stores.inbound.accept(other.target, [accountChange(other.target, n)])
    chore.wake()
    await until('the other account is worked off', () => hastened.length === n)
  }
  t.deepEqual(hastened, [other.accountId, other.accountId])
  answer.resolve()
  await upkeep.stop()
})

test.serial(
  'an account whose upstream is slow is left after 20 s until its lease is over, and at once by a node that stops',
  async (t) => {
    const world = worlds(Date.UTC(2039, 0, 1))
    const { target } = await account(world)
    const { run, hastened, script, workOffWith } = work(world)
    await world.stores.inbound.accept(
      target,
      [1, 2, 3, 4, 5].map((n) => accountChange(target, n)),
    )
    script.hasten = () => world.clock.advance(10_000)
    t.true(await run())
    t.is(hastened.length, 2)
    script.hasten = () => {}
    t.false(await run(), 'the rest waits for the lease')
    world.clock.advance(40_000)
    t.true(await workOffWith({}, () => hastened.length < 3))
    t.is(hastened.length, 3)
    world.clock.advance(60_000)
    t.true(await run())
    t.is(hastened.length, 5)
    t.is(await world.rawTable('account_changes'), '[]')
  },
)
