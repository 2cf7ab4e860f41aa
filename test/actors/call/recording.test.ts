import test from 'ava'
import { succeed } from '../../../src/domain/errors.ts'
import { inboundRinging, Table } from './decide-rig.ts'

const RECORDING_URL = '/v1/calls/call_1/recording'

/** Ends the call; what `call.ended` says of its recording. */
function urlAtEnd(table: Table): unknown {
  table.send({ type: 'Terminate', askId: 9 })
  const [event] = table.last('move').move.events
  return event?.data['recordingUrl']
}

function placed(record: boolean): Table {
  const table = new Table('OUTBOUND')
  table.send({ type: 'StartOutbound', askId: 1, sdp: null, record })
  return table
}

function accepted(table: Table): Table {
  table.send({ type: 'MediaAnswered', attempt: table.last('mediaAnswer').attempt, outcome: succeed({ sdp: 'answer' }) })
  table.send({ type: 'AcceptedUpstream', attempt: table.last('accept').attempt, outcome: succeed(null) })
  return table
}

// [voice.recordings.1] [voice.recordings.4]
test('a placed call says from its row on whether it is recorded, and at its end where', (t) => {
  t.is(placed(false).last('insert').call.recording, null)
  const table = placed(true)
  t.is(table.last('insert').call.recording, 'ASKED')
  table.store()
  t.true(table.state.record)
  table.send({ type: 'MediaOffered', attempt: table.last('mediaOffer').attempt, outcome: succeed({ sdp: 'offer' }) })
  table.send({ type: 'Offered', attempt: table.last('offer').attempt, outcome: succeed({ externalCallId: 'ext' }) })
  table.store()
  table.send({ type: 'ProviderAnswered', seq: 2, sdp: 'answer' })
  table.store()
  t.is(urlAtEnd(table), RECORDING_URL)
})

test('a call that nobody answered has no recording to be told of', (t) => {
  const table = placed(true)
  table.store()
  table.send({ type: 'MediaOffered', attempt: table.last('mediaOffer').attempt, outcome: succeed({ sdp: 'offer' }) })
  table.send({ type: 'Offered', attempt: table.last('offer').attempt, outcome: succeed({ externalCallId: 'ext' }) })
  table.store()
  t.is(urlAtEnd(table), undefined)
})

// [voice.recordings.1]
test('an inbound call is recorded when whoever accepts it says so', (t) => {
  const table = inboundRinging()
  table.send({ type: 'Accept', askId: 1, sdp: null, record: true })
  accepted(table)
  t.is(table.last('move').move.patch.recording, 'ASKED')
  table.store()
  t.is(urlAtEnd(table), RECORDING_URL)

  const plain = inboundRinging()
  plain.send({ type: 'Accept', askId: 1, sdp: null })
  // The first accept is under way; a later one changes nothing.
  plain.send({ type: 'Accept', askId: 2, sdp: null, record: true })
  accepted(plain)
  t.is(plain.last('move').move.patch.recording, undefined)
  plain.store()
  t.is(urlAtEnd(plain), undefined)
})
