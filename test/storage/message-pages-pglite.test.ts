import test from 'ava'
import { messagePagesSuite } from '../contracts/message-pages.ts'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'

messagePagesSuite(test, 'PGlite', sharedDatabase(test, openTestPglite))
