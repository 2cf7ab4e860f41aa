import test from 'ava'
import { costOf, ReadBudgets } from '../../../media-host/realtime/read-budget.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'

/** Spends `us` microseconds at a time while the budget allows it; returns how much that was. */
function spendAll(budget: ReturnType<ReadBudgets['open']>, us = 100): number {
  let spent = 0
  for (; budget.hasRoom; spent += us) budget.charge(us)
  return spent
}

test('a call may have 10 ms of a core at once and 2 % of it for good', (t) => {
  const clock = new FakeClock()
  const budget = new ReadBudgets(clock).open()
  t.is(spendAll(budget), 10_000)
  let spent = 0
  for (let slot = 0; slot < 500; slot++) {
    clock.advance(20)
    spent += spendAll(budget)
  }
  t.is(spent, 10_000 * 20)
})

test('all calls together have a fifth of a core, and one that spends little is read on beside them', (t) => {
  const clock = new FakeClock()
  const budgets = new ReadBudgets(clock)
  const greedy = Array.from({ length: 40 }, () => budgets.open())
  const modest = budgets.open()
  for (const budget of greedy) spendAll(budget)
  let spent = 0
  for (let slot = 0; slot < 500; slot++) {
    clock.advance(20)
    for (const budget of greedy) spent += spendAll(budget)
    t.true(modest.hasRoom)
    modest.charge(costOf(640, true, 4_096))
  }
  t.true(spent > 10_000 * 180 && spent < 10_000 * 210, String(spent))
})

test('a text costs more than audio of its size, and one that is not parsed less than one that is', (t) => {
  t.true(costOf(4_096, false, 4_096) > 5 * costOf(4_096, true, 4_096))
  t.true(costOf(65_536, false, 4_096) < 5 * costOf(4_096, false, 4_096))
})

test('a call may hold 2 MiB, and 32 MiB while all calls together hold less than 128', (t) => {
  const budgets = new ReadBudgets(new FakeClock())
  const block = 1_048_576
  const calls = Array.from({ length: 4 }, () => budgets.open())
  for (const call of calls) for (let i = 0; i < 32; i++) t.true(call.hold(block))
  t.deepEqual(
    calls.map((call) => call.hold(block)),
    [false, false, false, false],
  )
  const late = budgets.open()
  t.deepEqual([late.hold(block), late.hold(block), late.hold(block)], [true, true, false])
  calls[0]?.release(4 * block)
  t.true(late.hold(block))
  t.false(late.hold(8 * block))
})
