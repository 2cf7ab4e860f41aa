import { globSync, readFileSync } from 'node:fs'

/**
 * Files whose tests share a thread in a run of everything: they touch nothing outside of it that others do, and at most
 * one database, which they share. A thread of its own costs a file 0.9 s of a processor, most of it for what all of
 * them import, and a database of its own 1.0 s (measured). A file that no group names runs by itself.
 */
function groupedFiles() {
  const groups = globSync('test/together/*.group.ts', { cwd: import.meta.dirname })
  return groups.flatMap((group) =>
    [...readFileSync(new URL(group, import.meta.url), 'utf8').matchAll(/^import '\.\.\/(.+)'$/gm)].map(
      ([, file]) => `test/${file}`,
    ),
  )
}

/**
 * Stories of the whole service and of pages in a browser, which wait more than they work, begin first, then the groups,
 * which are long; the rest fills what they leave of the processors.
 */
function longestFirst(a, b) {
  return weightOf(b) - weightOf(a) || a.localeCompare(b)
}

function weightOf(file) {
  if (file.includes('/test/e2e/') || file.includes('/test/web/')) return 2
  return file.endsWith('.group.ts') ? 1 : 0
}

/**
 * Stories that take 5 to 25 s of a processor each, to show at last what smaller tests hold: the gate tells them, where
 * they are named by their folder.
 */
const OF_THE_GATE = [
  'e2e/away-disk',
  'e2e/backup',
  'e2e/checkers',
  'e2e/compose-balancer',
  'e2e/crashes',
  'e2e/crashes-split',
  'e2e/engine',
  'e2e/engine-ledger',
  'e2e/flows-command',
  'e2e/flows-ledger',
  'e2e/guides',
  'e2e/hostile-engine',
  'e2e/keys',
  'e2e/leads-killed',
  'e2e/leads-ledger',
  'e2e/leads-secrets',
  'e2e/ledger',
  'e2e/messages-crash',
  'e2e/messages-ledger',
  'e2e/messages-media',
  'e2e/messages-privacy',
  'e2e/neighbour',
  'e2e/no-build',
  'e2e/nodes-frozen',
  'e2e/nodes-ledger',
  'e2e/nodes-messages-ledger',
  'e2e/nodes-names',
  'e2e/nodes-rest',
  'e2e/paused',
  'e2e/realtime',
  'e2e/referrals',
  'e2e/replica',
  'e2e/reseal',
  'e2e/set-aside',
  'e2e/starting',
  'e2e/templates-ledger',
  'e2e/upgrade',
  'e2e/webhooks-egress',
  'e2e/webhooks-hanging',
  'media-host/legs/chromium',
  'media-host/workers-program',
  'storage/engine/embedded-kill',
  'storage/migrations',
  'web/build',
  'web/connect-pictures',
  'web/connect-states',
  'web/connect-story',
  'web/inbox',
  'web/inbox-drawn',
  'web/inbox-place',
  'web/inbox-session',
  'web/people-page',
  'web/reference-page',
].map((story) => `!test/${story}.test.ts`)

/**
 * What asks no server and has one size: the gate's second run, on real servers, would only repeat what `npm test` has
 * just told.
 */
const WITHOUT_SERVERS = [
  'cluster/local',
  'e2e/webhooks-docs',
  'storage/*-pglite',
  'storage/*-memory',
  'storage/engine/{cipher,data-dir-lock,embedded,embedded-away,failures,gathered,outage}',
  'storage/engine/{pglite-*,pieces,rows-of,secrets,turns}',
  'web/budgets',
  'web/chat-*',
  'web/connect-{address,follow,page,state}',
  'web/first-load',
  'web/protocol',
  'web/sdk-*',
  'web/typed',
].map((tests) => `!test/${tests}.test.ts`)
const onServers = process.env.TEST_SERVICES === '1' ? WITHOUT_SERVERS : []

/** A run of named files has each in a thread of its own. */
const together =
  process.env.TEST_TOGETHER === '1'
    ? ['test/together/*.group.ts', ...groupedFiles().map((file) => `!${file}`), ...OF_THE_GATE]
    : []

/** Who starts the run may name a module that watches it (`test/gate/observer.ts`). */
const observed = process.env.TEST_OBSERVER ? (await import(process.env.TEST_OBSERVER)).default : {}

export default {
  ...observed,
  files: ['test/**/*.test.ts', '!test/helpers/**', ...together, ...onServers],
  extensions: ['ts'],
  nodeArguments: [
    '--disable-warning=ExperimentalWarning',
    `--import=${new URL('test/helpers/stripped-types.js', import.meta.url).href}`,
  ],
  require: ['./test/helpers/no-hanging.ts'],
  // When nothing happened for so long, what hangs is named and the run is over: longer than any test asks for
  // (test/helpers/size.ts).
  timeout: process.env.TEST_FULL === '1' ? '21m' : '10m',
  // Two for each of two processors: more wait for each other, fewer leave a processor idle (measured).
  concurrency: 4,
  sortTestFiles: longestFirst,
}
