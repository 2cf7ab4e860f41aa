import test from 'ava'
import { Errands } from '../../../actors/hosting/errands.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import { DEFAULT_SETTINGS } from '../../../src/domain/number.ts'
import { newId, type NumberId } from '../../../src/domain/ids.ts'
import { StoreAway } from '../../../src/domain/store-away.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { MemoryErrands } from '../../helpers/memory/errands.ts'
import { MemoryRows } from '../../helpers/memory/rows.ts'
import { MemorySetAside } from '../../helpers/memory/set-aside.ts'
import { silentLog } from '../../helpers/silent.ts'
import { settled } from '../rig.ts'

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
    clock,
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

test('an errand that could not be noted, and whose owner did not hear, is carried once the rows are back', async (t) => {
  const [rows, clock] = [new MemoryRows(), new FakeClock()]
  const numberId = rows.addNumber()
  const store = new MemoryErrands(rows, clock)
  const note = store.note.bind(store)
  store.note = () => Promise.reject(new StoreAway('gone'))
  let asked = 0
  const errands = new Errands({
    errands: store,
    setAside: new MemorySetAside(rows, clock, store),
    log: silentLog,
    clock,
    numbers: { load: async () => rows.numbers.get(numberId) ?? null },
    ask: async () => (++asked < 3 ? fail(refuse('BUSY', 'away')) : succeed(null)),
  })
  const ask = { to: 'number', numberId, type: 'ApplySettings', fields: { settings: DEFAULT_SETTINGS } } as const
  t.like(await errands.carry(ask, { kind: 'settings' }), { ok: false, error: { code: 'BUSY' } })
  store.note = note
  const turn = async (): Promise<void> => {
    clock.advance(2_000)
    await settled()
  }
  await turn()
  t.deepEqual([asked, store.size], [2, 1], 'it is noted now')
  await turn()
  t.is(asked, 2, 'and left to what works errands')
  clock.advance(30_000)
  await errands.work()
  t.deepEqual([asked, store.size], [3, 0])
})
