import test from 'ava'
import { openTestPostgres, sharedDatabase } from '../helpers/database.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { inboxSuites } from './suites.ts'

const url = TEST_DATABASE_URL
if (url === null) test.skip('the inbox is read on the embedded database alone (TEST_DATABASE_URL is not set)', () => {})
else
  inboxSuites(
    test,
    'PostgreSQL',
    sharedDatabase(test, () => openTestPostgres(url)),
  )
