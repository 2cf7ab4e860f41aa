import test from 'ava'
import { raw } from '@mikro-orm/core'
import type { BoundStatement } from '../../../src/storage/engine/orm-statement.ts'
import { OrmTexts } from '../../../src/storage/engine/orm-texts.ts'

/** A query builder that counts its calls. It binds the texts, numbers and times that it gets in another order. */
function builder() {
  const built: object[] = []
  return {
    built,
    build: (given: object): BoundStatement => {
      built.push(given)
      const parameters = Object.values(given)
        .toReversed()
        .map((value: unknown) =>
          value instanceof Date
            ? value.toISOString()
            : Array.isArray(value)
              ? JSON.stringify(value)
              : (value as string),
        )
      return { sql: `a text of ${parameters.length}`, parameters }
    },
  }
}

test("the SQL for inputs of one shape is built once and then filled with each input's values", (t) => {
  const { built, build } = builder()
  const texts = new OrmTexts()
  t.deepEqual(texts.statement('read', { id: 'a', at: new Date(0), limit: 2 }, build).parameters, [
    2,
    '1970-01-01T00:00:00.000Z',
    'a',
  ])
  t.deepEqual(texts.statement('read', { id: "b'", at: new Date(1), limit: 1_900_000_000 }, build), {
    sql: 'a text of 3',
    parameters: [1_900_000_000, '1970-01-01T00:00:00.001Z', "b'"],
  })
  t.is(built.length, 1)
})

test('inputs get another SQL text when their form, names, nulls, booleans or pieces of SQL differ', (t) => {
  const { built, build } = builder()
  const texts = new OrmTexts()
  for (const given of [
    { id: 'a' },
    { name: 'a' },
    { id: null },
    { id: true },
    { id: false },
    { id: 1 },
    { id: new Date(0) },
    { id: raw('now()') },
    { id: raw('lower(id)') },
  ])
    t.deepEqual(texts.statement('read', given, build), texts.statement('read', given, build))
  texts.statement('update', { id: 'a' }, build)
  t.is(built.length, 10)
})

test('lists of values, pieces of SQL with values, and values that are not bound unchanged get a new SQL text each time', (t) => {
  const { built, build } = builder()
  const texts = new OrmTexts()
  for (const given of [
    { id: ['a', 'b'] },
    { id: raw('lower(?)', ['a']) },
    { id: { of: 'a JSON' } },
    { [raw('lower(id)') as unknown as string]: 'a' },
  ]) {
    const before = built.length
    for (let i = 0; i < 2; i++) texts.statement('read', given, build)
    t.true(built.slice(before).filter((one) => one === given).length === 2)
  }
})

test('two values of one statement are never taken for each other, alike or not', (t) => {
  const { build } = builder()
  const texts = new OrmTexts()
  t.deepEqual(texts.statement('read', { id: 'a', name: 'a' }, build).parameters, ['a', 'a'])
  t.deepEqual(texts.statement('read', { id: 'b', name: 'c' }, build).parameters, ['c', 'b'])
})
