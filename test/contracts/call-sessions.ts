import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import type { RealtimeSessionState } from '../../src/domain/realtime-session.ts'
import { newCall, ownedNumber, type MakeWorld } from './world.ts'

/** How every store keeps the realtime sessions of calls. */
export function callSessionSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [voice.connect-to.8]
  test(`${name}: a session stands as it was told last, and for good once it is over`, async (t) => {
    const world = makeWorld()
    const { callSessions, calls, numbers } = world.stores
    const owned = await ownedNumber(world)
    const [call, other] = [newCall(owned), newCall(owned)]
    for (const one of [call, other]) await calls.insert(owned.fence, one, [])
    const connecting: RealtimeSessionState = {
      id: newId('rts'),
      direction: 'OUTBOUND',
      mode: 'talk',
      dialect: 'twilio',
      status: 'CONNECTING',
      openedAtMs: null,
      closedAtMs: null,
      closeCode: null,
      error: null,
    }
    const open = { ...connecting, status: 'OPEN', openedAtMs: 1_000 } as const
    const listening = { ...open, mode: 'listen' } as const
    const lost = { ...open, status: 'CONNECTING', closeCode: 1006, error: 'The connection was lost.' } as const
    const failed = { ...lost, status: 'FAILED', closedAtMs: 9_000 } as const
    const read = async (of = call) => await callSessions.list(of.id, 10)
    for (const state of [connecting, open, listening, lost, failed]) {
      await callSessions.save(call.id, state)
      t.deepEqual(await read(), [state])
    }
    await callSessions.save(call.id, open)
    await callSessions.save(other.id, { ...failed, error: 'mine' })
    t.deepEqual([await read(), await read(other)], [[failed], []], 'told again, or of another call, it stays')
    const next = { ...open, id: newId('rts'), direction: 'INBOUND', mode: 'listen', dialect: 'native' } as const
    await callSessions.save(call.id, next)
    t.deepEqual(await read(), [next, failed])
    t.deepEqual(await callSessions.list(call.id, 1), [next])
    const elsewhere = { ...open, id: newId('rts') }
    await callSessions.save(other.id, elsewhere)
    t.deepEqual(
      await Promise.all([
        callSessions.list(call.id, 10),
        callSessions.list(other.id, 10),
        callSessions.list(call.id, 1),
        callSessions.list('call_none', 10),
      ]),
      [[next, failed], [elsewhere], [next], []],
      'lists that are read at once',
    )
    await callSessions.save('call_gone', { ...open, id: newId('rts') })
    t.deepEqual(await callSessions.list('call_gone', 10), [])
    t.true(await numbers.remove(owned.tenantId, owned.number.id))
    t.deepEqual(await read(), [])
  })
}
