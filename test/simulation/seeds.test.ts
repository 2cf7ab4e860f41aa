import test from 'ava'
import { toldFault } from '../../simulation/faults.ts'
import { shortPlan, simulate } from '../../simulation/simulate.ts'
import { counted, LEDGER_MS } from '../helpers/size.ts'

const SEEDS = counted(5_000, 200)
const TWICE = 5

test.serial('every seed keeps every promise, whatever befalls the cluster', async (t) => {
  t.timeout(LEDGER_MS)
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { broken, faults } = await simulate(shortPlan(seed))
    t.deepEqual(broken, [], `seed ${seed}: ${faults.map(toldFault).join('; ')}`)
  }
})

test.serial('one seed gives one run, line for line', async (t) => {
  for (let seed = 1; seed <= TWICE; seed++) {
    const [first, second] = [await simulate(shortPlan(seed)), await simulate(shortPlan(seed))]
    t.true(first.lines.length > 50, 'something happens')
    t.deepEqual(first.lines, second.lines)
    t.is(first.hash, second.hash)
  }
})

test.serial('runs of two seeds differ', async (t) => {
  const [one, two] = [await simulate(shortPlan(1)), await simulate(shortPlan(2))]
  t.not(one.hash, two.hash)
})
