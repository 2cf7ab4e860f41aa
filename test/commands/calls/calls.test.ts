import test from 'ava'
import { askLive, findCall } from '../../../src/commands/calls/ask.ts'
import { finishCall } from '../../../src/commands/calls/finish.ts'
import { openSession } from '../../../src/commands/calls/open-session.ts'
import { preAccept } from '../../../src/commands/calls/pre-accept.ts'
import { writeSettings } from '../../../src/commands/calls/write-settings.ts'
import type { Call } from '../../../src/domain/call.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import { World } from '../../helpers/world.ts'
import { codeOf, valueOf } from '../outcomes.ts'

function open() {
  const world = new World()
  const { number } = world.addOfficial()
  const deps = { calls: world.calls, ...world.official.ports() }
  const add = (fields: Partial<Call>, of = number) => {
    const { id, numberId } = world.calls.add(of, fields)
    return { numberId, callId: id }
  }
  return { world, number, deps, add, noted: world.official.noted }
}

const REFUSED = async (): Promise<Outcome<never>> => fail(refuse('OFFICIAL_ERROR', 'away'))

test('a call is found by the id of either side, within its number', async (t) => {
  const { world, number, deps, add } = open()
  const { callId } = add({ status: 'RINGING', externalCallId: 'wacid.1' })
  t.is(valueOf(await findCall(deps, { numberId: number.id, callId: 'wacid.1' })).id, callId)
  t.is(codeOf(await findCall(deps, { numberId: world.number.id, callId })), 'CALL_NOT_FOUND')
  t.is(codeOf(await findCall(deps, { numberId: number.id, callId: 'x'.repeat(257) })), 'CALL_NOT_FOUND')
})

test('only a live call is asked, and a refusal of upstream waits for its marks', async (t) => {
  const { world, deps, add, noted } = open()
  t.is(codeOf(await askLive(deps, add({ status: 'COMPLETED' }), REFUSED)), 'CALL_INVALID_STATE')
  t.is(codeOf(await askLive(deps, add({ status: 'RINGING' }, world.number), REFUSED)), 'OFFICIAL_ERROR')
  t.deepEqual(noted, [])
  t.is(codeOf(await askLive(deps, add({ status: 'RINGING' }), REFUSED)), 'OFFICIAL_ERROR')
  t.deepEqual(noted, ['marks stored'])
})

test('a session minted for a caller that was replaced meanwhile is refused and revoked', async (t) => {
  const { deps, add } = open()
  const told: string[] = []
  const session = { wsUrl: 'ws://m', token: 'y', expiresAtMs: 1 }
  const ports = (holds: boolean, outcome: Outcome<typeof session> = succeed(session)) => ({
    ...deps,
    askSession: async () => (told.push('minted'), outcome),
    stillHolds: async () => (told.push('looked'), holds),
    revokeCaller: async () => void told.push('revoked'),
  })
  t.is(valueOf(await openSession(ports(true), add({ status: 'RINGING' }))), session)
  t.deepEqual(told.splice(0), ['minted', 'looked'])
  t.is(codeOf(await openSession(ports(false), add({ status: 'RINGING' }))), 'UNAUTHENTICATED')
  t.deepEqual(told.splice(0), ['minted', 'looked', 'revoked'])
  t.is(codeOf(await openSession(ports(false, await REFUSED()), add({ status: 'RINGING' }))), 'OFFICIAL_ERROR')
  t.deepEqual(told, ['minted'])
})

test('a call that is over answers how it ended to those who end it', async (t) => {
  const { deps, add } = open()
  t.is(valueOf(await finishCall(deps, add({ status: 'MISSED' }), REFUSED)).status, 'MISSED')
  t.is(codeOf(await finishCall(deps, add({ status: 'RINGING' }), REFUSED)), 'OFFICIAL_ERROR')
})

test('a pre-accept without an answer holds for a ringing inbound call alone', async (t) => {
  const { deps, add } = open()
  const asked: string[] = []
  const all = {
    ...deps,
    askPreAccept: async ({ id, status }: Call, sdp: string) => {
      asked.push(sdp)
      return succeed({ id, status })
    },
  }
  const ringing = add({ status: 'RINGING', direction: 'INBOUND' })
  t.is(valueOf(await preAccept(all, ringing, null)).id, ringing.callId)
  t.is(codeOf(await preAccept(all, add({ status: 'RINGING', direction: 'OUTBOUND' }), null)), 'CALL_INVALID_STATE')
  t.is(codeOf(await preAccept(all, add({ status: 'ACCEPTED', direction: 'INBOUND' }), null)), 'CALL_INVALID_STATE')
  t.deepEqual(asked, [])
  await preAccept(all, ringing, 'v=0')
  t.deepEqual(asked, ['v=0'])
})

test('calling that the tenant switches is remembered once upstream took it', async (t) => {
  const { world, number, deps, noted } = open()
  const { store, upstream } = world.official
  await writeSettings(deps, { number, fields: { callback_permission_status: 'ENABLED' } })
  t.deepEqual(store.patches, [])
  await writeSettings(deps, { number, fields: { status: 'DISABLED' } })
  t.deepEqual(store.patches, [{ callingStatus: 'NOT_ENABLED', callingRetry: null }])
  upstream.script = { 'calling.writeSettings': REFUSED }
  t.is(codeOf(await writeSettings(deps, { number, fields: { status: 'ENABLED' } })), 'OFFICIAL_ERROR')
  t.deepEqual([store.patches.length, noted], [1, ['marks stored']])
  store.secrets.delete(number.id)
  t.is(codeOf(await writeSettings(deps, { number, fields: { status: 'ENABLED' } })), 'NUMBER_NOT_FOUND')
})
