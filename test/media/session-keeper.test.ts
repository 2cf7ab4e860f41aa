import test from 'ava'
import { keepSessions } from '../../src/media/session-keeper.ts'
import type { CallId } from '../../src/domain/ids.ts'
import type { RealtimeSessionState } from '../../src/domain/realtime-session.ts'
import type { MediaEvent } from '../../src/ports/media.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'

const CALL: CallId = 'call_1'
const CONNECTING: RealtimeSessionState = {
  id: 'rts_1',
  direction: 'OUTBOUND',
  mode: 'talk',
  dialect: 'native',
  status: 'CONNECTING',
  openedAtMs: null,
  closedAtMs: null,
  closeCode: null,
  error: null,
}
const OPEN = { ...CONNECTING, status: 'OPEN', openedAtMs: 1 } as const

test('how a session stands is stored once the database is back, as it stands then', async (t) => {
  const clock = new FakeClock()
  const saved: string[] = []
  let isAway = true
  let tries = 0
  let tell: (event: MediaEvent) => void = () => {}
  keepSessions({
    media: { onEvent: (listener) => void (tell = listener) },
    callSessions: {
      async save(_callId, { id, status }) {
        tries += 1
        if (isAway) throw new Error('away')
        saved.push(`${id} ${status}`)
      },
    },
    clock,
    log: silentLog,
  })
  tell({ type: 'flowing', callId: CALL })
  tell({ type: 'session', callId: CALL, session: CONNECTING })
  await until('it was tried', () => tries === 1)
  tell({ type: 'session', callId: CALL, session: OPEN })
  tell({ type: 'session', callId: CALL, session: { ...OPEN, id: 'rts_2' } })
  isAway = false
  t.deepEqual(saved, [])
  clock.advance(1_000)
  await until('both are stored', () => saved.length === 2)
  t.deepEqual(saved, ['rts_1 OPEN', 'rts_2 OPEN'])
  tell({ type: 'session', callId: CALL, session: { ...OPEN, status: 'CLOSED', closedAtMs: 2 } })
  await until('the end is stored', () => saved.length === 3)
  t.is(saved[2], 'rts_1 CLOSED')
})
