import test from 'ava'
import { TypingTeller } from '../../web/chat/state/typing-teller.ts'

// [inbox.features.21]
test('the first key is told at once, then one every 5 s, and the end once and only of what was told', (t) => {
  const told: string[] = []
  const teller = new TypingTeller((state) => void told.push(state))
  teller.ended()
  for (const nowMs of [0, 1, 4_999, 5_000, 5_001, 9_999]) teller.wrote(nowMs)
  t.deepEqual(told, ['typing', 'typing'])
  teller.ended()
  teller.ended()
  t.deepEqual(told, ['typing', 'typing', 'paused'])
  teller.wrote(10_000)
  t.deepEqual(told.slice(3), ['typing'])
})
