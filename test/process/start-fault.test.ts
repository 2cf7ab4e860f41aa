import test from 'ava'
import { binding, databaseFault, faultLine, inOneLine } from '../../src/process/start-fault.ts'

function coded(code: string): Error {
  return Object.assign(new Error('as the system says it'), { code })
}

async function lineOf(code: string): Promise<string | null> {
  return await binding('PORT', '10.0.0.1', 80, () => Promise.reject(coded(code))).then(() => null, faultLine)
}

test('a port that cannot be bound is told in one line with its variable and the way out', async (t) => {
  t.is(await lineOf('EADDRINUSE'), 'PORT 80 is taken: stop the other program or set PORT')
  t.is(await lineOf('EACCES'), 'PORT 80 may not be opened by this user: set PORT to a port above 1023')
  t.is(await lineOf('EADDRNOTAVAIL'), 'HOST 10.0.0.1 is no address of this machine: set HOST')
  t.is(await lineOf('EMFILE'), null, 'a fault of ours keeps its stack')
})

test('a database that cannot be used is named without its password', (t) => {
  const url = 'postgres://user:secret@db.example:6432/messages'
  t.is(
    faultLine(databaseFault(url, coded('ECONNREFUSED'))),
    'DATABASE_URL: db.example:6432/messages cannot be used, nothing listens there: start PostgreSQL or correct DATABASE_URL',
  )
  t.regex(faultLine(databaseFault(url, new AggregateError([coded('ECONNREFUSED')]))) ?? '', /nothing listens there/)
  t.regex(faultLine(databaseFault(url, new Error('wrapped', { cause: coded('28P01') }))) ?? '', /refuses the password/)
  t.is(databaseFault(url, new Error('a bug')), null)
  t.regex(faultLine(databaseFault(url, coded('28000'))) ?? '', /refuses the user user: write DATABASE_URL as postgres:/)
})

test('an error that already says what to do is shown in one line with its variable', (t) => {
  t.is(
    faultLine(t.throws(() => inOneLine('DATA_DIR')(new Error('EACCES: permission denied')))),
    'DATA_DIR: EACCES: permission denied',
  )
  t.is(
    faultLine(t.throws(() => inOneLine('DATA_DIR')(new Error('in use: set another DATA_DIR')))),
    'in use: set another DATA_DIR',
  )
})
