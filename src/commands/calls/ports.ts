import type { CallerId } from '../../domain/caller.ts'
import type { Call, CallAnswer, CallCarrier } from '../../domain/call.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { CallId, NumberId } from '../../domain/ids.ts'
import type { SessionMode } from '../../domain/realtime-session.ts'
import type { Traced } from '../../domain/trace.ts'
import type { MintedSession, SessionToDial } from '../../ports/media.ts'
import type { CallSessionStore } from '../../ports/stores/call-session-store.ts'
import type { PrivacyStore } from '../../ports/stores/lead-store.ts'
import type { CallStore } from '../../ports/stores/call-store.ts'
import type { OfficialPorts } from '../official/ports.ts'

/** A call to be placed. `sdp`: the tenant's offer, null when the media host makes one. */
export interface CallToPlace extends Traced {
  readonly to: string
  readonly bizOpaqueCallbackData: string | null
  readonly sdp: string | null
  /** Has the call recorded. */
  readonly record?: boolean
  /** `bridge` has our media host carry the audio of a call of an OFFICIAL number; missing for the kind's own way. */
  readonly media?: CallCarrier
}

/** A call as the provider took it. */
export type PlacedCall = CallAnswer & Pick<Call, 'externalCallId'>

/** A file to be played. */
export interface FileToPlay {
  readonly mediaUrl: string
  readonly hangupAfterPlay: boolean
}

/** A realtime session to be minted, and for whom. */
export interface SessionToMint {
  readonly mode: SessionMode
  readonly by: CallerId
  /** True when the session that talks is to listen from then on ([realtime.takeover.1]). */
  readonly takesOver?: boolean
}

/** Reaches the actors of numbers and of their live calls. */
export interface CallDirectory {
  askNumber(numberId: NumberId, type: 'PlaceCall', fields: CallToPlace): Promise<Outcome<PlacedCall>>
  askCall(of: NumberId, id: CallId, type: 'Accept', fields: AnswerOf & Traced): Promise<Outcome<CallAnswer>>
  askCall(
    of: NumberId,
    id: CallId,
    type: 'PreAccept',
    fields: { readonly sdp: string } & Traced,
  ): Promise<Outcome<CallAnswer>>
  askCall(of: NumberId, id: CallId, type: 'Reject' | 'Terminate', fields: Traced): Promise<Outcome<CallAnswer>>
  askCall(of: NumberId, id: CallId, type: 'Play', fields: FileToPlay & Traced): Promise<Outcome<CallAnswer>>
  askCall(
    of: NumberId,
    id: CallId,
    type: 'OpenSession',
    fields: SessionToMint & Traced,
  ): Promise<Outcome<MintedSession>>
  askCall(of: NumberId, id: CallId, type: 'GiveBack', fields: Traced): Promise<Outcome<null>>
  askCall(
    of: NumberId,
    id: CallId,
    type: 'DialSession',
    fields: { readonly session: SessionToDial } & Traced,
  ): Promise<Outcome<null>>
}

/** The tenant's answer. `sdp`: null when it was sent before, or when the media host makes it. */
interface AnswerOf {
  readonly sdp: string | null
  readonly record?: boolean
  readonly media?: CallCarrier
}

/** The ports of calls; each command takes all of them. */
export interface CallPorts extends Pick<OfficialPorts, 'official' | 'officialOf' | 'marksStored'> {
  readonly calls: CallStore
  readonly callSessions: Pick<CallSessionStore, 'list'>
  readonly privacy: Pick<PrivacyStore, 'retentionOf'>
  readonly directory: CallDirectory
}
