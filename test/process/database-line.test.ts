import test from 'ava'
import { databaseLine } from '../../src/process/database-line.ts'

const line = (databaseUrl: string | null, isNew = false) =>
  databaseLine({ of: 'command', databaseUrl, dataDir: './data', isNew })

test('the line of a command names the database that it used, and whether it is new', (t) => {
  t.is(databaseLine({ of: 'gateway', dataDir: './data' }), 'database: of the gateway that runs in ./data')
  t.is(line(null, true), 'database: embedded, data/pglite (new)')
  t.is(line(null), 'database: embedded, data/pglite')
  t.is(line('postgres://127.0.0.1/cms', true), 'database: PostgreSQL 127.0.0.1:5432/cms (new)')
  t.is(line('postgresql://db.example:6432/cms?schema=two'), 'database: PostgreSQL db.example:6432/cms, schema two')
  t.is(line('postgres:///cms?host=/run/postgresql'), 'database: PostgreSQL /run/postgresql:5432/cms')
})

test('the line never holds a user or a password', (t) => {
  t.is(
    line('postgres://user:secret@db.example/cms?password=secret&sslmode=require'),
    'database: PostgreSQL db.example:5432/cms',
  )
})
