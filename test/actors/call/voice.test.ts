import test from 'ava'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { VoiceWithHeaders } from '../../../src/domain/number-voice.ts'
import { accepting, inboundRinging, sessionIs, Table } from './decide-rig.ts'

const VOICE: VoiceWithHeaders = {
  connectTo: 'wss://bot.example/',
  headers: { authorization: 'Bearer x' },
  dialect: 'twilio',
  rate: 8_000,
  parameters: { line: '2' },
  answer: 'accept',
  onUnreachable: 'ring',
  onDisconnect: 'hangup',
  record: false,
}

/** A call that rings on a number with this bot, which is being dialled. */
function dialling(over: Partial<VoiceWithHeaders> = {}, table = inboundRinging()): Table {
  table.send({ type: 'VoiceRead', voice: { ...VOICE, ...over } })
  table.send({ type: 'VoiceDialled', outcome: succeed(null) })
  return table
}

const isRinging = (table: Table) => table.state.phase.at === 'INCOMING' && table.state.write === null

// [voice.number-setting.2]
test('an inbound call has the bot of its number dialled once it is stored, and is accepted when that is open', (t) => {
  const table = inboundRinging()
  t.is(table.all('readVoice').length, 1)
  dialling({}, table)
  t.deepEqual(table.last('mediaDialVoice').session, {
    sessionId: 'rts_1',
    mode: 'talk',
    url: VOICE.connectTo,
    headers: VOICE.headers,
    query: { dialect: 'twilio', onDisconnect: 'hangup', rate: '8000' },
    given: VOICE.parameters,
    sparesRinging: true,
  })
  table.send(sessionIs('CONNECTING'))
  table.send(sessionIs('OPEN', 'rts_another'))
  t.true(isRinging(table))
  table.send(sessionIs('OPEN'))
  t.is(table.state.phase.at, 'ACCEPTING')
  t.is(table.all('mediaAnswer').length, 1)
})

// [calls.settings.4]
test('a call that its number declines has no bot dialled', (t) => {
  const table = new Table('INBOUND')
  table.send({ type: 'StartInbound', seq: 1, externalCallId: 'ext', sdp: 'offer', rejection: { text: null } })
  table.store()
  t.deepEqual(table.all('readVoice'), [])
})

test('a call of a number without a bot rings as it is', (t) => {
  const table = inboundRinging()
  table.send({ type: 'VoiceRead', voice: null })
  table.send(sessionIs('OPEN'))
  t.deepEqual([table.all('mediaDialVoice'), isRinging(table)], [[], true])
})

// [voice.number-setting.3]
test('a bot that is to answer by itself finds the call ringing, and accepts it', (t) => {
  const table = dialling({ answer: 'ring' })
  table.send(sessionIs('OPEN'))
  t.true(isRinging(table))
  table.send({ type: 'Media', event: { type: 'accept', callId: 'call_1' } })
  t.is(table.state.phase.at, 'ACCEPTING')
})

// [voice.number-setting.5]
for (const onUnreachable of ['ring', 'reject'] as const)
  test(`while its bot cannot be had a call does as the setting says: ${onUnreachable}`, (t) => {
    const failed = dialling({ onUnreachable })
    failed.send(sessionIs('FAILED'))
    const refused = inboundRinging()
    refused.send({ type: 'VoiceRead', voice: { ...VOICE, onUnreachable } })
    refused.send({ type: 'VoiceDialled', outcome: fail(refuse('MEDIA_CAPACITY', 'full')) })
    for (const table of [failed, refused]) {
      t.is(isRinging(table), onUnreachable === 'ring')
      t.deepEqual(
        table.all('move').map(({ move }) => move.to),
        onUnreachable === 'ring' ? [] : ['REJECTED'],
      )
    }
  })

test('a bot that was reached and has left a ringing call leaves it ringing', (t) => {
  const table = dialling({ answer: 'ring', onUnreachable: 'reject' })
  table.send(sessionIs('OPEN'))
  table.send(sessionIs('CLOSED'))
  t.true(isRinging(table))
})

// [voice.number-setting.6]
for (const onDisconnect of ['keep', 'hangup', 'grace'] as const)
  test(`a bot that is gone before its call is answered ends it or not by onDisconnect: ${onDisconnect}`, (t) => {
    const table = dialling({ onDisconnect })
    table.send(sessionIs('OPEN'))
    table.send(sessionIs('CLOSED'))
    table.send({
      type: 'MediaAnswered',
      attempt: table.last('mediaAnswer').attempt,
      outcome: succeed({ sdp: 'answer' }),
    })
    table.send({ type: 'AcceptedUpstream', attempt: table.last('accept').attempt, outcome: succeed(null) })
    table.store()
    t.deepEqual(
      table.all('move').map(({ move }) => move.to),
      onDisconnect === 'keep' ? ['ACCEPTED'] : ['ACCEPTED', 'COMPLETED'],
    )
  })

test('a person who is quicker than the bot has the call, with the bot in it', (t) => {
  const table = dialling({ onUnreachable: 'reject' }, accepting('provider'))
  t.is(table.all('mediaDialVoice').length, 1)
  table.send(sessionIs('OPEN'))
  t.is(table.all('mediaAnswer').length, 1)
  table.send({ type: 'AcceptedUpstream', attempt: table.last('accept').attempt, outcome: succeed(null) })
  table.store()
  table.send(sessionIs('FAILED'))
  t.is(table.state.phase.at, 'ACCEPTED')
})

test('a call that is over when the setting was read has no bot dialled', (t) => {
  const table = inboundRinging()
  table.send({ type: 'ProviderEnded', seq: 2, reason: 'hangup' })
  table.store()
  table.send({ type: 'VoiceRead', voice: VOICE })
  table.send({ type: 'VoiceDialled', outcome: succeed(null) })
  t.deepEqual(table.all('mediaDialVoice'), [])
})

// [voice.number-setting.9]
test('a number whose bot has its calls recorded has each recorded from the answer on', (t) => {
  const table = dialling({ record: true })
  t.false(table.all('insert')[0]?.call.recording === 'ASKED')
  table.send(sessionIs('OPEN'))
  t.true(table.state.record)
  table.send({ type: 'MediaAnswered', attempt: table.last('mediaAnswer').attempt, outcome: succeed({ sdp: 'a' }) })
  table.send({ type: 'AcceptedUpstream', attempt: table.last('accept').attempt, outcome: succeed(null) })
  t.is(table.last('move').move.patch.recording, 'ASKED')
})

test('a call whose host was lost while it rang has its bot dialled at the next one', (t) => {
  const table = dialling()
  table.send({ type: 'Media', event: { type: 'lost', callId: 'call_1', reason: 'HOST_LOST' } })
  t.is(table.all('readVoice').length, 2)
})
