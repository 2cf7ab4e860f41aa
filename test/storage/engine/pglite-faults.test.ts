import test from 'ava'
import { awayKindOf } from '../../../src/storage/engine/failures.ts'
import { describeError, isProgramFault } from '../../../src/storage/engine/pglite-faults.ts'

/** Errors in the form in which Emscripten throws them. */
const EXIT_STATUS = { name: 'ExitStatus', message: 'Program terminated with exit(100)', status: 100 }
const TRAP: Error = new (Reflect.get(globalThis, 'WebAssembly').RuntimeError)(
  'Aborted(). Build with -sASSERTIONS for more info.',
)
const DATABASE_ERROR = Object.assign(new Error('duplicate key'), {
  code: '23505',
  constraint: 'kept_pkey',
  detail: 'Key (id)=(1)',
  line: 7,
})

test('a program that ended, or trapped, is told from a database that refuses a statement', (t) => {
  t.deepEqual([EXIT_STATUS, TRAP, 'unwind', undefined].map(isProgramFault), [true, true, true, true])
  t.deepEqual([DATABASE_ERROR, new TypeError('of a parameter')].map(isProgramFault), [false, false])
})

test('a thrown value that is no Error keeps its text, which shows that the database is gone', (t) => {
  const { message } = describeError(EXIT_STATUS)
  t.is(message, 'Program terminated with exit(100)')
  t.is(awayKindOf(new Error(message)), 'gone')
  t.is(awayKindOf(new Error(describeError(TRAP).message)), 'gone')
})

test('an error of the database is reported with its code and names only, without values', (t) => {
  t.deepEqual(describeError(DATABASE_ERROR), { message: 'duplicate key', code: '23505', constraint: 'kept_pkey' })
})
