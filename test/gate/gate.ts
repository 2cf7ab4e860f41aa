/**
 * The gate: runs every test, on the embedded stores and on real servers; `.ci/run` provides what it needs and calls it.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFlakes, rowOf, writeFlakes } from './flakes.ts'
import { runPart, type Part } from './part.ts'
import { isGreen, MOST_FLAKES, type Outcome, shareOf, together, turnOf } from './verdict.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ENGINE = join(ROOT, 'engines/baileys')
const FLAKES = join(ROOT, '.ci/flakes.md')
const ALONE = ['--serial', '--concurrency', '1']

/** The command that README promises to work. */
const PROMISED: Part = {
  name: 'npm test',
  minutes: 6,
  cwd: ROOT,
  command: ['npm', 'test'],
  again: (files) => ({ command: ['node', 'test/run.ts', ...ALONE, ...files], env: { TEST_TOGETHER: '1' } }),
}

/**
 * The gate has names of its own for the servers, because `npm test` must run without servers, as a reader of README
 * runs it.
 */
const SERVERS = {
  TEST_DATABASE_URL: process.env['GATE_DATABASE_URL'] ?? '',
  TEST_REDIS_URL: process.env['GATE_REDIS_URL'] ?? '',
}

/**
 * The same stores, cluster and stories on PostgreSQL and Redis, with ledgers and races at full size on a machine that
 * is fast enough.
 */
const ON_SERVERS: Part = {
  name: 'npm run test:services',
  minutes: 21,
  cwd: ROOT,
  command: ['npm', 'run', 'test:services'],
  env: { ...SERVERS, TEST_FULL: '1' },
  again: (files) => ({ command: ['node', 'test/run.ts', ...ALONE, ...files], env: { TEST_SERVICES: '1' } }),
}

/**
 * The tests of the engine, which is a package of its own; its store is held to its contract on PostgreSQL too. Its
 * ledgers run at full size only by hand (TEST_FULL=1), because linking their numbers alone takes minutes.
 */
const OF_ENGINE: Part = {
  name: 'npm run test:engine',
  minutes: 4,
  cwd: ROOT,
  command: ['npm', 'run', 'test:engine'],
  env: { TEST_DATABASE_URL: SERVERS.TEST_DATABASE_URL, TEST_FULL: '0' },
  isHeld: true,
  again: (files) => ({ command: ['sh', '-c', 'cd "$0" && exec ava "$@"', ENGINE, ...ALONE, ...files] }),
}

/** The tests of the examples, of which some have packages of their own. */
const OF_EXAMPLES: Part = {
  name: 'npm run test:examples',
  minutes: 3,
  cwd: ROOT,
  command: ['npm', 'run', 'test:examples'],
  isHeld: true,
  again: (files) => ({ command: ['node', 'test/run.ts', ...ALONE, ...files] }),
}

/** Calls that are heard in real time: with other tests beside them a peer's phone itself would lose audio. */
const IN_QUIET: Part = {
  name: 'npm run test:quiet',
  minutes: 2,
  cwd: ROOT,
  command: ['npm', 'run', 'test:quiet'],
  env: { ...SERVERS, TEST_FULL: '1' },
  again: (files) => ({ command: ['node', 'test/run.ts', ...ALONE, ...files] }),
}

/** our choice, in ms: the gate ends by itself and reports before its caller gives up (90 minutes with installing). */
const LONGEST_MS = 82 * 60_000

function announce(): void {
  const minutes =
    PROMISED.minutes + Math.max(ON_SERVERS.minutes, OF_ENGINE.minutes + OF_EXAMPLES.minutes) + IN_QUIET.minutes
  process.stdout.write(
    `The gate takes about ${minutes} minutes on two quiet cores: ${PROMISED.name} ${PROMISED.minutes}, then ${ON_SERVERS.name} ${ON_SERVERS.minutes}, beside ${OF_ENGINE.name} and ${OF_EXAMPLES.name}, then ${IN_QUIET.name} ${IN_QUIET.minutes}.\n`,
  )
  const listed = readFlakes(FLAKES)
  if (listed.length > 0) process.stdout.write(`Mend these first, they stand in .ci/flakes.md:\n${listed.join('\n')}\n`)
}

function conclude({ passed, skipped, failed, flakes }: Outcome): void {
  const day = new Date().toISOString().slice(0, 10)
  const rows = flakes.map((flake) => rowOf(ROOT, flake, day))
  if (rows.length > 0) writeFlakes(FLAKES, [...readFlakes(FLAKES), ...rows])
  const told = [...failed.map((red) => `failed: ${rowOf(ROOT, red, day)}`), ...rows.map((row) => `flake:  ${row}`)]
  if (flakes.length > MOST_FLAKES) told.push(`More than ${MOST_FLAKES} flakes fail a run.`)
  process.stdout.write(
    `\n${told.map((line) => `${line}\n`).join('')}${passed} passed, ${failed.length} failed, ${skipped} skipped\n`,
  )
}

/** Says which part of their full counts ledgers have, after the first part took so long; 0 for small sizes. */
function shareAfter(ms: number): number {
  const share = shareOf(ms, PROMISED.minutes * 60_000)
  const sizes =
    share === 0
      ? 'their small sizes, and half of the stories that only the gate runs are left out until tomorrow'
      : `${Math.round(share * 100)} % of their full counts`
  process.stdout.write(`\n${PROMISED.name} took ${Math.round(ms / 60_000)} minutes: ledgers have ${sizes}.\n`)
  return share
}

function withShare(part: Part, share: number): Part {
  return { ...part, env: { ...part.env, TEST_SHARE: String(share) } }
}

function inTurn(part: Part, turn: 0 | 1 | null): Part {
  return turn === null ? part : { ...part, env: { ...part.env, TEST_TURN: String(turn) } }
}

/** What has packages of its own, one after the other. */
async function ofPackages(): Promise<Outcome[]> {
  return [await runPart(OF_ENGINE, frame), await runPart(OF_EXAMPLES, frame)]
}

/**
 * Everything on servers, and beside it what has packages of its own. On a slower machine the one comes after the other:
 * the processors have no time that is left over, and calls that are heard would miss words.
 */
async function afterPromised(share: number): Promise<Outcome[]> {
  const onServers = inTurn(withShare(ON_SERVERS, share), turnOf(share, begun))
  if (share < 1) return [await runPart(onServers, frame), ...(await ofPackages())]
  return (await Promise.all([runPart(onServers, frame), ofPackages()])).flat()
}

announce()
const frame = { say: (text: string) => void process.stdout.write(text), until: Date.now() + LONGEST_MS }
const begun = Date.now()
const promised = await runPart(PROMISED, frame)
const share = shareAfter(Date.now() - begun)
// When lint, types or the build of the pages fail, everything else would fail because of them.
const isBuilt = promised.failed.every(({ file }) => file !== null)
const outcome = isBuilt
  ? together([promised, ...(await afterPromised(share)), await runPart(withShare(IN_QUIET, share), frame)])
  : promised
conclude(outcome)
process.exitCode = isGreen(outcome) ? 0 : 1
