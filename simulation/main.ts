/** `npm run simulate -- --seed N | --seeds N`: runs seeds, and tells of the first that breaks a promise. */
import { parseArgs } from 'node:util'
import { toldFault } from './faults.ts'
import { shortPlan, simulate } from './simulate.ts'

const { values } = parseArgs({
  options: { seed: { type: 'string' }, seeds: { type: 'string' }, log: { type: 'boolean' } },
})
const [from, to] = values.seed ? [Number(values.seed), Number(values.seed)] : [1, Number(values.seeds ?? 10)]
const begun = performance.now()
let simulatedMs = 0
for (let seed = from; seed <= to; seed++) {
  const outcome = await simulate(shortPlan(seed))
  simulatedMs += outcome.simulatedMs
  if (values.log) process.stdout.write(`${outcome.lines.join('\n')}\n`)
  process.stdout.write(
    `seed ${seed} ${outcome.broken.length === 0 ? 'kept' : 'BROKE'} ${outcome.hash.slice(0, 16)} ${Math.round(outcome.simulatedMs / 1000)} s, ${outcome.lines.length} lines\n`,
  )
  if (outcome.broken.length === 0) continue
  process.stdout.write(`${outcome.faults.map(toldFault).join('\n')}\n${outcome.broken.slice(0, 12).join('\n')}\n`)
  process.exitCode = 1
}
const seconds = (performance.now() - begun) / 1_000
process.stdout.write(`${(simulatedMs / 3_600_000).toFixed(2)} simulated hours in ${seconds.toFixed(1)} s\n`)
