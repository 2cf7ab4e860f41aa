import test from 'ava'
import { durationSeconds } from '../../src/domain/call.ts'
import { SessionClient } from '../helpers/session-client.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { HASTY, joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

/** This service waits for an answer and for media as long as by default, so that a test has time to act first. */
let service: Service
let number: PairedNumber
/** This service waits only briefly, so that a test sees what happens afterwards. */
let hasty: Service
let hastyNumber: PairedNumber

test.before(async () => {
  ;[service, hasty] = await Promise.all([joinService(), joinService(HASTY)])
  ;[number, hastyNumber] = await Promise.all([service.pairNumber(), hasty.pairNumber()])
})

async function eventsOf(callId: string, at = { service, number }): Promise<string[]> {
  return (await at.service.events(at.number)).filter((event) => event.data.id === callId).map((event) => event.event)
}

async function ring(body: object = {}, at = { service, number }): Promise<any> {
  const { body: rung } = await at.service.control('POST', '/peers/5511970001234/calls', {
    to: at.number.digits,
    ...body,
  })
  return await until('the call rings', async () => {
    const found = await at.service.api('GET', `/v1/calls/${rung.callId}`, at.number.key)
    return found.status === 200 ? found.body : null
  })
}

// [calls.object.4] [calls.states.12] [calls.routes.6]
test('a peer that answers: ACCEPTED, then COMPLETED with its duration', async (t) => {
  const placed = await service.placeCall(number, '5511990000001')
  await service.untilCall(number, placed.id, ['ACCEPTED'])
  const ended = await service.api('POST', `/v1/calls/${placed.id}/terminate`, number.key)
  t.deepEqual(ended.body, { success: true, id: placed.id, status: 'COMPLETED' })
  const row = await service.untilCall(number, placed.id, ['COMPLETED'])
  t.is(typeof row.durationSeconds, 'number')
  t.deepEqual(await eventsOf(placed.id), ['call.connected', 'call.ended'])
  const again = await service.api('POST', `/v1/calls/${placed.id}/terminate`, number.key)
  t.is(again.status, 200)
  t.is(again.body.status, 'COMPLETED')
})

// [calls.object.4] [calls.object.6] [calls.object.8]
test('a peer that declines: REJECTED with call.ended and no duration', async (t) => {
  const placed = await service.placeCall(number, '5511990000002')
  const row = await service.untilCall(number, placed.id, ['REJECTED'])
  t.is(row.durationSeconds, null)
  t.is(row.connectedAt, null)
  t.deepEqual(await eventsOf(placed.id), ['call.ended'])
})

// [calls.object.4]
test('a peer that never answers: MISSED with call.ended when the ring time is over', async (t) => {
  const placed = await hasty.placeCall(hastyNumber, '5511990000003')
  await hasty.untilCall(hastyNumber, placed.id, ['MISSED'])
  t.deepEqual(await eventsOf(placed.id, { service: hasty, number: hastyNumber }), ['call.ended'])
})

test('a peer that is not registered: the error goes to the caller and no call survives', async (t) => {
  const placed = await service.api('POST', '/v1/calls', number.key, { to: '5511990000004' })
  t.is(placed.status, 422)
  const { body } = await service.api('GET', '/v1/calls?limit=100', number.key)
  t.false(body.calls.some((call: any) => call.peerNumber === '5511990000004'))
})

// [calls.object.6] [calls.object.8]
test('a peer that hangs up: COMPLETED with the seconds from the answer to the end', async (t) => {
  const placed = await service.placeCall(number, '5511990000005')
  const row = await service.untilCall(number, placed.id, ['COMPLETED'])
  t.is(row.durationSeconds, durationSeconds(new Date(row.connectedAt), new Date(row.endedAt)))
  t.true(row.durationSeconds > 0)
  t.deepEqual(await eventsOf(placed.id), ['call.connected', 'call.ended'])
})

test('a call that fails after ringing: FAILED with its error code', async (t) => {
  const placed = await service.placeCall(number, '5511990000007')
  const row = await service.untilCall(number, placed.id, ['FAILED'])
  t.truthy(row.errorCode)
  t.deepEqual(await eventsOf(placed.id), ['call.ended'])
})

test('a peer that answers and never sends media: FAILED MEDIA_TIMEOUT', async (t) => {
  const placed = await hasty.placeCall(hastyNumber, '5511990000008')
  const row = await hasty.untilCall(hastyNumber, placed.id, ['FAILED'])
  t.is(row.errorCode, 'MEDIA_TIMEOUT')
  t.deepEqual(await eventsOf(placed.id, { service: hasty, number: hastyNumber }), ['call.connected', 'call.ended'])
})

test('giving up before the answer: INITIATED, RINGING, then MISSED with call.ended', async (t) => {
  const placed = await service.placeCall(number, '5511990000003')
  await service.untilCall(number, placed.id, ['RINGING'])
  const { body } = await service.api('POST', `/v1/calls/${placed.id}/terminate`, number.key)
  t.is(body.status, 'MISSED')
  t.deepEqual(await eventsOf(placed.id), ['call.ended'])
})

// [calls.states.10] [calls.routes.4]
test('an inbound call that is accepted: RINGING, ACCEPTED, then COMPLETED when the peer hangs up', async (t) => {
  const call = await ring()
  t.is(call.direction, 'INBOUND')
  t.is(call.status, 'RINGING')
  const accepted = await service.api('POST', `/v1/calls/${call.id}/accept`, number.key)
  t.deepEqual(accepted.body, { success: true, id: call.id, status: 'ACCEPTED' })
  await service.control('POST', `/calls/${call.externalCallId}/hangup`)
  await service.untilCall(number, call.id, ['COMPLETED'])
  t.deepEqual(await eventsOf(call.id), ['call.ringing', 'call.connected', 'call.ended'])
  const late = await service.api('POST', `/v1/calls/${call.id}/accept`, number.key)
  t.is(late.status, 409)
  t.is(late.body.code, 'CALL_INVALID_STATE')
})

test('an inbound call accepted from the socket carries audio', async (t) => {
  const call = await ring({ audio: 'tone' })
  const session = await service.api('POST', `/v1/calls/${call.id}/realtime-session`, number.key)
  const client = await SessionClient.connect(session.body.wsUrl)
  client.send({ type: 'accept' })
  await client.untilStatus('ACCEPTED')
  await until('a second of audio came', () => client.samples > 16_000)
  client.send({ type: 'hangup' })
  await service.untilCall(number, call.id, ['COMPLETED'])
  t.is((await client.untilClosed()).code, 1000)
})

// [calls.object.4] [calls.routes.5]
test('an inbound call that is rejected: REJECTED with call.ended', async (t) => {
  const call = await ring()
  const { body } = await service.api('POST', `/v1/calls/${call.id}/reject`, number.key)
  t.is(body.status, 'REJECTED')
  t.deepEqual(await eventsOf(call.id), ['call.ringing', 'call.ended'])
})

test('a caller that gives up: MISSED with call.missed', async (t) => {
  const call = await ring()
  await service.control('POST', `/calls/${call.externalCallId}/hangup`)
  await service.untilCall(number, call.id, ['MISSED'])
  t.deepEqual(await eventsOf(call.id), ['call.ringing', 'call.missed'])
})

test('an inbound call nobody answers: MISSED with call.missed', async (t) => {
  const call = await ring({}, { service: hasty, number: hastyNumber })
  await hasty.untilCall(hastyNumber, call.id, ['MISSED'])
  t.deepEqual(await eventsOf(call.id, { service: hasty, number: hastyNumber }), ['call.ringing', 'call.missed'])
})

// [numbers.settings.5] [numbers.settings.6]
test('rejectCall declines by itself, records REJECTED and sends the text once', async (t) => {
  const shy = await service.pairNumber({ rejectCall: true, msgRejectCall: 'Please write instead.' })
  const peer = '5511970004321'
  const { body } = await service.control('POST', `/peers/${peer}/calls`, { to: shy.digits })
  const row = await service.untilCall(shy, body.callId, ['REJECTED'])
  t.is(row.direction, 'INBOUND')
  const inbox = await until('the text arrived', async () => {
    const answer = await service.control('GET', `/peers/${peer}/inbox`)
    const messages = answer.body.messages ?? answer.body
    return messages.length > 0 ? messages : null
  })
  t.is(inbox.length, 1)
  t.true(JSON.stringify(inbox).includes('Please write instead.'))
})

// [calls.routes.18]
test('a number that is not connected refuses to call', async (t) => {
  const created = await service.api('POST', '/v1/numbers', service.tenantKey, { name: 'Idle', number: '5511912300000' })
  const placed = await service.api('POST', '/v1/calls', created.body.apiKey.key, { to: '5511990000001' })
  t.is(placed.status, 409)
  t.is(placed.body.code, 'CHANNEL_INSTANCE_NOT_CONNECTED')
})
