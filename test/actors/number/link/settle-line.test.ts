import test from 'ava'
import { createSettleLine } from '../../../../actors/number/link/settle-line.ts'

test('the acknowledged sequence stays below the lowest event that is still open', (t) => {
  const line = createSettleLine()
  for (const seq of [4, 5, 6]) line.saw(seq)
  t.is(line.lineWith(6), 3)
  line.settle(5)
  t.is(line.lineWith(6), 3)
  t.is(line.lineWith(4), 5)
  line.settle(4)
  t.is(line.lineWith(6), 6)
})

test('a session without events acknowledges nothing', (t) => {
  t.is(createSettleLine().lineWith(9), null)
})
