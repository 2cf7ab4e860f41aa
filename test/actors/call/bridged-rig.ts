/** Calls of the official platform that a bot of the number may answer. */
import { succeed } from '../../../src/domain/errors.ts'
import type { VoiceWithHeaders } from '../../../src/domain/number-voice.ts'
import { factsOf, OFFER, sessionIs, Table, VOICE } from './decide-rig.ts'

export function official(direction: 'INBOUND' | 'OUTBOUND', isShared = false): Table {
  const table = new Table(direction, isShared)
  table.state = { ...table.state, facts: { ...factsOf(direction), provider: 'OFFICIAL' } }
  return table
}

export function incoming(sdp = OFFER, isShared = false): Table {
  const table = official('INBOUND', isShared)
  table.send({ type: 'StartInbound', seq: -1, externalCallId: 'ext', sdp, rejection: null })
  table.store()
  return table
}

/** A call that rings on a number with a bot, whose session is open. */
export function withBot(over: Partial<VoiceWithHeaders> = {}, table = incoming()): Table {
  table.send({ type: 'VoiceRead', voice: { ...VOICE, ...over } })
  table.send(sessionIs('OPEN'))
  return table
}

export function answeredAhead(table: Table): Table {
  const outcome = succeed({ sdp: 'our answer', host: 'host-1' })
  table.send({ type: 'MediaAnswered', attempt: table.last('mediaAnswer').attempt, outcome })
  return table
}

export function preAccepted(table: Table): Table {
  table.send({ type: 'PreAccepted', askId: null, sdp: 'our answer', outcome: succeed(null) })
  table.store()
  return table
}
