import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { Client } from 'pg'

/** The server that tests may use; undefined without one. */
const SERVER = process.env['TEST_DATABASE_URL'] || undefined

/**
 * Declares a test that needs PostgreSQL; without TEST_DATABASE_URL it is skipped, and says why. Those of a file run one
 * after another, because each engine takes connections of a server that others test with too.
 */
export function testWithPostgres(title: string, run: (t: ExecutionContext, server: string) => Promise<void>): void {
  if (SERVER === undefined) test.skip(`${title} (needs TEST_DATABASE_URL)`, () => {})
  else test.serial(title, (t) => run(t, SERVER))
}

/** Runs a statement on a server, on a connection of its own; resolves to its rows. */
export async function runOn(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(sql, values)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

/** Makes a database that is dropped after the test; resolves to its URL. */
export async function temporaryDatabase(t: Pick<ExecutionContext, 'teardown'>, server: string): Promise<string> {
  const name = `engine_test_${randomBytes(6).toString('hex')}`
  await runOn(server, `create database ${name}`)
  t.teardown(() => runOn(server, `drop database if exists ${name} with (force)`))
  const url = new URL(server)
  url.pathname = name
  return url.href
}
