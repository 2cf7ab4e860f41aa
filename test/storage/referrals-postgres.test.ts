import test from 'ava'
import { openTestPostgres, sharedDatabase } from '../helpers/database.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { referralSuites } from './suites.ts'

const url = TEST_DATABASE_URL
if (url === null) {
  test.skip('referrals keep their contract on PostgreSQL (TEST_DATABASE_URL is not set)', () => {})
} else {
  referralSuites(
    test,
    'PostgreSQL',
    sharedDatabase(test, () => openTestPostgres(url)),
  )
}
