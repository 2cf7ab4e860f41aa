/**
 * `npm run fuzz -- [targets] [--inputs N] [--seed N] [--keep]`: reads inputs that strangers could send, of each target
 * so many, and tells which of them break a promise of their reader, or hang it. `--keep` keeps one input for each way
 * that a reader went. Ends with 1 when something broke.
 */
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { LONGEST } from './fuzz.ts'
import { TARGETS } from './targets.ts'
import type { Report, Work } from './worker.ts'

/** our choice, in ms: no input takes a reader so long, however busy the machine is. */
const HANGS_MS = 60_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inputs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
})

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Fuzzes one target; null when an input hung its reader. */
async function run(name: string): Promise<Report | null> {
  const shown = new SharedArrayBuffer(8 + LONGEST)
  const counts = new Int32Array(shown, 0, 2)
  const work: Work = { name, inputs: Number(values.inputs), seed: Number(values.seed), isKept: values.keep, shown }
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: work })
  let before = -1
  return await new Promise((resolve, reject) => {
    const watching = setInterval(() => {
      const [count = 0, length = 0] = counts
      if (count !== before) return void (before = count)
      say(`${name}: an input hangs: ${Buffer.from(new Uint8Array(shown, 8, length)).toString('base64')}`)
      void worker.terminate().then(() => resolve(null))
    }, HANGS_MS)
    worker.once('message', resolve).once('error', reject)
    worker.once('exit', () => clearInterval(watching))
  })
}

function tell(name: string, { tried, ways, faults }: Report, seconds: number): void {
  say(`${name}: ${tried} inputs in ${seconds.toFixed(0)} s, ${ways} ways, ${faults.length} faults`)
  for (const { bytes, error } of faults) say(`  ${error.replaceAll('\n', '\n  ')}\n  of ${bytes}`)
}

const unknown = positionals.find((name) => !TARGETS.has(name))
if (unknown !== undefined || !(Number(values.inputs) > 0) || !Number.isInteger(Number(values.seed))) {
  say(
    `usage: npm run fuzz -- [target] [--inputs 10000] [--seed 1] [--keep]; targets: ${[...TARGETS.keys()].join(', ')}`,
  )
  process.exit(2)
}
for (const name of positionals.length > 0 ? positionals : TARGETS.keys()) {
  const startMs = performance.now()
  const report = await run(name)
  if (report) tell(name, report, (performance.now() - startMs) / 1_000)
  if (report?.faults.length !== 0) process.exitCode = 1
}
