import test from 'ava'
import { Errands } from '../../../actors/hosting/errands.ts'
import { succeed } from '../../../src/domain/errors.ts'
import { newId, type NumberId } from '../../../src/domain/ids.ts'
import { StoreAway } from '../../../src/domain/store-away.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { MemoryErrands } from '../../helpers/memory/errands.ts'
import { MemoryRows } from '../../helpers/memory/rows.ts'
import { MemorySetAside } from '../../helpers/memory/set-aside.ts'
import { silentLog } from '../../helpers/silent.ts'

test('an errand that fails three times for a reason of its own is set aside, and the others are carried', async (t) => {
  const [rows, clock, told] = [new MemoryRows(), new FakeClock(), [] as NumberId[]]
  const [bad, good, id] = [rows.addNumber(), rows.addNumber(), newId('num')]
  const store = new MemoryErrands(rows, clock)
  const setAside = new MemorySetAside(rows, clock, store)
  let fault: Error = new StoreAway('gone')
  const errands = new Errands({
    errands: store,
    setAside,
    log: silentLog,
    numbers: {
      load: async (numberId) => {
        if (numberId === bad) throw fault
        return rows.numbers.get(numberId) ?? null
      },
    },
    ask: async ({ numberId }) => {
      told.push(numberId)
      return succeed(null)
    },
  })
  for (const numberId of [bad, good, id]) await store.note(numberId, { kind: 'settings' }, 0)
  await t.throwsAsync(errands.work(), { instanceOf: StoreAway })
  t.deepEqual([told, setAside.kept], [[good], []])
  fault = new TypeError('poison')
  for (let times = 0; times < 3; times++) {
    clock.advance(30_000)
    await errands.work()
  }
  t.like(setAside.kept, [{ item: '1', reason: 'TypeError' }])
})
