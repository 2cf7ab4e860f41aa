/**
 * Measures the built pages: the size of their first load against the budgets of [inbox.budgets.1]; how long `npm run
 * web` takes with nothing and with everything built, in a copy of the sources; how long the inbox takes from mount to
 * ready in a browser; the longest tasks while a history of 10,000 messages is scrolled; what open streams of the inbox
 * cost (the last two need PostgreSQL, bench/programs.ts).
 *
 *   node bench/pages/bench.ts [idle runs] [streams] [messages a second] [seconds]
 *   node bench/pages/bench.ts 0 50 20 5     streams alone, small
 *   node bench/pages/bench.ts 0 0           the long history alone
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { builtPages, firstLoadBytes } from '../../test/helpers/pages.ts'
import { at } from '../programs.ts'
import { measureHistory } from './history.ts'
import { compareMounts } from './mount.ts'
import { inboxStreams, measureStreams } from './streams.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const [RUNS = 15, STREAMS = 1_000, PER_SECOND = 200, SECONDS = 20] = process.argv.slice(2).map(Number)
/** [inbox.budgets.1], in KiB. */
const BUDGETS: Readonly<Record<string, number>> = { connect: 25, chat: 60, people: 25 }
const SCRIPT_BUDGET = 6
/** Targets of `npm run web`, in s and ms. */
const FRESH_S = 4
const IDLE_MS = 150

function tellSize(what: string, bytes: number, budget: number): void {
  console.log(`${what.padEnd(22)} ${(bytes / 1024).toFixed(1)} KiB of ${budget} KiB, gzip`)
}

async function timeOf(root: string): Promise<number> {
  const fromMs = performance.now()
  await promisify(execFile)(process.execPath, ['web/build.ts'], { cwd: root })
  return performance.now() - fromMs
}

/** Copies the sources of a build to a folder without any build. */
function copiedSources(): string {
  const root = mkdtempSync(join(tmpdir(), 'cms-bench-pages-'))
  for (const path of ['web', 'src/domain', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    cpSync(join(ROOT, path), join(root, path), { recursive: true, filter: (from) => !/[\\/]dist$/.test(from) })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return root
}

async function measureBuilds(): Promise<void> {
  const assets = await builtPages()
  for (const path of assets.files.keys()) {
    const [, page] = /^pages\/(.+)\.html$/.exec(path) ?? []
    if (page !== undefined) tellSize(`first load of ${page}`, firstLoadBytes(assets, page), BUDGETS[page] ?? 0)
  }
  tellSize('embed.js', assets.files.get('embed/embed.js')?.facts.gzipBytes ?? 0, SCRIPT_BUDGET)
  const root = copiedSources()
  try {
    const freshMs = await timeOf(root)
    console.log(`${'fresh build'.padEnd(22)} ${(freshMs / 1000).toFixed(1)} s, target ${FRESH_S} s`)
    const idleMs: number[] = []
    for (let run = 0; run < RUNS; run++) idleMs.push(await timeOf(root))
    const sorted = idleMs.toSorted((a, b) => a - b)
    console.log(
      `${'idle run'.padEnd(22)} p50 ${at(sorted, 0.5).toFixed(0)} ms, max ${at(sorted, 1).toFixed(0)} ms of ${RUNS}, target ${IDLE_MS} ms`,
    )
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

if (RUNS > 0) {
  await measureBuilds()
  await compareMounts(RUNS)
}
if (RUNS > 0 || STREAMS === 0) await measureHistory()
if (STREAMS > 0) await measureStreams({ streams: STREAMS, perSecond: PER_SECOND, seconds: SECONDS }, inboxStreams)
