import test from 'ava'
import { isHint } from '../../tools/engine-check/hints.ts'

// [engines.bridge.14]
test('what an engine tells without a number is no stray frame when it says who does what', (t) => {
  const typing = { ev: 'peer.typing', peer: '5511988880001', state: 'typing' }
  for (const frame of [typing, { ...typing, peer: '123456789012345@lid', group: '77@g.us' }]) t.true(isHint(frame))
  for (const frame of [
    { ...typing, seq: 1 },
    { ...typing, peer: 'Ana' },
    { ...typing, state: 'composing' },
    { ...typing, ev: 'peer.dreaming' },
  ])
    t.false(isHint(frame), JSON.stringify(frame))
})
