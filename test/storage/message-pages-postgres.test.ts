import test from 'ava'
import { inboxPagesSuite } from '../contracts/inbox-pages.ts'
import { busyNumber, messagePagesSuite } from '../contracts/message-pages.ts'
import { openTestPostgres, sharedDatabase } from '../helpers/database.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'

const url = TEST_DATABASE_URL
if (url === null) test.skip('pages of messages are read alone on PostgreSQL (TEST_DATABASE_URL is not set)', () => {})
else {
  const database = sharedDatabase(test, () => openTestPostgres(url))
  const busy = busyNumber(database)
  messagePagesSuite(test, 'PostgreSQL', database, busy)
  inboxPagesSuite(test, 'PostgreSQL', database, busy)
}
