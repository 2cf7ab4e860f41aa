import test from 'ava'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { templateSuites } from './suites.ts'

templateSuites(test, 'PGlite', sharedDatabase(test, openTestPglite))
