import { randomBytes } from 'node:crypto'
import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { openJobs } from '../../src/jobs/jobs.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import { openStores } from '../../src/storage/stores.ts'
import { callEvent, newCall, newNumber } from '../contracts/world.ts'
import { RowLeases } from '../../src/cluster/lease-rows.ts'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'

const database = sharedDatabase(test, openTestPglite)

test.serial('in an open transaction of the embedded database the queue needs nothing from outside it', async (t) => {
  const jobs = await openJobs(database(), silentLog)
  t.teardown(() => jobs.close())
  // The queue has just started and has cached nothing. A step that needed another session would wait forever.
  t.timeout(240_000)
  const fetched = await database().transaction(async (session) => {
    await jobs.insert(session, [
      { group: 'wh_a', data: { n: 1 }, delayMs: 0 },
      { group: 'wh_b', data: { n: 2 }, delayMs: 0 },
    ])
    const found = await jobs.fetch(session, 10, ['wh_b'])
    t.deepEqual(
      [...(await jobs.end(session, found))],
      found.map(({ id }) => id),
    )
    return found
  })
  t.deepEqual(
    fetched.map(({ data }) => data),
    [{ n: 1 }],
  )
})

test.serial('a queue that is closed and opened again has what was in it, and is made only once', async (t) => {
  const first = await openJobs(database(), silentLog)
  await database().query(`delete from ${first.table}`)
  await database().transaction((session) => first.insert(session, [{ group: 'g', data: { n: 1 }, delayMs: 0 }]))
  await first.close()
  const second = await openJobs(database(), silentLog)
  t.teardown(() => second.close())
  t.is(second.table, first.table)
  t.deepEqual(
    (await database().transaction((session) => second.fetch(session, 10, []))).map(({ data }) => data),
    [{ n: 1 }],
  )
})

test.serial('a job ends only for the one who holds it', async (t) => {
  const jobs = await openJobs(database(), silentLog)
  t.teardown(() => jobs.close())
  await database().query(`delete from ${jobs.table}`)
  await database().transaction((session) => jobs.insert(session, [{ group: 'g', data: { n: 1 }, delayMs: 0 }]))
  const [job] = await database().transaction((session) => jobs.fetch(session, 1, []))
  if (!job) throw new Error('the job is missing')
  const end = (claim: number) => database().transaction((session) => jobs.end(session, [{ id: job.id, claim }]))
  t.is((await end(job.claim + 1)).size, 0)
  t.is((await end(job.claim)).size, 1)
  t.is((await end(job.claim)).size, 0)
})

test.serial('the dispatcher is woken after each commit that stored events, and only then', async (t) => {
  let told = 0
  const clock = new FakeClock()
  const stores = openStores({
    database: database(),
    cipher: new AesCipher(randomBytes(32)),
    clock,
    onEvents: () => {
      told += 1
    },
  })
  const { tenantId } = await stores.tenants.create('Told')
  t.is(told, 0)
  const made = await stores.numbers.create(newNumber(tenantId))
  if (!made.ok) throw new Error('the number could not be made')
  t.is(told, 1)
  const { number, key } = made.value
  t.false((await stores.numbers.create(newNumber(tenantId, { number: number.number }))).ok)
  t.is(told, 1, 'a refused number stores nothing')
  const fence = await new RowLeases(database(), newId('node')).acquire(number.id)
  if (!fence) throw new Error('the number could not be leased')
  const owned = { tenantId, number, key, fence }
  await stores.calls.insert(fence, newCall(owned), [callEvent('call.ringing')])
  t.is(told, 2)
  await stores.calls.insert(fence, newCall(owned), [])
  await stores.calls.insert({ ...fence, token: fence.token + 1 }, newCall(owned), [callEvent('call.ringing')])
  await stores.numbers.saveConnection(fence, { state: 'CONNECTING' }, [])
  t.is(told, 2, 'no events, or a writer that lost its number')
  await stores.numbers.saveConnection(fence, { state: 'OPEN' }, [callEvent('number.connected')])
  t.is(told, 3)
  await stores.numbers.remove(tenantId, number.id)
  t.is(told, 4)
  t.false(await stores.numbers.remove(tenantId, number.id))
  t.is(told, 4)
})
