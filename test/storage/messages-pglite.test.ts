import test from 'ava'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { messageSuites } from './suites.ts'

messageSuites(test, 'PGlite', sharedDatabase(test, openTestPglite))
