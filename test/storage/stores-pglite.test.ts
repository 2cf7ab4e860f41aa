import test from 'ava'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { storeSuites } from './suites.ts'

storeSuites(test, 'PGlite', sharedDatabase(test, openTestPglite))
