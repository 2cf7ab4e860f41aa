/**
 * `npm run simulate -- --seed N`, or `--seeds N` for 1 to N: runs seeds and tells of each that breaks a promise. With
 * `--log` every line of a run is shown. The last line names the hash over all runs.
 */
import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import { toldFault } from './faults.ts'
import { NODES, shortPlan, simulate, type Outcome } from './simulate.ts'

/** How many broken promises of one seed are shown. */
const MOST_SHOWN = 12
const HOUR_MS = 3_600_000

const say = (text: string): void => void process.stdout.write(`${text}\n`)

function tell(seed: number, { broken, faults }: Outcome): void {
  say(`seed ${seed} broke a promise; run it again with: npm run simulate -- --seed ${seed} --log`)
  for (const fault of faults) say(`  ${toldFault(fault)}`)
  for (const one of broken.slice(0, MOST_SHOWN)) say(`  ${one}`)
}

const { values } = parseArgs({
  options: { seed: { type: 'string' }, seeds: { type: 'string', default: '10' }, log: { type: 'boolean' } },
})
const [from, to] = values.seed === undefined ? [1, Number(values.seeds)] : [Number(values.seed), Number(values.seed)]
const begunMs = performance.now()
const hash = createHash('sha256')
let simulatedMs = 0
for (let seed = from; seed <= to; seed++) {
  const outcome = await simulate(shortPlan(seed))
  simulatedMs += outcome.simulatedMs
  hash.update(outcome.hash)
  if (values.log) say(outcome.lines.join('\n'))
  if (outcome.broken.length === 0) continue
  tell(seed, outcome)
  process.exitCode = 1
}
const nodeHours = (simulatedMs * NODES.length) / HOUR_MS
const minutes = (performance.now() - begunMs) / 60_000
say(`${nodeHours.toFixed(2)} node-hours, ${Math.round(nodeHours / minutes)} a minute; ${hash.digest('hex')}`)
