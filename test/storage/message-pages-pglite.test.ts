import test from 'ava'
import { inboxPagesSuite } from '../contracts/inbox-pages.ts'
import { busyNumber, messagePagesSuite } from '../contracts/message-pages.ts'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'

const database = sharedDatabase(test, openTestPglite)
const busy = busyNumber(database)
messagePagesSuite(test, 'PGlite', database, busy)
inboxPagesSuite(test, 'PGlite', database, busy)
