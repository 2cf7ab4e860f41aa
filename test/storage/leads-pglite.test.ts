import test from 'ava'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { leadSuites } from './suites.ts'

leadSuites(test, 'PGlite', sharedDatabase(test, openTestPglite))
