import type { CallMessage } from '../../../actors/call/messages.ts'
import type { CallEffect } from '../../../actors/call/state.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { Outcome, RefusalCode } from '../../../src/domain/errors.ts'
import type { VoiceWithHeaders } from '../../../src/domain/number-voice.ts'
import { VOICE } from './decide-rig.ts'
import type { Luck, Write } from './stored-call.ts'

const WRITES = ['insert', 'move', 'saveExternalId', 'savePlayback', 'remove'] as const
const REQUESTS = [
  'offer',
  'accept',
  'preAccept',
  'readVoice',
  'mediaOffer',
  'mediaAnswer',
  'mediaConnect',
  'mediaMint',
  'mediaGiveBack',
  'mediaDial',
  'mediaDialVoice',
  'mediaPlay',
  'mediaAdopt',
] as const
const ANSWERED: ReadonlySet<string> = new Set([...WRITES, ...REQUESTS])

/** A request to a provider, a media host or the rows of the number, whose outcome comes back. */
export type Request = CallEffect & { type: (typeof REQUESTS)[number] }
/** An effect whose outcome comes back. */
export type Answerable = Write | Request

/** How an effect ends; `pick` chooses among several such ends. */
export interface Answer {
  readonly luck: Luck
  readonly pick: number
}

/** What the answers of a media host depend on. */
export interface AskedHost {
  /** True when another owner has the call. */
  readonly isStale: boolean
  readonly has: 'nothing' | 'sockets' | 'leg'
}

/** Whether the outcome of an effect comes back. */
export function isAnswerable(effect: CallEffect): effect is Answerable {
  return ANSWERED.has(effect.type)
}

/** Whether an effect changes the row. */
export function isWrite(effect: Answerable): effect is Write {
  return (WRITES as readonly string[]).includes(effect.type)
}

const refused = (code: RefusalCode): Outcome<never> => fail(refuse(code, 'no'))

function voiceBy(pick: number): VoiceWithHeaders | null {
  if (pick % 4 === 0) return null
  return { ...VOICE, answer: pick % 4 === 1 ? 'ring' : 'accept', onUnreachable: pick % 3 === 0 ? 'reject' : 'ring' }
}

/** The message with which the outcome of a request comes back. */
export function answerTo(request: Request, how: Answer, host: AskedHost): CallMessage {
  const isDone = how.luck === 'done'
  const nothing: Outcome<null> = isDone ? succeed(null) : refused('MEDIA_UNAVAILABLE')
  switch (request.type) {
    case 'offer':
    case 'accept':
    case 'preAccept':
    case 'readVoice':
      return answerOfProvider(request, how)
    case 'mediaOffer':
    case 'mediaAnswer': {
      const { attempt, type } = request
      const outcome = isDone
        ? succeed({ sdp: 'v=0\r\na=setup:actpass\r\n', host: 'host-1' })
        : refused('MEDIA_CAPACITY')
      return { type: type === 'mediaOffer' ? 'MediaOffered' : 'MediaAnswered', attempt, outcome }
    }
    case 'mediaConnect':
      return { type: 'MediaConnected', attempt: request.attempt, outcome: nothing }
    case 'mediaMint': {
      const minted = { wsUrl: 'wss://media.example/', token: 'secret', expiresAtMs: 1 }
      return { type: 'Minted', askId: request.askId, outcome: isDone ? succeed(minted) : refused('MEDIA_UNAVAILABLE') }
    }
    case 'mediaGiveBack':
      return { type: 'GivenBack', askId: request.askId, outcome: nothing }
    case 'mediaDial':
      return { type: 'Dialled', askId: request.askId, outcome: nothing }
    case 'mediaDialVoice':
      return { type: 'VoiceDialled', outcome: nothing }
    case 'mediaPlay':
      return { ...request, type: 'PlayQueued', outcome: nothing }
    case 'mediaAdopt':
      return { type: 'Adopted', attempt: request.attempt, outcome: adopted(how, host) }
  }
}

function adopted({ luck }: Answer, { isStale, has }: AskedHost): Outcome<{ readonly hasLeg: boolean }> {
  if (isStale) return refused('NOT_OWNER')
  if (luck === 'faulty') return refused('CALL_INVALID_STATE')
  if (luck !== 'done') return refused('MEDIA_UNAVAILABLE')
  return has === 'nothing' ? refused('CALL_NOT_FOUND') : succeed({ hasLeg: has === 'leg' })
}

function answerOfProvider(
  request: Request & { type: 'offer' | 'accept' | 'preAccept' | 'readVoice' },
  { luck, pick }: Answer,
): CallMessage {
  const isDone = luck === 'done'
  // Only what was not done is refused as unknown to the engine.
  const code = luck === 'refused' && pick % 3 === 0 ? 'FEATURE_NOT_SUPPORTED' : 'DEVICE_NETWORK_ERROR'
  const nothing: Outcome<null> = isDone ? succeed(null) : refused(code)
  switch (request.type) {
    case 'offer':
      return {
        type: 'Offered',
        attempt: request.attempt,
        outcome: isDone ? succeed({ externalCallId: 'ext' }) : refused(code),
      }
    case 'accept':
      return { type: 'AcceptedUpstream', attempt: request.attempt, outcome: nothing }
    case 'preAccept':
      return { type: 'PreAccepted', askId: request.askId, sdp: request.sdp, outcome: nothing }
    case 'readVoice':
      return { type: 'VoiceRead', voice: isDone ? voiceBy(pick) : null }
  }
}
