import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { RowDeliveries } from '../../src/jobs/delivery-rows.ts'
import { openJobs } from '../../src/jobs/jobs.ts'
import { listenForAdmin } from '../../src/gateway/admin-socket.ts'
import { askedSetAsideDesk, setAsideCommands, setAsideDesk } from '../../src/gateway/set-aside-desk.ts'
import type { DeliveryJob } from '../../src/ports/stores/delivery-store.ts'
import { systemClock } from '../../src/process/clock.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import { Relaying } from '../../src/webhooks/relaying.ts'
import { callEvent, ownedNumber } from '../contracts/world.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { silentLog } from '../helpers/silent.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'

const database = sharedDatabase(test, openTestDatabase)
const cipher = new AesCipher(Buffer.alloc(32, 7))
const worlds = worldsOver(database, undefined, cipher)

/** Serial, because counts and lists cover the whole database; each test leaves nothing behind. */
test.serial('an errand that fails leaves its line, is counted, and comes back by a retry', async (t) => {
  const world = worlds()
  const { stores } = world
  const { number, tenantId } = await ownedNumber(world)
  const id = (await stores.errands.note(number.id, { kind: 'settings' }, 0)) ?? ''
  t.deepEqual(
    [await stores.errands.failed(id), await stores.errands.failed(id), await stores.errands.failed('0')],
    [1, 2, 0],
  )
  await stores.setAside.errand(id, { reason: 'TypeError', tries: 3 })
  t.deepEqual(
    (await stores.errands.takeDue(100, 0)).filter(({ numberId }) => numberId === number.id),
    [],
  )
  t.is((await stores.setAside.counts()).get('errands'), 1)
  const [item] = await stores.setAside.list(10)
  t.like(item, { line: 'errands', tenantId, numberId: number.id, reason: 'TypeError', tries: 3 })
  t.is(await stores.setAside.retry(item?.id ?? ''), 'retried')
  t.is(await stores.setAside.retry(item?.id ?? ''), 'unknown')
  t.like(
    (await stores.errands.takeDue(100, 0)).find(({ numberId }) => numberId === number.id),
    { errand: { kind: 'settings' } },
  )
  t.deepEqual(await stores.setAside.list(10), [])
})

test.serial(
  'set aside items are removed with their number, can be dropped for good, and a failed send is not tried again',
  async (t) => {
    const world = worlds()
    const { stores } = world
    const { number, tenantId, fence } = await ownedNumber(world)
    const desk = setAsideDesk({ ...stores, enqueue: null })
    t.is(
      await stores.setAside.deviceEvent(fence, 'log_1', '{"type":"messageReceived","text":"secret words"}', {
        reason: '23514',
        tries: 7,
      }),
      'applied',
    )
    t.is(
      await stores.setAside.deviceEvent({ ...fence, token: fence.token + 1 }, 'log_2', '{}', {
        reason: '23514',
        tries: 7,
      }),
      'fenced',
    )
    await stores.setAside.note(
      { line: 'sends', item: 'msg_1', tenantId, numberId: number.id, accountId: null, reason: '22P02', tries: 4 },
      null,
    )
    t.false((await world.rawTable('set_aside')).includes('secret words'))
    const [told, sent] = await desk.list()
    t.deepEqual(await desk.retry({ ids: [sent?.id ?? '', '999999'], line: null, isAll: false }), {
      done: [],
      final: [sent?.id],
      unknown: ['999999'],
    })
    t.deepEqual(await desk.drop({ ids: [], line: 'sends', isAll: false }), { done: [sent?.id], final: [], unknown: [] })
    t.deepEqual(
      (await desk.list()).map(({ id }) => id),
      [told?.id],
    )
    t.true(await stores.numbers.remove(tenantId, number.id))
    t.deepEqual(await desk.list(), [])
  },
)

test.serial('an event that cannot be handed to the queue is set aside, and those around it go on', async (t) => {
  const world = worlds()
  const { stores } = world
  const { number, tenantId, fence } = await ownedNumber(world)
  const jobs = await openJobs(database(), silentLog)
  t.teardown(() => jobs.close())
  const deliveries = new RowDeliveries({
    database: database(),
    jobs,
    cipher,
    clock: systemClock,
    nodeId: newId('node'),
  })
  await database().query('delete from outbox')
  for (let at = 0; at < 20; at++) await stores.inbox.tell(fence, [callEvent('call.ringing', { at })])
  const [poisoned] = await database().query<{ id: string }>(
    'select id from events where number_id = $1 and data like \'%"at":7}\' limit 1',
    [number.id],
  )
  await database().query("update events set data = '{cut off' where id = $1", [poisoned?.id ?? ''])
  const relaying = new Relaying({
    deliveries,
    setAside: stores.setAside,
    log: silentLog,
    choose: () => new Set(),
    counted: () => {},
  })
  let faults = 0
  for (let hasMore = true; hasMore;) {
    hasMore = await relaying.turn().then(
      (turn) => turn.hasMore,
      () => ++faults < 10,
    )
  }
  t.is(faults, 2)
  t.deepEqual(await database().query('select 1 from outbox'), [])
  const [item, ...others] = await stores.setAside.list(10)
  t.deepEqual(others, [])
  t.like(item, { line: 'outbox', item: poisoned?.id, tenantId, numberId: number.id, reason: 'SyntaxError', tries: 3 })
  t.is(await stores.setAside.retry(item?.id ?? ''), 'retried')
  t.is((await database().query('select 1 from outbox')).length, 1)
  await database().query('delete from outbox')
})

test.serial(
  'over the socket of a running gateway a delivery is queued again, a log is not, and what is no id is refused in words',
  async (t) => {
    const world = worlds()
    const { stores } = world
    const { tenantId } = await ownedNumber(world)
    const queued: DeliveryJob[] = []
    const directory = await temporaryDirectory()
    const desk = setAsideDesk({ ...stores, enqueue: async (job) => void queued.push(job) })
    const socket = await listenForAdmin(
      directory.path,
      { create: unasked, list: unasked, rotate: unasked },
      setAsideCommands(desk),
    )
    t.teardown(async () => {
      socket.close()
      await directory.remove()
    })
    const job: DeliveryJob = { eventId: newId('evt'), webhookId: newId('wh'), tenantId, attempt: 2 }
    const fault = { line: 'deliveries', tenantId, numberId: null, accountId: null, reason: 'Error', tries: 2 } as const
    await stores.setAside.note({ ...fault, item: 'wh/evt' }, JSON.stringify(job))
    await stores.setAside.note({ ...fault, item: 'log_1' }, '{"id":"log_1","status":"FAILED"}')
    const asked = askedSetAsideDesk(directory.path)
    const [delivery, log] = ((await asked.list()) ?? []).map(({ id }) => id)
    t.deepEqual(await asked.retry({ ids: [], line: 'deliveries', isAll: false }), {
      done: [delivery],
      final: [log],
      unknown: [],
    })
    t.deepEqual(queued, [job])
    await t.throwsAsync(asked.drop({ ids: ['first'], line: null, isAll: false }), { message: /an id is a number/ })
    t.deepEqual(await asked.drop({ ids: [], line: null, isAll: true }), { done: [log], final: [], unknown: [] })
  },
)

const unasked = (): never => {
  throw new Error('nobody asks for tenants here')
}
