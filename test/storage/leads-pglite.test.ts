import test from 'ava'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { leadSuites, worldsOver } from './suites.ts'

leadSuites(test, 'PGlite', worldsOver(sharedDatabase(test, openTestPglite)))
