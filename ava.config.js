import { globSync, readFileSync } from 'node:fs'

/**
 * Files whose tests share a thread in a run of everything: they touch nothing outside of it that others do, and open no database. A thread of
 * its own costs a file 0.9 s of a processor, most of it for what all of them import (measured). A file that no group names runs by itself.
 */
function groupedFiles() {
  const groups = globSync('test/together/*.group.ts', { cwd: import.meta.dirname })
  return groups.flatMap((group) => [...readFileSync(new URL(group, import.meta.url), 'utf8').matchAll(/^import '\.\.\/(.+)'$/gm)].map(([, file]) => `test/${file}`))
}

/** Stories of the whole service, which wait more than they work, begin first, then the groups, which are long; the rest fills what they leave of the processors. */
function longestFirst(a, b) {
  return weightOf(b) - weightOf(a) || a.localeCompare(b)
}

function weightOf(file) {
  if (file.includes('/test/e2e/')) return 2
  return file.endsWith('.group.ts') ? 1 : 0
}

/** Stories that take both processors for 5 to 15 s each, to show at last what smaller tests hold: the gate tells them, where they are named by their folder. */
const OF_THE_GATE = ['crashes-split', 'neighbour', 'paused', 'starting', 'webhooks-hanging'].map((story) => `!test/e2e/${story}.test.ts`)

/** A run of named files has each in a thread of its own. */
const together = process.env.TEST_TOGETHER === '1' ? ['test/together/*.group.ts', ...groupedFiles().map((file) => `!${file}`), ...OF_THE_GATE] : []

export default {
  files: ['test/**/*.test.ts', '!test/helpers/**', ...together],
  extensions: ['ts'],
  nodeArguments: ['--disable-warning=ExperimentalWarning'],
  require: ['./test/helpers/file-times.ts', './test/helpers/no-hanging.ts'],
  timeout: '10m',
  // Two for each of two processors: more wait for each other, fewer leave a processor idle (measured).
  concurrency: 4,
  sortTestFiles: longestFirst,
}
