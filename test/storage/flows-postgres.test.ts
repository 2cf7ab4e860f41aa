import test from 'ava'
import { openTestPostgres, sharedDatabase, TEST_DATABASE_URL } from '../helpers/database.ts'
import { flowSuites } from './suites.ts'

const url = TEST_DATABASE_URL
if (url === null) {
  test.skip('Flows keep their contract on PostgreSQL (TEST_DATABASE_URL is not set)', () => {})
} else {
  const database = sharedDatabase(test, () => openTestPostgres(url))
  flowSuites(test, 'PostgreSQL', database)
}
