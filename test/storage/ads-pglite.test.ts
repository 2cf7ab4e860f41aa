import test from 'ava'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { adSuites } from './suites.ts'

adSuites(test, 'PGlite', sharedDatabase(test, openTestPglite))
