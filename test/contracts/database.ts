import type { TestFn } from 'ava'
import { keptStatement, type Database } from '../../src/storage/engine/database.ts'

let lastId = 0

function newTenant(): readonly [string, string] {
  lastId += 1
  return [`ten_database${lastId}`, `Tenant ${lastId}`]
}

const INSERT = 'insert into tenants (id, name, created_at) values ($1, $2, now())'
const COUNT = 'select count(*)::integer as count from tenants where id = $1'

/** What every Database does. */
export function databaseSuite(test: TestFn, name: string, database: () => Database): void {
  test(`${name}: a transaction keeps all of its statements or none`, async (t) => {
    const [kept, lost] = [newTenant(), newTenant()]
    t.is(
      await database().transaction(async (session) => {
        await session.query(INSERT, kept)
        return 'value'
      }),
      'value',
    )
    await t.throwsAsync(
      database().transaction(async (session) => {
        await session.query(INSERT, lost)
        throw new Error('changed my mind')
      }),
      { message: 'changed my mind' },
    )
    t.deepEqual(await database().query(COUNT, [kept[0]]), [{ count: 1 }])
    t.deepEqual(await database().query(COUNT, [lost[0]]), [{ count: 0 }])
  })

  test(`${name}: a statement that fails inside a transaction rolls it back and the database goes on`, async (t) => {
    const lost = newTenant()
    await t.throwsAsync(
      database().transaction(async (session) => {
        await session.query(INSERT, lost)
        await session.query('select nonsense')
      }),
      { code: '42703' },
    )
    t.deepEqual(await database().query(COUNT, [lost[0]]), [{ count: 0 }])
  })

  test(`${name}: a transaction whose first statement fails, or that has none, is over and holds nothing`, async (t) => {
    const [kept, alone] = [newTenant(), newTenant()]
    for (const [wrong, parameters] of [
      ['select nonsense', []],
      ['select nonsense where $1 = 1', [1]],
      ['select 1 / $1::integer', [0]],
    ] as const) {
      const failing = database().transaction(async (session) => {
        await session.query(wrong, parameters).catch(() => {})
        await session.query(INSERT, kept)
      })
      await t.throwsAsync(failing, { code: '25P02' }, wrong)
    }
    t.is(await database().transaction(() => Promise.resolve('nothing')), 'nothing')
    await database().query(INSERT, alone)
    await t.throwsAsync(
      database().transaction(async (session) => {
        await session.query(COUNT, [alone[0]])
        await session.query(INSERT, kept)
        throw new Error('changed my mind')
      }),
      { message: 'changed my mind' },
    )
    t.deepEqual(await database().query(COUNT, [kept[0]]), [{ count: 0 }])
    t.deepEqual(await database().query(COUNT, [alone[0]]), [{ count: 1 }])
  })

  test(`${name}: an error names its constraint and repeats no values`, async (t) => {
    const [id, name_] = newTenant()
    await database().query(INSERT, [id, name_])
    const error = await t.throwsAsync(database().query(INSERT, [id, name_]), { code: '23505' })
    t.like(error, { constraint: 'tenants_pkey' })
    t.false(`${error?.message} ${JSON.stringify(error)}`.includes(id))
  })

  test(`${name}: a kept statement answers, stores and fails like any other`, async (t) => {
    const [insert, count] = [keptStatement(INSERT), keptStatement(COUNT)]
    for (let n = 0; n < 8; n++) {
      const [id, name_] = newTenant()
      await database().queryKept(insert, [id, `${name_}\0`])
      t.deepEqual(await database().queryKept(count, [id]), [{ count: 1 }])
      const error = await t.throwsAsync(database().queryKept(insert, [id, name_]), { code: '23505' })
      t.false(`${error?.message} ${JSON.stringify(error)}`.includes(id))
    }
  })

  test(`${name}: transactions at once do not mix`, async (t) => {
    const tenants = Array.from({ length: 8 }, newTenant)
    const results = await Promise.allSettled(
      tenants.map((tenant, i) =>
        database().transaction(async (session) => {
          await session.query(INSERT, tenant)
          if (i % 2 === 1) throw new Error('odd')
        }),
      ),
    )
    t.is(results.filter(({ status }) => status === 'rejected').length, 4)
    for (const [i, tenant] of tenants.entries())
      t.deepEqual(await database().query(COUNT, [tenant[0]]), [{ count: i % 2 === 0 ? 1 : 0 }])
  })
}
