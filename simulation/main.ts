/**
 * `npm run simulate -- --seed N`, `--seeds N` for 1 to N, or `--hours H` for as many seeds as fit into H hours: runs
 * seeds and tells of each that breaks a promise. With `--log` every line of a run is shown, with `--first` the first
 * seed that breaks one is the last. The last line names what was simulated and the hash over all runs.
 */
import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import { reportOf } from './report.ts'
import { shrink } from './shrink.ts'
import { ENGINES, NODES } from './cluster.ts'
import { shortPlan, simulate } from './simulate.ts'

const HOUR_MS = 3_600_000
/** Gateways and engines, each a node. */
const PROCESSES = NODES.length + ENGINES.length
/** How often progress is told of, in seeds. */
const TOLD_SEEDS = 500

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    hours: { type: 'string' },
    log: { type: 'boolean' },
    first: { type: 'boolean' },
  },
})
const from = values.seed === undefined ? 1 : Number(values.seed)
const to = values.seed === undefined ? Number(values.seeds ?? (values.hours === undefined ? 10 : Infinity)) : from
const forMs = Number(values.hours ?? Infinity) * HOUR_MS
const begunMs = performance.now()
const hash = createHash('sha256')
let simulatedMs = 0
let count = 0

function total(): string {
  const nodeHours = (simulatedMs * PROCESSES) / HOUR_MS
  const minutes = (performance.now() - begunMs) / 60_000
  return `${count} seeds, ${nodeHours.toFixed(2)} node-hours, ${Math.round(nodeHours / minutes)} a minute`
}

for (let seed = from; seed <= to && performance.now() - begunMs < forMs; seed++) {
  const plan = shortPlan(seed)
  const outcome = await simulate(plan)
  simulatedMs += outcome.simulatedMs
  count += 1
  hash.update(outcome.hash)
  if (values.log) say(outcome.lines.join('\n'))
  if (count % TOLD_SEEDS === 0) say(total())
  if (outcome.broken.length === 0) continue
  const found = { plan, outcome }
  say(reportOf(found, await shrink(found)).join('\n'))
  process.exitCode = 1
  if (values.first) break
}
say(`${total()}; ${hash.digest('hex')}`)
