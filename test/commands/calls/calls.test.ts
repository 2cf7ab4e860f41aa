import test from 'ava'
import { createCalls } from '../../../src/commands/calls/calls.ts'
import type { Call } from '../../../src/domain/call.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import { newId } from '../../../src/domain/ids.ts'
import { World } from '../../helpers/world.ts'
import { codeOf, valueOf } from '../outcomes.ts'

function open() {
  const world = new World()
  const { number } = world.addOfficial()
  const { directory } = world
  const calls = createCalls({
    calls: world.calls,
    callSessions: world.callSessions,
    directory,
    privacy: { retentionOf: async () => ({ piiMode: 'STORE_INDEFINITE', piiRetentionDays: null }) },
    ...world.official.ports(),
  })
  const add = (fields: Partial<Call>, of = number) => {
    const { id, numberId } = world.calls.add(of, fields)
    return { numberId, callId: id }
  }
  return { world, number, directory, calls, add, noted: world.official.noted }
}

const REFUSED = async (): Promise<Outcome<never>> => fail(refuse('OFFICIAL_ERROR', 'away'))

test('a call is found by the id of either side, within its number', async (t) => {
  const { world, number, calls, add } = open()
  const { callId } = add({ status: 'RINGING', externalCallId: 'wacid.1' })
  t.is(valueOf(await calls.find({ numberId: number.id, callId: 'wacid.1' })).id, callId)
  t.is(codeOf(await calls.find({ numberId: world.number.id, callId })), 'CALL_NOT_FOUND')
  t.is(codeOf(await calls.find({ numberId: number.id, callId: 'x'.repeat(257) })), 'CALL_NOT_FOUND')
})

test('only a live call gets commands, and a refusal of the upstream is answered after its marks are stored', async (t) => {
  const { world, directory, calls, add, noted } = open()
  directory.script = { Accept: REFUSED, Play: REFUSED }
  t.is(codeOf(await calls.accept(add({ status: 'COMPLETED' }), { sdp: null })), 'CALL_INVALID_STATE')
  t.deepEqual(directory.asked, [])
  t.is(codeOf(await calls.accept(add({ status: 'RINGING' }, world.number), { sdp: null })), 'OFFICIAL_ERROR')
  t.deepEqual(noted, [])
  t.is(codeOf(await calls.accept(add({ status: 'RINGING' }), { sdp: 'v=0' })), 'OFFICIAL_ERROR')
  t.deepEqual(noted.splice(0), ['marks stored'])
  const file = { mediaUrl: 'https://files.example/a.ogg', hangupAfterPlay: true }
  t.is(codeOf(await calls.play(add({ status: 'ACCEPTED' }), file)), 'OFFICIAL_ERROR')
  t.deepEqual(
    directory.asked.map(({ fields }) => fields),
    [{ sdp: null }, { sdp: 'v=0' }, file],
  )
})

test('a session minted for a caller that was replaced meanwhile is refused and revoked', async (t) => {
  const { directory, calls, add } = open()
  const told: string[] = []
  const session = { wsUrl: 'ws://m', token: 'y', expiresAtMs: 1 }
  const wanted = { mode: 'listen', by: newId('key') } as const
  const openFor = (holds: boolean, outcome: Outcome<typeof session> = succeed(session)) => {
    directory.script = { OpenSession: async (fields) => (t.deepEqual(fields, wanted), told.push('minted'), outcome) }
    return calls.openSession(add({ status: 'RINGING' }), wanted, {
      stillHolds: async () => (told.push('looked'), holds),
      revoke: async () => void told.push('revoked'),
    })
  }
  t.is(valueOf(await openFor(true)), session)
  t.deepEqual(told.splice(0), ['minted', 'looked'])
  t.is(codeOf(await openFor(false)), 'UNAUTHENTICATED')
  t.deepEqual(told.splice(0), ['minted', 'looked', 'revoked'])
  t.is(codeOf(await openFor(false, await REFUSED())), 'OFFICIAL_ERROR')
  t.deepEqual(told, ['minted'])
})

test('terminating a call that is over answers how it ended', async (t) => {
  const { directory, calls, add } = open()
  directory.script = { Reject: REFUSED, Terminate: REFUSED }
  for (const verb of ['reject', 'terminate'] as const) {
    t.is(valueOf(await calls[verb](add({ status: 'MISSED' }))).status, 'MISSED')
    t.is(codeOf(await calls[verb](add({ status: 'RINGING' }))), 'OFFICIAL_ERROR')
  }
  t.deepEqual(
    directory.asked.map(({ type }) => type),
    ['Reject', 'Terminate'],
  )
})

test('a pre-accept without an answer holds for a ringing inbound call alone', async (t) => {
  const { directory, calls, add } = open()
  const ringing = add({ status: 'RINGING', direction: 'INBOUND' })
  t.is(valueOf(await calls.preAccept(ringing, null)).id, ringing.callId)
  t.is(codeOf(await calls.preAccept(add({ status: 'RINGING', direction: 'OUTBOUND' }), null)), 'CALL_INVALID_STATE')
  t.is(codeOf(await calls.preAccept(add({ status: 'ACCEPTED', direction: 'INBOUND' }), null)), 'CALL_INVALID_STATE')
  t.deepEqual(directory.asked, [])
  await calls.preAccept(ringing, 'v=0')
  t.deepEqual(directory.asked, [{ type: 'PreAccept', fields: { sdp: 'v=0' } }])
})

test('calling that the tenant switches is remembered once upstream took it', async (t) => {
  const { world, number, calls, noted } = open()
  const { store, upstream } = world.official
  await calls.writeSettings({ number, fields: { callback_permission_status: 'ENABLED' } })
  t.deepEqual(store.patches, [])
  await calls.writeSettings({ number, fields: { status: 'DISABLED' } })
  t.deepEqual(store.patches, [{ callingStatus: 'NOT_ENABLED', callingRetry: null }])
  upstream.script = { 'calling.writeSettings': REFUSED }
  t.is(codeOf(await calls.writeSettings({ number, fields: { status: 'ENABLED' } })), 'OFFICIAL_ERROR')
  t.deepEqual([store.patches.length, noted], [1, ['marks stored']])
  store.secrets.delete(number.id)
  t.is(codeOf(await calls.writeSettings({ number, fields: { status: 'ENABLED' } })), 'NUMBER_NOT_FOUND')
})
