import type { Outcome } from '../../src/domain/errors.ts'
import { fail, refuse } from '../../src/domain/errors.ts'
import type { NewEvent } from '../../src/domain/events.ts'
import type { CallId } from '../../src/domain/ids.ts'
import type { Fault } from '../../src/domain/set-aside.ts'
import { endOf, type Trace } from '../../src/domain/trace.ts'
import type { Timer } from '../../src/ports/clock.ts'
import type { Fence } from '../../src/ports/leases.ts'
import type { MediaCall, MediaPort } from '../../src/ports/media.ts'
import { NO_TRACES, type Traces } from '../../src/ports/traces.ts'
import type { ProviderSession } from '../../src/ports/provider.ts'
import type { CallStore, WriteResult } from '../../src/ports/stores/call-store.ts'
import type { NumberStore } from '../../src/ports/stores/number-store.ts'
import { doEffect, type EffectTable } from '../engine/effect-table.ts'
import type { Persistence } from '../engine/persist.ts'
import { persist, tried } from '../engine/persist.ts'
import type { CallMessage, CallTimer, WriteOutcome } from './messages.ts'
import type { CallEffect, CallState } from './state.ts'
import { liveStatusOf } from './state.ts'

/** The ports of a call. */
export interface CallPorts extends Persistence {
  readonly calls: CallStore
  readonly numbers: Pick<NumberStore, 'voiceOf'>
  readonly media: MediaPort
  /** Default: nothing is recorded. */
  readonly traces?: Traces
  readonly fence: Fence
  /** The number's current session; null while it has none. */
  session(): ProviderSession | null
  settle(seq: number): void
  /** Sets aside the event `seq`, whose outcome cannot be stored for a reason of its own. */
  setAside(seq: number, fault: Fault): void
  /**
   * Tells the number the id by which the provider knows the call; null when the provider refused. Called before the
   * call itself hears the outcome.
   */
  offered(callId: CallId, externalCallId: string | null): void
  /** Tells the number that the call is over here, while upstream could not be told for want of a connection. */
  leftUpstream(externalCallId: string): void
  /** Tells the number that the actor is gone. `isStored` is false when its row may still look live. */
  stopped(callId: CallId, isStored: boolean): void
}

export interface CallEffects {
  run(effect: CallEffect, state: CallState): void
  cancelTimers(): void
}

type Tell = (message: CallMessage) => void

const NO_SESSION = refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'The number is not connected')

const NO_PRE_ACCEPT = refuse(
  'FEATURE_NOT_SUPPORTED',
  'Calls of this number cannot be pre-accepted: accept the call instead',
)

/** The outcome of a request. Ports promise never to throw; should one throw, its asker still gets an answer. */
function outcomeOf<T>(request: Promise<Outcome<T>>): Promise<Outcome<T>> {
  return request.catch(() => fail<T>(refuse('INTERNAL', 'Internal error')))
}

/** Asks a provider or a media host, recorded as part of what last had the call do something. */
async function spanned<T>(
  { traces = NO_TRACES }: CallPorts,
  name: 'call.command' | 'media.control',
  { facts: { id: callId, tenantId, numberId }, trace }: CallState,
  command: string,
  request: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const span = traces.begin(name, trace, { tenantId, numberId, callId, command })
  const outcome = await outcomeOf(request())
  span?.end(endOf(outcome))
  return outcome
}

function mediaCall(
  { facts, phase, record, trace }: CallState,
  externalCallId: string | null,
  { token: fence }: Fence,
): MediaCall {
  const { id: callId, tenantId, numberId, direction, peerNumber } = facts
  const status = liveStatusOf(phase) ?? (direction === 'INBOUND' ? 'RINGING' : 'INITIATED')
  return {
    callId,
    tenantId,
    numberId,
    direction,
    peerNumber,
    externalCallId,
    status,
    fence,
    ...(record ? { record } : {}),
    ...(trace ? { trace } : {}),
  }
}

/** Whether the row already says what was to be written. */
type IsThere = (row: Awaited<ReturnType<CallStore['find']>>) => boolean

/** Writes, and reads the row when the write found it changed: a write whose answer was lost counts as applied. */
async function write(
  ports: CallPorts,
  callId: CallId,
  operation: string,
  run: () => Promise<WriteResult>,
  isThere: IsThere,
): Promise<WriteOutcome> {
  const result = await tried(ports, operation, run)
  if (!result.ok) return { kind: 'failed', refusal: result.refusal, fault: result.fault }
  if (result.value !== 'conflict') return { kind: result.value }
  const found = await tried(ports, 'read call', () => ports.calls.find(ports.fence.numberId, callId))
  if (!found.ok) return { kind: 'failed', refusal: found.refusal, fault: found.fault }
  return isThere(found.value) ? { kind: 'applied' } : { kind: 'moved', row: found.value }
}

/** The events as part of the trace of what caused them. */
function traced(events: readonly NewEvent[], trace: Trace | null): readonly NewEvent[] {
  return trace === null ? events : events.map((event) => ({ ...event, trace }))
}

type StoreEffect = CallEffect & { type: 'insert' | 'move' | 'saveExternalId' | 'savePlayback' | 'remove' }

function storeEffect(
  ports: CallPorts,
  { facts: { id: callId }, trace }: CallState,
  effect: StoreEffect,
): Promise<WriteOutcome> {
  const { calls, fence } = ports
  const stored = (operation: string, run: () => Promise<WriteResult>, isThere: IsThere) =>
    write(ports, callId, operation, run, isThere)
  switch (effect.type) {
    case 'insert':
      return stored(
        'insert call',
        () => calls.insert(fence, effect.call, traced(effect.events, trace)),
        (row) => row !== null,
      )
    case 'move':
      return stored(
        'move call',
        () => calls.transition(fence, { ...effect.move, events: traced(effect.move.events, trace) }),
        (row) => row?.status === effect.move.to,
      )
    case 'saveExternalId':
      return stored(
        'save external id',
        () => calls.setExternalId(fence, callId, effect.externalCallId, effect.mediaHost, effect.sdpOffer),
        (row) => row?.externalCallId === effect.externalCallId,
      )
    case 'savePlayback':
      return stored(
        'save playback',
        () => calls.savePlayback(fence, callId, effect.playback),
        () => false,
      )
    case 'remove':
      return stored(
        'remove call',
        () => calls.remove(fence, callId),
        (row) => row === null,
      )
  }
}

/** Does the effects of one call and tells it their outcomes. No other part of a call touches ports. */
export function createCallEffects(ports: CallPorts, callId: CallId, tell: Tell): CallEffects {
  const timers = new Map<CallTimer, Timer>()
  const cancelTimers = () => {
    for (const timer of timers.values()) timer.cancel()
    timers.clear()
  }
  const startTimer = (timer: CallTimer, delayMs: number) => {
    timers.get(timer)?.cancel()
    timers.set(
      timer,
      ports.clock.after(delayMs, () => tell({ type: 'TimerFired', timer })),
    )
  }
  return {
    cancelTimers,
    run(effect, state) {
      switch (effect.type) {
        case 'insert':
        case 'move':
        case 'saveExternalId':
        case 'savePlayback':
        case 'remove':
          void storeEffect(ports, state, effect).then((outcome) =>
            tell({ type: 'Stored', attempt: effect.attempt, outcome }),
          )
          return
        case 'startTimer':
          return startTimer(effect.timer, effect.delayMs)
        case 'cancelTimers':
          return cancelTimers()
        case 'settle':
          return ports.settle(effect.seq)
        case 'setAside':
          return ports.setAside(effect.seq, effect.fault)
        case 'stop':
          return ports.stopped(callId, effect.isStored)
        case 'offer':
        case 'preAccept':
        case 'accept':
        case 'reject':
        case 'terminate':
        case 'sendRejection':
          return providerEffect(ports, effect, state, tell)
        default:
          return doEffect(MEDIA_EFFECTS, { ports, state, tell }, effect)
      }
    },
  }
}

type ProviderEffect = CallEffect & { type: 'offer' | 'preAccept' | 'accept' | 'reject' | 'terminate' | 'sendRejection' }

/** Logs that the provider refused something that nobody waits for. */
function reported({ log }: CallPorts, callId: CallId, operation: string) {
  return (outcome: Outcome<unknown>) => {
    if (!outcome.ok) log.warn({ callId, operation, code: outcome.error.code }, 'the provider refused an operation')
    return outcome
  }
}

function preAccept(
  session: ProviderSession,
  { externalCallId, sdp }: ProviderEffect & { type: 'preAccept' },
): Promise<Outcome<null>> {
  return session.preAcceptCall?.(externalCallId, sdp) ?? Promise.resolve(fail<null>(NO_PRE_ACCEPT))
}

function providerEffect(ports: CallPorts, effect: ProviderEffect, state: CallState, tell: Tell): void {
  const { facts } = state
  const session = ports.session()
  const unless = <T>(request: (session: ProviderSession) => Promise<Outcome<T>>): Promise<Outcome<T>> =>
    session
      ? spanned(ports, 'call.command', state, effect.type, () => request(session))
      : Promise.resolve(fail<T>(NO_SESSION))
  const left = (externalCallId: string) => (outcome: Outcome<unknown>) => {
    if (!outcome.ok && outcome.error.code === 'CHANNEL_INSTANCE_NOT_CONNECTED') ports.leftUpstream(externalCallId)
  }
  switch (effect.type) {
    case 'offer':
      void unless((open) => open.offerCall(facts.peerNumber, effect.sdp, facts.bizOpaqueCallbackData, facts.id)).then(
        (outcome) => {
          ports.offered(facts.id, outcome.ok ? outcome.value.externalCallId : null)
          tell({ type: 'Offered', attempt: effect.attempt, outcome })
        },
      )
      return
    case 'preAccept':
      void unless((open) => preAccept(open, effect)).then((outcome) =>
        tell({ type: 'PreAccepted', askId: effect.askId, sdp: effect.sdp, outcome }),
      )
      return
    case 'accept':
      void unless((open) => open.acceptCall(effect.externalCallId, effect.sdp)).then((outcome) =>
        tell({ type: 'AcceptedUpstream', attempt: effect.attempt, outcome }),
      )
      return
    case 'reject':
      void unless((open) => open.rejectCall(effect.externalCallId))
        .then(reported(ports, facts.id, 'reject'))
        .then(left(effect.externalCallId))
      return
    case 'terminate':
      void unless((open) => open.terminateCall(effect.externalCallId))
        .then(reported(ports, facts.id, 'terminate'))
        .then(left(effect.externalCallId))
      return
    case 'sendRejection':
      // The id of the message is made of the call's id, so that a repetition is the same message to the device network.
      void unless((open) => open.sendText(facts.peerNumber, effect.text, `msg_${facts.id.slice('call_'.length)}`)).then(
        reported(ports, facts.id, 'sendText'),
      )
  }
}

type MediaEffect = Exclude<
  CallEffect,
  StoreEffect | ProviderEffect | { type: 'startTimer' | 'cancelTimers' | 'settle' | 'setAside' | 'stop' }
>

/** Opens a leg, unless the call can have no audio upstream. */
function openLeg<T>(
  { ports, state }: MediaWorld,
  command: string,
  open: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const refusal = ports.session()?.audioRefusal?.() ?? null
  return refusal ? Promise.resolve(fail<T>(refusal)) : spanned(ports, 'media.control', state, command, open)
}

interface MediaWorld {
  readonly ports: CallPorts
  readonly state: CallState
  readonly tell: Tell
}

const MEDIA_EFFECTS: EffectTable<MediaEffect, MediaWorld> = {
  mediaOffer: (world, { attempt }) => {
    const { ports, state, tell } = world
    const { media, fence } = ports
    void openLeg(world, 'offer', () => media.offer(mediaCall(state, null, fence), ports.session()?.callMedia?.())).then(
      (outcome) => tell({ type: 'MediaOffered', attempt, outcome }),
    )
  },
  mediaAnswer: (world, { attempt, externalCallId, sdpOffer }) => {
    const { ports, state, tell } = world
    const { media, fence } = ports
    void openLeg(world, 'answer', () => media.answer(mediaCall(state, externalCallId, fence), sdpOffer)).then(
      (outcome) => tell({ type: 'MediaAnswered', attempt, outcome }),
    )
  },
  mediaConnect: ({ ports, state, tell }, { attempt, sdpAnswer }) =>
    void spanned(ports, 'media.control', state, 'connect', () => ports.media.connect(state.facts.id, sdpAnswer)).then(
      (outcome) => tell({ type: 'MediaConnected', attempt, outcome }),
    ),
  mediaUpdate: ({ ports: { media, log }, state: { facts } }, { sdp }) =>
    void outcomeOf(media.update(facts.id, sdp)).then((outcome) => {
      if (!outcome.ok)
        log.warn({ callId: facts.id, code: outcome.error.code }, 'a further description of upstream was not applied')
    }),
  mediaAnnounce: ({ ports: { media, fence }, state }, { externalCallId }) =>
    void outcomeOf(media.announce(mediaCall(state, externalCallId, fence))),
  mediaMint: ({ ports, state, tell }, { askId, mode, by, takesOver }) =>
    void spanned(ports, 'media.control', state, 'mint', () =>
      ports.media.mint(state.facts.id, mode, by, takesOver),
    ).then((outcome) => tell({ type: 'Minted', askId, outcome })),
  mediaGiveBack: ({ ports: { media }, state: { facts }, tell }, { askId }) =>
    void outcomeOf(media.giveBack(facts.id)).then((outcome) => tell({ type: 'GivenBack', askId, outcome })),
  mediaDial: ({ ports, state, tell }, { askId, session }) =>
    void spanned(ports, 'media.control', state, 'dial', () => ports.media.dial(state.facts.id, session)).then(
      (outcome) => tell({ type: 'Dialled', askId, outcome }),
    ),
  readVoice: ({ ports, tell }) =>
    void persist(ports, 'read voice', () => ports.numbers.voiceOf(ports.fence.numberId)).then((read) =>
      tell({ type: 'VoiceRead', voice: read?.value ?? null }),
    ),
  mediaDialVoice: ({ ports: { media }, state: { facts }, tell }, { session }) =>
    void outcomeOf(media.dial(facts.id, session)).then((outcome) => tell({ type: 'VoiceDialled', outcome })),
  mediaPlay: ({ ports, state, tell }, { askId, playbackId, mediaUrl, hangupAfterPlay }) =>
    void spanned(ports, 'media.control', state, 'play', () =>
      ports.media.play(state.facts.id, playbackId, mediaUrl, hangupAfterPlay),
    ).then((outcome) => tell({ type: 'PlayQueued', askId, playbackId, mediaUrl, hangupAfterPlay, outcome })),
  mediaStatus: ({ ports: { media }, state: { facts } }, { status, externalCallId }) =>
    media.setStatus(facts.id, status, externalCallId === undefined ? {} : { externalCallId }),
  mediaAdopt: ({ ports: { media, fence }, state, tell }, { attempt, externalCallId, host }) =>
    void outcomeOf(media.adopt(mediaCall(state, externalCallId, fence), host)).then((outcome) =>
      tell({ type: 'Adopted', attempt, outcome }),
    ),
  mediaLeave: ({ ports: { media }, state: { facts } }) => media.leave(facts.id),
  mediaClose: ({ ports: { media, fence }, state: { facts } }, { status, reason, durationSeconds }) =>
    media.close(facts.id, {
      status,
      fence: fence.token,
      ...(reason === undefined ? {} : { reason }),
      ...(durationSeconds === undefined ? {} : { durationSeconds }),
    }),
}
