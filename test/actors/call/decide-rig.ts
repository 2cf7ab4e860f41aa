import { decide } from '../../../actors/call/decide.ts'
import type { CallMessage } from '../../../actors/call/messages.ts'
import type { CallEffect, CallFacts, CallState, Reply, Step } from '../../../actors/call/state.ts'
import { initialState } from '../../../actors/call/state.ts'
import { succeed } from '../../../src/domain/errors.ts'
import { voiceSessionOf, type VoiceWithHeaders } from '../../../src/domain/number-voice.ts'
import type { RealtimeSessionState, SessionStatus } from '../../../src/domain/realtime-session.ts'

export const NOW = Date.UTC(2026, 0, 1, 12)

/** An offer that our media host can answer. */
export const OFFER = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=ice-lite',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'c=IN IP4 0.0.0.0',
  'a=rtpmap:111 opus/48000/2',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:aaaaaaaaaaaaaaaaaaaaaaaa',
  'a=rtcp-mux',
  'a=setup:actpass',
  `a=fingerprint:sha-256 ${Array(32).fill('AA').join(':')}`,
  '',
].join('\r\n')

/** The media host tells how a session of the call stands: that of the number's bot, unless another is named. */
export function sessionIs(status: SessionStatus, id: RealtimeSessionState['id'] = voiceSessionOf('call_1')) {
  const session: RealtimeSessionState = {
    id,
    direction: 'OUTBOUND',
    mode: 'talk',
    dialect: 'native',
    status,
    openedAtMs: null,
    closedAtMs: null,
    closeCode: null,
    error: null,
  }
  return { type: 'Media', event: { type: 'session', callId: 'call_1', session } } as const
}

/** A bot that takes every call. */
export const VOICE: VoiceWithHeaders = {
  connectTo: 'wss://bot.example/',
  headers: {},
  dialect: 'native',
  rate: null,
  parameters: {},
  answer: 'accept',
  onUnreachable: 'ring',
  onDisconnect: 'hangup',
  record: false,
}

export function factsOf(direction: 'INBOUND' | 'OUTBOUND'): CallFacts {
  return {
    id: 'call_1',
    tenantId: 'ten_1',
    numberId: 'num_1',
    provider: 'UNOFFICIAL',
    direction,
    peerNumber: '5511999990001',
    fromNumber: '551133334444',
    conversationId: 'conv_1',
    bizOpaqueCallbackData: null,
    startedAt: new Date(NOW - 10_000),
    createdAt: new Date(NOW - 10_000),
  }
}

export type Effect<T extends CallEffect['type']> = Extract<CallEffect, { type: T }>

/** Runs messages through `decide` by hand. Only the test makes things happen. */
export class Table {
  state: CallState
  effects: CallEffect[] = []
  replies: Reply[] = []
  nowMs = NOW

  /** `isShared`: the media hosts outlive the node. */
  constructor(direction: 'INBOUND' | 'OUTBOUND', isShared = false) {
    this.state = initialState(
      factsOf(direction),
      { unringingMs: 30_000, ringMs: 60_000, mediaMs: 20_000, upstreamMs: 180_000, silenceMs: 86_400_000 },
      isShared,
    )
  }

  send(message: CallMessage): Step {
    const made = decide(this.state, message, this.nowMs)
    this.state = made.state
    this.effects.push(...made.effects)
    this.replies.push(...made.replies)
    return made
  }

  /** Applies the write that is in progress. */
  store(): Step {
    if (!this.state.write) throw new Error('no write is in flight')
    return this.send({ type: 'Stored', attempt: this.state.write.attempt, outcome: { kind: 'applied' } })
  }

  all<T extends CallEffect['type']>(type: T): Effect<T>[] {
    return this.effects.filter((effect): effect is Effect<T> => effect.type === type)
  }

  last<T extends CallEffect['type']>(type: T): Effect<T> {
    const found = this.all(type).at(-1)
    if (!found) throw new Error(`no ${type} was asked for`)
    return found
  }

  replyTo(askId: number): unknown {
    return this.replies.find((reply) => reply.askId === askId)?.outcome
  }

  /** Forgets all effects and replies so far. */
  forget(): this {
    this.effects = []
    this.replies = []
    return this
  }
}

/** An outbound call whose offer the provider was asked for. The ask of `StartOutbound` has id 1. */
export function offering(): Table {
  const table = new Table('OUTBOUND')
  table.send({ type: 'StartOutbound', askId: 1, sdp: null })
  table.store()
  table.send({ type: 'MediaOffered', attempt: table.last('mediaOffer').attempt, outcome: succeed({ sdp: 'offer' }) })
  return table
}

export function initiated(): Table {
  const table = offering()
  table.send({ type: 'Offered', attempt: table.last('offer').attempt, outcome: succeed({ externalCallId: 'ext' }) })
  table.store()
  return table
}

export function outboundRinging(): Table {
  const table = initiated()
  table.send({ type: 'ProviderRinging', seq: 1 })
  table.store()
  return table
}

export function outboundAccepted(): Table {
  const table = outboundRinging()
  table.send({ type: 'ProviderAnswered', seq: 2, sdp: 'answer' })
  table.store()
  table.send({ type: 'MediaConnected', attempt: table.last('mediaConnect').attempt, outcome: succeed(null) })
  return table
}

export function inboundRinging(): Table {
  const table = new Table('INBOUND')
  table.send({ type: 'StartInbound', seq: 1, externalCallId: 'ext', sdp: 'offer', rejection: null })
  table.store()
  return table
}

export function accepting(stage: 'media' | 'provider'): Table {
  const table = inboundRinging()
  table.send({ type: 'Accept', askId: 1, sdp: null })
  if (stage === 'provider')
    table.send({
      type: 'MediaAnswered',
      attempt: table.last('mediaAnswer').attempt,
      outcome: succeed({ sdp: 'answer' }),
    })
  return table
}

export function inboundAccepted(): Table {
  const table = accepting('provider')
  table.send({ type: 'AcceptedUpstream', attempt: table.last('accept').attempt, outcome: succeed(null) })
  table.store()
  return table
}
