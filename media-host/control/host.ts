import { randomUUID } from 'node:crypto'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { Outcome, Refusal } from '../../src/domain/errors.ts'
import { thrownName } from '../../src/domain/thrown.ts'
import { endOf } from '../../src/domain/trace.ts'
import type { NodeId } from '../../src/domain/ids.ts'
import type { Log } from '../../src/ports/log.ts'
import type { MediaOp, MediaOps, MediaRequest } from '../../src/ports/media-control.ts'
import type { MintedSession } from '../../src/ports/media.ts'
import type { Span, Traces } from '../../src/ports/traces.ts'
import type { Admission } from '../realtime/admission.ts'
import type { CallRegister } from './call-register.ts'
import { checkDialled } from '../../src/net/dialled-address.ts'
import type { DialGuard } from '../../src/net/dialled-address.ts'
import { DIALECTS_BY_NAME } from '../realtime/dialect.ts'
import { readParameters } from '../realtime/protocol-parameters.ts'
import type { SessionMode } from '../../src/domain/realtime-session.ts'
import type { LiveCall } from './live-call.ts'
import type { Recordings } from '../recording/recordings.ts'
import type { TokenBook } from '../realtime/tokens.ts'
import { UnusableDescription } from '../legs/leg.ts'

export interface HostParts {
  readonly calls: CallRegister
  readonly tokens: TokenBook
  readonly admission: Admission
  /** Lets addresses of tenants through. */
  readonly dialGuard: DialGuard
  readonly recordings: Pick<Recordings, 'find' | 'read' | 'list' | 'drop'>
  readonly log: Log
  readonly traces: Traces
  /** The start of wsUrl, without a final slash. */
  publicUrl(): string
}

type OfRecordings = 'recording' | 'recordingPart' | 'recordings' | 'dropRecording'
type OfNoLiveCall = Request<'sync' | 'revoke' | OfRecordings>

/** True of requests that any gateway may make: those about no call, and about recordings of calls that are over. */
function isOfNoLiveCall(request: MediaRequest): request is OfNoLiveCall {
  const { op } = request
  return op === 'sync' || op === 'revoke' || op.startsWith('recording') || op === 'dropRecording'
}

type Request<O extends MediaOp> = Extract<MediaRequest, { op: O }>
type Answer<O extends MediaOp> = Outcome<MediaOps[O]['value']>

/** The requests that a gateway may send to this host, one method for each op (ports/media-control). */
export class MediaHost {
  /** A new id at each start, so that a gateway notices when a host has lost its calls. */
  readonly hostId = `host-${randomUUID()}`
  readonly #parts: HostParts

  constructor(parts: HostParts) {
    this.#parts = parts
  }

  /** Runs a request; answers an Outcome and never throws. */
  async run(nodeId: NodeId, request: MediaRequest): Promise<Outcome<unknown>> {
    if (!this.#mayRun(nodeId, request))
      return fail(refuse('NOT_OWNER', 'Another node controls this call now; try again'))
    const span = this.#spanOf(request)
    const outcome = await this.#runOwn(nodeId, request)
    span?.end(endOf(outcome))
    return outcome
  }

  /** Records a request about a live call, as part of what the call is part of. */
  #spanOf(request: MediaRequest): Span | null {
    if (isOfNoLiveCall(request)) return null
    const { calls, traces } = this.#parts
    const call = 'call' in request ? request.call : calls.find(request.callId)?.call
    const { op: command } = request
    return call ? traces.begin('media.command', call.trace ?? null, { callId: call.callId, command }) : null
  }

  async #runOwn(nodeId: NodeId, request: MediaRequest): Promise<Outcome<unknown>> {
    switch (request.op) {
      case 'sync':
        return this.#sync(nodeId, request)
      case 'announce':
        return this.#announce(nodeId, request)
      case 'offer':
        return this.#offer(nodeId, request)
      case 'answer':
        return this.#answer(nodeId, request)
      case 'connect':
        return this.#connect(request)
      case 'update':
        return this.#update(request)
      case 'status':
        return this.#status(request)
      case 'mint':
      case 'giveBack':
      case 'dial':
      case 'revoke':
        return this.#runForSession(request)
      case 'play':
        return this.#play(request)
      case 'close':
        return this.#close(request)
      case 'adopt':
        return this.#adopt(nodeId, request)
      case 'leave':
        return this.#leave(request)
      case 'recording':
      case 'recordingPart':
      case 'recordings':
      case 'dropRecording':
        return this.#runOfRecordings(request)
      default:
        return request satisfies never
    }
  }

  #runForSession(
    request: Request<'mint' | 'giveBack' | 'dial' | 'revoke'>,
  ): Outcome<unknown> | Promise<Outcome<unknown>> {
    switch (request.op) {
      case 'mint':
        return this.#mint(request)
      case 'giveBack':
        return this.#giveBack(request)
      case 'dial':
        return this.#dial(request)
      case 'revoke':
        return this.#revoke(request)
      default:
        return request satisfies never
    }
  }

  #mayRun(nodeId: NodeId, request: MediaRequest): boolean {
    if (isOfNoLiveCall(request)) return true
    const { callId, fence } = 'call' in request ? request.call : request
    return this.#parts.calls.mayAct(callId, nodeId, fence)
  }

  /** Ends every call of a node that does not come back, with the status of a lost node (our choice). */
  dropNode(nodeId: NodeId): void {
    for (const live of this.#parts.calls.ofNode(nodeId))
      this.#parts.calls.end(live.call.callId, 'FAILED', { reason: 'NODE_LOST' })
  }

  #sync(nodeId: NodeId, { calls: named }: Request<'sync'>): Answer<'sync'> {
    const { calls } = this.#parts
    const own = new Set(calls.ofNode(nodeId).map((live) => live.call.callId))
    // A call that the node does not name is from before its restart. Its number's next owner may be this node or
    // another one.
    for (const callId of own) if (!named.includes(callId)) calls.leave(callId)
    return succeed({
      hostId: this.hostId,
      publicUrl: this.#parts.publicUrl(),
      calls: named.filter((callId) => own.has(callId)),
    })
  }

  #announce(nodeId: NodeId, { call }: Request<'announce'>): Answer<'announce'> {
    const refusal = this.#refusalOfNew(call.callId, { isWithoutLeg: true })
    if (refusal) return refusal
    this.#parts.calls.ensure(call, nodeId)
    return succeed(null)
  }

  async #offer(nodeId: NodeId, { call, kind = 'webrtc' }: Request<'offer'>): Promise<Answer<'offer'>> {
    const refusal = this.#refusalOfNew(call.callId)
    if (refusal) return refusal
    const live = this.#parts.calls.ensure(call, nodeId)
    return this.#negotiate(
      live,
      () => refuse('MEDIA_UNAVAILABLE', 'The audio connection of the call could not be opened. Try again.'),
      () => live.leg.offer(kind),
    )
  }

  async #answer(nodeId: NodeId, { call, sdpOffer }: Request<'answer'>): Promise<Answer<'answer'>> {
    const refusal = this.#refusalOfNew(call.callId)
    if (refusal) return refusal
    const live = this.#parts.calls.ensure(call, nodeId)
    // A call that was announced is recorded only if whoever accepts it says so.
    if (call.record) live.record()
    return this.#negotiate(
      live,
      (error) => unusable('The offer of the caller', error),
      () => live.leg.answer(sdpOffer),
    )
  }

  #connect({ callId, sdpAnswer }: Request<'connect'>): Promise<Answer<'connect'>> {
    return this.#describe(callId, 'The answer', (leg) => leg.connect(sdpAnswer))
  }

  #update({ callId, sdp }: Request<'update'>): Promise<Answer<'update'>> {
    return this.#describe(callId, 'The description', (leg) => leg.update(sdp))
  }

  /** Gives the leg of a call a description of the peer. */
  async #describe(
    callId: string,
    what: string,
    give: (leg: LiveCall['leg']) => Promise<boolean>,
  ): Promise<Outcome<null>> {
    const live = this.#parts.calls.find(callId)
    if (!live) return fail(this.#missing(callId))
    try {
      return (await give(live.leg))
        ? succeed(null)
        : fail(refuse('CALL_INVALID_STATE', 'The call has no audio connection yet, so none can be connected'))
    } catch (error) {
      this.#logFailure(live, error)
      return fail(unusable(what, error))
    }
  }

  #status({ callId, status, reason, durationSeconds, externalCallId }: Request<'status'>): Answer<'status'> {
    const live = this.#parts.calls.find(callId)
    if (!live) return fail(this.#missing(callId))
    live.setStatus(status, {
      ...(reason === undefined ? {} : { reason }),
      ...(durationSeconds === undefined ? {} : { durationSeconds }),
      ...(externalCallId === undefined ? {} : { externalCallId }),
    })
    return succeed(null)
  }

  #mint({ callId, mode, by, takesOver = false }: Request<'mint'>): Outcome<MintedSession> {
    const live = this.#parts.calls.find(callId)
    if (!live) return fail(this.#missing(callId))
    const { tenantId, numberId } = live.call
    const minted = this.#parts.tokens.mint({ tenantId, numberId, callId, mode, by: by ?? null, takesOver })
    return succeed({ ...minted, wsUrl: `${this.#parts.publicUrl()}/v1/realtime/${callId}?token=${minted.token}` })
  }

  #giveBack({ callId }: Request<'giveBack'>): Answer<'giveBack'> {
    const live = this.#parts.calls.find(callId)
    if (!live) return fail(this.#missing(callId))
    return live.giveBack()
      ? succeed(null)
      : fail(refuse('CALL_INVALID_STATE', 'No session is open that the call was taken over from'))
  }

  async #dial({ callId, sessionId, url, query, ...session }: Request<'dial'>): Promise<Answer<'dial'>> {
    const { calls, dialGuard } = this.#parts
    const read = readParameters(new URLSearchParams(query))
    if (!read.ok) return fail(refuse('VALIDATION', read.message))
    const address = await checkDialled(url, dialGuard)
    if (!address.ok) return address
    const live = calls.find(callId)
    if (!live) return fail(this.#missing(callId))
    if (!this.#hasRoom(live, session.mode)) return fail(this.#full())
    const parameters = DIALECTS_BY_NAME[read.value.dialect].adapt(read.value)
    const { mode, headers, given, sparesRinging = false } = session
    const wanted = { id: sessionId, url: address.value, headers, mode, parameters, given, sparesRinging }
    return live.dial(wanted) ? succeed(null) : fail(this.#full())
  }

  /** A socket beside others adds little load; the first of a call adds its audio. */
  #hasRoom({ sockets }: LiveCall, mode: SessionMode): boolean {
    if (mode === 'listen' && sockets.isFullOfListeners) return false
    return sockets.size > 0 || this.#parts.admission.isOpen
  }

  #full(): Refusal {
    const { retryAfterSeconds } = this.#parts.admission
    return refuse('MEDIA_CAPACITY', 'This media host is full', undefined, retryAfterSeconds)
  }

  #revoke({ by }: Request<'revoke'>): Answer<'revoke'> {
    this.#parts.tokens.revoke(by)
    return succeed(null)
  }

  async #play({ callId, playbackId, mediaUrl, hangupAfterPlay }: Request<'play'>): Promise<Answer<'play'>> {
    const live = this.#parts.calls.find(callId)
    return live
      ? live.playout.play({ playbackId, mediaUrl, hangupAfterPlay, origin: 'rest' })
      : fail(this.#missing(callId))
  }

  #close({ callId, status, reason, durationSeconds }: Request<'close'>): Answer<'close'> {
    this.#parts.calls.end(callId, status, {
      ...(reason === undefined ? {} : { reason }),
      ...(durationSeconds === undefined ? {} : { durationSeconds }),
    })
    return succeed(null)
  }

  #adopt(nodeId: NodeId, { callId, fence }: Request<'adopt'>): Answer<'adopt'> {
    const live = this.#parts.calls.adopt(callId, nodeId, fence)
    if (!live) return fail(this.#missing(callId))
    return succeed({ hasLeg: live.leg.isOpen, ...(live.call.record ? { isRecorded: true } : {}) })
  }

  #leave({ callId }: Request<'leave'>): Answer<'leave'> {
    this.#parts.calls.leave(callId)
    return succeed(null)
  }

  async #runOfRecordings(request: Request<OfRecordings>): Promise<Outcome<MediaOps[OfRecordings]['value']>> {
    const { recordings } = this.#parts
    if (request.op === 'recording') return recordings.find(request.callId)
    if (request.op === 'recordingPart') return recordings.read(request.callId, request.offset)
    if (request.op === 'recordings') return succeed({ calls: await recordings.list() })
    await recordings.drop(request.callId)
    return succeed(null)
  }

  /**
   * The refusal of a new call; null when it may begin. A call without a leg costs nothing yet, so only a host that
   * drains refuses it. A call that was announced before may still be answered.
   */
  #refusalOfNew(callId: string, { isWithoutLeg } = { isWithoutLeg: false }): Outcome<never> | null {
    const { admission, calls } = this.#parts
    if (calls.hasEnded(callId)) return fail(overRefusal())
    if (admission.isDraining && calls.find(callId) === null)
      return fail(
        refuse('MEDIA_CAPACITY', 'This media host is shutting down; try again', undefined, admission.retryAfterSeconds),
      )
    if (isWithoutLeg || admission.isOpen) return null
    return fail(this.#full())
  }

  async #negotiate(
    live: LiveCall,
    refusalOf: (error: unknown) => Refusal,
    negotiate: () => Promise<string>,
  ): Promise<Outcome<{ sdp: string }>> {
    try {
      const sdp = await negotiate()
      return live.hasEnded ? fail(overRefusal()) : succeed({ sdp })
    } catch (error) {
      this.#logFailure(live, error)
      const refusal = refusalOf(error)
      // A bot that accepted through its socket hears of the refusal in no other way.
      live.sockets.talker?.warn(refusal.code, refusal.message)
      return fail(refusal)
    }
  }

  #missing(callId: string) {
    return this.#parts.calls.hasEnded(callId)
      ? overRefusal()
      : refuse('CALL_NOT_FOUND', 'This media host does not hold the call')
  }

  #logFailure(live: LiveCall, error: unknown): void {
    const why = error instanceof UnusableDescription ? { fault: error.fault } : {}
    this.#parts.log.warn({ callId: live.call.callId, name: thrownName(error), ...why }, 'a leg could not be negotiated')
  }
}

function overRefusal() {
  return refuse('CALL_INVALID_STATE', 'The call is over')
}

function unusable(what: string, error: unknown): Refusal {
  return refuse(
    'INVALID_SDP',
    error instanceof UnusableDescription ? `${what} ${error.fault}` : `${what} could not be applied`,
  )
}
