import test from 'ava'
import { resealingSuite } from '../contracts/resealing.ts'
import { openTestPglite, openTestPostgres, type TestDatabase } from '../helpers/database.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'

/** A database of its own, because the test replaces its keys. */
function ownDatabase(open: () => Promise<TestDatabase>): () => TestDatabase['database'] {
  let opened: TestDatabase | null = null
  test.before(async () => {
    opened = await open()
  })
  test.after.always(() => opened?.close())
  return () => {
    if (!opened) throw new Error('the database is not open')
    return opened.database
  }
}

resealingSuite(test, 'PGlite', ownDatabase(openTestPglite))
const url = TEST_DATABASE_URL
if (url !== null)
  resealingSuite(
    test,
    'PostgreSQL',
    ownDatabase(() => openTestPostgres(url)),
  )
