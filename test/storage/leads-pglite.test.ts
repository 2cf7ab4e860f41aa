import test from 'ava'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'
import { leadSuites } from './suites.ts'

leadSuites(test, 'PGlite', worldsOver(sharedDatabase(test, openTestPglite)))
