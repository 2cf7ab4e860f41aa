/**
 * `npm run mutate -- [files]`: changes what is decided purely in one place after another, and tells which changes no
 * test notices. Ends with 1 below the score that is wanted.
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { SHORT_LIVED } from '../helpers/short-lived.ts'
import { installMutator } from './install.ts'
import { reasonOf } from './known.ts'
import { scoreOf, survivorsText, type Change } from './score.ts'

/** What is decided purely. */
const DECIDED = [
  'src/domain/**/*.ts',
  'src/cluster/token-bucket.ts',
  'src/commands/oauth/decide.ts',
  'actors/**/decide.ts',
]
/** Of 100 changes that are noticed, at least so many. */
const WANTED = 90
/** our choice, in ms: a change that makes a test hang is noticed too. */
const LONGEST_MS = 15_000
/** our choice: a process keeps each test file that it ever loaded. */
const MOST_TRIED = 100
/** our choice: every unit test may be run once before the first change. */
const PLAN_MINUTES = 60
const OPTIONS = ['--disable-warning=ExperimentalWarning', '--import=./test/helpers/stripped-types.js', ...SHORT_LIVED]
/** Its types are not there before it is installed. */
const MUTATOR: string = '@stryker-mutator/core'

async function changesOf(files: readonly string[]): Promise<Change[]> {
  const { Stryker } = await import(MUTATOR)
  return await new Stryker({
    mutate: files,
    testRunner: 'in-process',
    plugins: [fileURLToPath(new URL('runner.ts', import.meta.url))],
    testRunnerNodeArgs: OPTIONS,
    coverageAnalysis: 'perTest',
    maxTestRunnerReuse: MOST_TRIED,
    concurrency: availableParallelism(),
    timeoutMS: LONGEST_MS,
    // The run that plans takes minutes, which says nothing of how long a change may be tried.
    timeoutFactor: 0,
    dryRunTimeoutMinutes: PLAN_MINUTES,
    reporters: ['progress-append-only'],
    tempDirName: '.cache/mutation',
    ignorePatterns: [
      '/.cache',
      '/engines/*/node_modules',
      '/examples/*/node_modules',
      '/examples/*/.next',
      '/clients',
      '/docs',
      '/data',
    ],
    // Node strips the types of the copy; nothing compiles it.
    tsconfigFile: 'no-tsconfig.json',
  }).runMutationTest()
}

installMutator()
const asked = process.argv.slice(2)
const changes = await changesOf(asked.length > 0 ? asked : DECIDED)
const score = scoreOf(changes)
process.stdout.write(
  `${survivorsText(changes, reasonOf)}${score.toFixed(1)} % of ${changes.length} changes are noticed\n`,
)
process.exitCode = score < WANTED ? 1 : 0
