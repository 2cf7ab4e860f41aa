/** Which files a run has: `ava.config.js` gives it the variables of the process. Pure but for the names of files. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/**
 * The files that share a thread when everything runs. Such a file changes nothing that another file of its group reads,
 * except one shared database. A file in a thread of its own costs 0.9 s of processor time, mostly for imports that all
 * of them have, and a database of its own costs 1.0 s (measured). A file that no group names gets its own thread.
 */
function groupedFiles(): readonly string[] {
  const groups = globSync('test/together/*.group.ts', { cwd: ROOT })
  return groups.flatMap((group) =>
    [...readFileSync(join(ROOT, group), 'utf8').matchAll(/^import '\.\.\/(.+)'$/gm)].map(([, file]) => `test/${file}`),
  )
}

/**
 * Tests that need 5 to 50 s of processor time each and show once more, in whole programs, browsers or at full scale,
 * what smaller tests check. Only the gate runs them; it names them by their folder.
 */
const OF_THE_GATE = [
  'e2e/away-disk',
  'e2e/backup',
  'e2e/barge-in',
  'e2e/bridged-calls',
  'e2e/call-states',
  'e2e/checkers',
  'e2e/client-collections',
  'e2e/client-n8n',
  'e2e/client-python',
  'e2e/client-typescript',
  'e2e/compose-balancer',
  'e2e/crashes',
  'e2e/crashes-split',
  'e2e/dashboard-killed',
  'e2e/dialled-bots',
  'e2e/engine',
  'e2e/engine-ledger',
  'e2e/files-bucket',
  'e2e/files-redirect',
  'e2e/flows-command',
  'e2e/flows-ledger',
  'e2e/flows-scope',
  'e2e/guides',
  'e2e/hostile-engine',
  'e2e/keys',
  'e2e/leads-killed',
  'e2e/leads-ledger',
  'e2e/leads-secrets',
  'e2e/ledger',
  'e2e/messages-accepting',
  'e2e/messages-crash',
  'e2e/messages-doubt',
  'e2e/messages-kept',
  'e2e/messages-ledger',
  'e2e/messages-media',
  'e2e/messages-platform',
  'e2e/messages-privacy',
  'e2e/messages-statuses',
  'e2e/messages-tenants',
  'e2e/neighbour',
  'e2e/no-build',
  'e2e/nodes-engines',
  'e2e/nodes-frozen',
  'e2e/nodes-ledger',
  'e2e/nodes-messages-ledger',
  'e2e/nodes-names',
  'e2e/nodes-rest',
  'e2e/paused',
  'e2e/realtime',
  'e2e/recording',
  'e2e/referrals',
  'e2e/replica',
  'e2e/reseal',
  'e2e/set-aside',
  'e2e/starting',
  'e2e/templates-ledger',
  'e2e/traces',
  'e2e/upgrade',
  'e2e/webhooks-egress',
  'e2e/webhooks-hanging',
  'examples/*',
  'media-host/legs/chromium',
  'media-host/workers-program',
  'process/read-only',
  'process/trim',
  'simulation/planted',
  'storage/engine/embedded-kill',
  'storage/migrations',
  'web/build',
  'web/connect-page',
  'web/connect-pictures',
  'web/connect-states',
  'web/connect-story',
  // Pages of the dashboard, each in three languages, two colour schemes and two widths.
  'web/dashboard-*',
  'web/first-load',
  'web/inbox',
  'web/inbox-*',
  'web/people-page',
  'web/reference-page',
  'web/softphone-story',
].map((story) => `!test/${story}.test.ts`)

/**
 * Tests that use no server, or whose subject is none of the stores (which the contracts hold to the same on every
 * engine), and that have only one size. The gate's second run uses real servers and skips these, because `npm test` has
 * just run them.
 */
const WITHOUT_SERVERS = [
  'cluster/local',
  'cluster/token-bucket',
  'e2e/{audio,playback,raw-audio}',
  'e2e/{branding,contact-requests,embed-life,inbox,marketing,oauth,sessions}',
  'e2e/messages-{files,modes,reading,rooms}',
  'e2e/{message-verbs,messaging-cases}',
  'e2e/official*',
  'e2e/templates-{files,reviews,scope,sending}',
  'e2e/webhooks-{docs,listen,scope}',
  'storage/*-pglite',
  'storage/*-memory',
  'storage/engine/{cipher,data-dir-lock,embedded,embedded-away,failures,gathered,outage}',
  'storage/engine/{pglite-*,pieces,rows-of,secrets,turns}',
  'web/budgets',
  'web/chat-*',
  'web/connect-{address,follow,on-phone,state}',
  'web/protocol',
  'web/sdk-*',
  'web/session-faults',
  'web/softphone-{audio,decide}',
  'web/typed',
  'web/way-on',
].map((tests) => `!test/${tests}.test.ts`)

/** Tests that hear calls in real time and need the whole machine: the gate runs them when nothing else runs. */
const IN_QUIET = ['e2e/barge-in', 'e2e/nodes-calls', 'web/softphone-story'].map((tests) => `!test/${tests}.test.ts`)

/**
 * The gate on a machine less than half as fast as two quiet cores (`shareOf` in verdict.ts) runs every second file of
 * OF_THE_GATE, so that it ends in time: `turn` is 0 or 1, and names which.
 */
function leftOut(turn: string | undefined): readonly string[] {
  if (turn === undefined) return []
  const files = OF_THE_GATE.flatMap((pattern) => globSync(pattern.slice(1), { cwd: ROOT }))
  return [...new Set(files)]
    .toSorted()
    .filter((_, nth) => nth % 2 !== Number(turn))
    .map((file) => `!${file}`)
}

/** The groups in place of their files, without what only the gate runs. */
function together(): readonly string[] {
  return ['test/together/*.group.ts', ...groupedFiles().map((file) => `!${file}`), ...OF_THE_GATE]
}

/** The patterns of ava's `files` for a run with these variables. A run of named files gives each its own thread. */
export function patternsOf({ TEST_TOGETHER, TEST_SERVICES, TEST_TURN }: NodeJS.ProcessEnv): readonly string[] {
  return [
    'test/**/*.test.ts',
    '!test/helpers/**',
    ...(TEST_TOGETHER === '1' ? together() : []),
    ...(TEST_SERVICES === '1' ? [...WITHOUT_SERVERS, ...IN_QUIET] : []),
    ...leftOut(TEST_TURN),
  ]
}
