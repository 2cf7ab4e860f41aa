import type { CallId } from '../../src/domain/ids.ts'
import type { Fence } from '../../src/ports/leases.ts'
import type { CallRef } from '../call/call-actor.ts'
import type { RuntimeDeps } from '../engine/runtime.ts'
import { type NumberRef, spawnNumber } from '../number/number-actor.ts'
import type { NumberPorts } from '../number/world.ts'
import { callTimes, type DirectoryTimers, numberTimes } from './timers.ts'

/** The ports that are passed to each number unchanged. */
type NumberGiven = Pick<
  NumberPorts,
  | 'registry'
  | 'media'
  | 'files'
  | 'readCallEvents'
  | 'readMessageEvents'
  | 'sending'
  | 'conversationOf'
  | 'wantsStories'
  | 'templateRefused'
  | 'mediaKnown'
  | 'peerTyping'
  | 'traces'
>

/** What the numbers and calls of a node are started with. */
export interface SpawningDeps extends RuntimeDeps, NumberGiven {
  readonly stores: Pick<NumberPorts, 'calls' | 'sendQueue' | 'messageInbox' | 'setAside' | 'reach'> & {
    readonly numbers: NumberPorts['numbers']
    readonly pairing: NumberPorts['pairings']
  }
  /** Changes of upstream webhooks that wait for their numbers. */
  readonly inbound: NumberPorts['inbound']
  readonly timers?: Partial<DirectoryTimers>
  /** The live calls of this node, which the calls themselves fill in. */
  readonly liveCalls: Map<CallId, CallRef>
}

/** Starts the actor of a number that is held under this fence. */
export function spawnUnder(
  fence: Fence,
  deps: SpawningDeps,
  { runtime, fenced, stopped }: Pick<NumberPorts, 'runtime' | 'stopped'> & { fenced(): void },
): NumberRef {
  const {
    stores: { pairing: pairings, ...stores },
    inbound,
    timers,
    liveCalls,
  } = deps
  return spawnNumber(
    {
      ...stores,
      ...givenOf(deps),
      runtime,
      pairings,
      inbound,
      fence,
      fenced,
      callTimes: callTimes(timers),
      callStarted: (callId, ref) => void liveCalls.set(callId, ref),
      callStopped: (callId) => void liveCalls.delete(callId),
      stopped,
    },
    numberTimes(timers),
  )
}

function givenOf(deps: SpawningDeps): NumberGiven & Pick<SpawningDeps, 'clock' | 'log'> {
  const { clock, log, traces, registry, media, files, mediaKnown, peerTyping } = deps
  const { readCallEvents, readMessageEvents, sending } = deps
  return {
    clock,
    log,
    registry,
    media,
    files,
    mediaKnown,
    peerTyping,
    readCallEvents,
    readMessageEvents,
    ...(sending ? { sending } : {}),
    ...(traces ? { traces } : {}),
    templateRefused: (refused) => deps.templateRefused(refused),
    wantsStories: (numberId) => deps.wantsStories(numberId),
    conversationOf: (numberId, peer) => deps.conversationOf(numberId, peer),
  }
}
