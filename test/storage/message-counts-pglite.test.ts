import test from 'ava'
import { LongConversations } from '../../src/storage/messages/long-conversations.ts'
import { messageChangePurgeSuite } from '../contracts/message-changes.ts'
import { keyFillSuite } from '../contracts/message-keys.ts'
import { messageCountsSuite, SMALL } from '../contracts/message-counts.ts'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'

const database = sharedDatabase(test, openTestPglite)
const makeWorld = worldsOver(database)
messageCountsSuite(test, 'PGlite', makeWorld, () => new LongConversations({ database: database() }, SMALL))
messageChangePurgeSuite(test, 'PGlite', makeWorld)
keyFillSuite(test, 'PGlite', makeWorld, database)
