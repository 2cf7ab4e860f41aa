import test from 'ava'
import { pacedTyping } from '../../src/inbox/paced-typing.ts'
import type { PeerTyping } from '../../src/ports/peer-typing.ts'
import { FakeClock } from '../helpers/fake-clock.ts'

// [embeds.typing.3]
test('of one peer of a number one a second is told, whatever is told of others', (t) => {
  const clock = new FakeClock()
  const told: PeerTyping[] = []
  const tell = pacedTyping(clock, (typing) => void told.push(typing))
  const ana = { numberId: 'num_1', peer: '551', state: 'typing' } as const
  for (const typing of [
    ana,
    { ...ana, state: 'paused' as const },
    { ...ana, peer: '552' },
    { ...ana, numberId: 'num_2' as const },
  ])
    tell(typing)
  t.deepEqual(told, [ana, { ...ana, peer: '552' }, { ...ana, numberId: 'num_2' }])
  clock.advance(999)
  tell(ana)
  clock.advance(1)
  tell({ ...ana, state: 'recording' })
  t.deepEqual(told.slice(3), [{ ...ana, state: 'recording' }])
})
