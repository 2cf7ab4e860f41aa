import test from 'ava'
import { reportOf } from '../../simulation/report.ts'
import { shrink } from '../../simulation/shrink.ts'
import { shortPlan, simulate, type Spoil } from '../../simulation/simulate.ts'

/** Upstream takes every message twice, whatever befalls the cluster. */
const twice: Spoil = ({ upstream }) => {
  const take = upstream.take.bind(upstream)
  upstream.knowsAgain = false
  upstream.take = (numberId, message) => {
    take(numberId, message)
    return take(numberId, message)
  }
}

test('a broken run is made as small as it can be, and is told so that a person can repeat it', async (t) => {
  const plan = shortPlan(1)
  const found = { plan, outcome: await simulate(plan, twice) }
  t.true(found.outcome.faults.length > 0)
  const smallest = await shrink(found, twice)
  t.deepEqual(smallest.outcome.faults, [], 'it breaks without any')
  t.true(smallest.plan.busyMs < plan.busyMs / 4)
  t.deepEqual((await simulate(smallest.plan, twice)).broken, smallest.outcome.broken)
  const told = reportOf(found, smallest)
  t.is(told[0], 'seed 1 broke a promise; run it again with: npm run simulate -- --seed 1 --log')
  t.regex(told[1] ?? '', /^ {2}what is accepted is sent once: m\d+ was accepted and reached upstream 2 times$/)
  t.true(told.some((line) => /^ +\d+ client +m\d+ is accepted$/.test(line)))
  t.is(told.filter((line) => / upstream +takes m\d+ for \d+$/.test(line)).length, 2)
})
