import test from 'ava'
import type { CallMessage } from '../../../actors/call/messages.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { SessionToDial } from '../../../src/ports/media.ts'
import { inboundAccepted, inboundRinging, initiated, type Table } from './decide-rig.ts'

const SESSION: SessionToDial = {
  sessionId: 'rts_1',
  mode: 'talk',
  url: 'wss://bot.example/',
  headers: {},
  query: {},
  given: {},
}
const MINTED = { wsUrl: 'wss://media.example/', token: 'secret', expiresAtMs: 1 }
const GONE = fail(refuse('CALL_NOT_FOUND', 'No such call'))

/** Commands that the media host of the call does, with what it is asked, and its outcome. */
const ASKED: readonly (readonly [command: CallMessage, effect: object, outcome: CallMessage])[] = [
  [
    { type: 'DialSession', askId: 7, session: SESSION },
    { type: 'mediaDial', askId: 7, session: SESSION },
    { type: 'Dialled', askId: 7, outcome: succeed(null) },
  ],
  [
    { type: 'GiveBack', askId: 7 },
    { type: 'mediaGiveBack', askId: 7 },
    { type: 'GivenBack', askId: 7, outcome: GONE },
  ],
  [
    { type: 'OpenSession', askId: 7, mode: 'talk', by: 'key_1' },
    { type: 'mediaMint', askId: 7, mode: 'talk', by: 'key_1' },
    { type: 'Minted', askId: 7, outcome: succeed(MINTED) },
  ],
]

test('the media host is asked what a command wants, its answer is that of the command, and the call counts who waits', (t) => {
  for (const [command, effect, outcome] of ASKED) {
    const table = inboundAccepted().forget()
    table.send(command)
    t.deepEqual(table.effects as unknown[], [effect], command.type)
    t.deepEqual([table.state.asked, table.replies], [1, []], command.type)
    table.send(outcome)
    t.deepEqual(
      table.replies as unknown[],
      [{ askId: 7, outcome: 'outcome' in outcome && outcome.outcome }],
      command.type,
    )
    t.is(table.state.asked, 0, command.type)
  }
})

test('a call whose audio is not here refuses what the media host would do, and nobody waits', (t) => {
  for (const [command] of ASKED) {
    const table = inboundAccepted().forget()
    table.state = { ...table.state, facts: { ...table.state.facts, provider: 'OFFICIAL' }, media: 'own' }
    table.send(command)
    t.like(table.replyTo(7), { ok: false, error: { code: 'FEATURE_NOT_SUPPORTED' } }, command.type)
    t.deepEqual([table.effects, table.state.asked], [[], 0], command.type)
  }
})

test('a call whose number moves while it writes is left at once, and waits for no write', (t) => {
  const table = initiated().forget()
  table.send({ type: 'ProviderRinging', seq: 1 })
  t.not(table.state.write, null)
  table.send({ type: 'Terminate', askId: 7 })
  t.is(table.replyTo(7), undefined, 'a command waits for the write')
  table.send({ type: 'Fenced' })
  t.is(table.state.phase.at, 'GONE')
  t.deepEqual(table.last('stop'), { type: 'stop', isStored: true })
  t.like(table.replyTo(7), { ok: false, error: { code: 'NOT_OWNER' } })
})

test('a call goes on in the trace of what was last asked of it, and a command without one changes none', (t) => {
  const [first, second] = [`00-${'a'.repeat(49)}-01`, `00-${'b'.repeat(49)}-01`] as const
  const table = inboundAccepted()
  t.is(table.state.trace, null)
  const ask = (trace?: typeof first | null) =>
    table.send({ type: 'GiveBack', askId: 7, ...(trace === undefined ? {} : { trace }) })
  ask(first)
  t.is(table.state.trace, first)
  ask()
  ask(null)
  table.send({ type: 'GivenBack', askId: 7, outcome: succeed(null) })
  t.is(table.state.trace, first)
  ask(second)
  t.is(table.state.trace, second)
})

test('whoever accepts a call may have it recorded, until somebody or the media host ahead has answered it', (t) => {
  const accepted = (table: Table, record?: boolean) => {
    table.send({ type: 'Accept', askId: 7, sdp: null, ...(record === undefined ? {} : { record }) })
    return table.state.record
  }
  t.true(accepted(inboundRinging(), true))
  t.false(accepted(inboundRinging(), false))
  t.false(accepted(inboundRinging()))
  t.false(accepted(inboundAccepted(), true))
  const prepared = inboundRinging()
  prepared.state = { ...prepared.state, prepared: { attempt: 1, sdp: null } }
  t.false(accepted(prepared, true))
})
