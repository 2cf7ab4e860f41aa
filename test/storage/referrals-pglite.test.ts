import test from 'ava'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { referralSuites } from './suites.ts'

referralSuites(test, 'PGlite', sharedDatabase(test, openTestPglite))
