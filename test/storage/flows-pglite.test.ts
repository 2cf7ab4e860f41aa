import test from 'ava'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { flowSuites } from './suites.ts'

flowSuites(test, 'PGlite', sharedDatabase(test, openTestPglite))
