import { patternsOf } from './test/gate/patterns.ts'

/**
 * Sorts the files. Whole-service and browser tests begin first, because they wait more than they compute. The groups
 * come next, because they are long. The other files fill the processor time that these leave.
 */
function longestFirst(a, b) {
  return weightOf(b) - weightOf(a) || a.localeCompare(b)
}

function weightOf(file) {
  if (file.includes('/test/e2e/') || file.includes('/test/web/')) return 2
  return file.endsWith('.group.ts') ? 1 : 0
}

/** The program that starts the run may name a module that observes it (`test/gate/observer.ts`). */
const observed = process.env.TEST_OBSERVER ? (await import(process.env.TEST_OBSERVER)).default : {}

export default {
  ...observed,
  files: patternsOf(process.env),
  extensions: ['ts'],
  nodeArguments: [
    '--disable-warning=ExperimentalWarning',
    `--import=${new URL('test/helpers/stripped-types.js', import.meta.url).href}`,
  ],
  require: ['./test/helpers/no-hanging.ts'],
  // After this long without any progress ava names the unfinished tests and ends the run. It is longer than any test's
  // own limit (test/helpers/size.ts).
  timeout: process.env.TEST_FULL === '1' ? '21m' : '10m',
  // Two files for each of two processors (measured): with more they wait for each other, with fewer a processor is
  // idle.
  concurrency: 4,
  sortTestFiles: longestFirst,
}
