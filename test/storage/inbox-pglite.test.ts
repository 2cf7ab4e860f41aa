import test from 'ava'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { inboxSuites } from './suites.ts'

inboxSuites(test, 'PGlite', sharedDatabase(test, openTestPglite))
