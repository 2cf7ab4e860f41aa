import type { Outcome } from '../../src/domain/errors.ts'
import type { CallId, NumberId } from '../../src/domain/ids.ts'
import { KeyedTurns } from '../../src/domain/turns.ts'
import type { Asks } from '../../src/ports/asks.ts'
import { NO_TRACES } from '../../src/ports/traces.ts'
import type { DeviceOp, DeviceOps } from '../../src/domain/device-ops.ts'
import type { ErrandStore } from '../../src/ports/stores/errand-store.ts'
import type { CallRef } from '../call/call-actor.ts'
import type { CallCommands, CallCommandType } from '../call/messages.ts'
import type { NumberCommands, NumberCommandType } from '../number/messages.ts'
import type { AnswerDeps } from './answer.ts'
import { answer, runHere } from './answer.ts'
import type { Ask } from './ask.ts'
import { timeoutOf } from './ask.ts'
import { errandOf, Errands, isUnheard, type ErrandsDeps } from './errands.ts'
import type { NumberHostingDeps } from './hosting.ts'
import { createNumberHosting } from './hosting.ts'
import { Owners } from './owners.ts'
import { Patience, type Wait } from './patience.ts'
import { tracedAsk } from './traced-ask.ts'
import type { Waiting } from './waking.ts'

/**
 * Finds or starts an actor by id and asks it. HTTP sees nothing else of actors. Every ask is answered, if only with a
 * refusal.
 */
export interface Directory {
  askNumber<T extends NumberCommandType>(
    numberId: NumberId,
    type: T,
    fields: NumberCommands[T]['fields'],
  ): Promise<Outcome<NumberCommands[T]['value']>>
  /**
   * Makes the number use its changed row. Resolves once it does, or after a second while the change is on its way. The
   * change is stored as an errand, so that neither the end of this node nor an absent owner loses it. A refusal tells
   * of the first try only, and is no reason to try again. Throws why it could not be stored, unless the number heard.
   */
  tellNumber<T extends 'ApplySettings' | 'Reopen'>(
    numberId: NumberId,
    type: T,
    fields: NumberCommands[T]['fields'],
  ): Promise<Outcome<null>>
  /**
   * Asks the device of the number. Its refusals are those of the device, and FEATURE_NOT_SUPPORTED when the number has
   * none.
   */
  askDevice<O extends DeviceOp>(
    numberId: NumberId,
    op: O,
    input: DeviceOps[O]['input'],
  ): Promise<Outcome<DeviceOps[O]['value']>>
  /** `callId` is the service id of a call of this number; look it up in the call store first. */
  askCall<T extends CallCommandType>(
    numberId: NumberId,
    callId: CallId,
    type: T,
    fields: CallCommands[T]['fields'],
  ): Promise<Outcome<CallCommands[T]['value']>>
  /**
   * Tells the number that changes of upstream webhooks are stored for it. Resolves once it was told, not when they are
   * worked off; never rejects.
   */
  receive(numberId: NumberId): Promise<void>
  /** Wakes the owner of a number for which messages were queued. Returns at once, never throws. */
  sendsQueued(numberId: NumberId): void
  /**
   * Runs `work` with asks that are awaited past their time, for callers that can use a late outcome. `late` is called
   * when the time of one is over: the caller then answers TIMEOUT.
   */
  patiently<T>(work: () => Promise<T>, late: () => void): Promise<T>
}

export interface DirectoryStats {
  readonly numbers: number
  readonly calls: number
}

export interface RunningDirectory extends Directory {
  /** Wakes a number of this node for which another node queued messages. Returns at once, never throws. */
  sendsQueuedElsewhere(numberId: NumberId): void
  /** Wakes a number of this node for which another node stored changes of upstream webhooks. */
  changesStoredElsewhere(numberId: NumberId): void
  /** Wakes all numbers with this kind of work, wherever they are; a chore. */
  lookForWork(waits: Waiting): Promise<void>
  /** Takes this node's part of numbers that other nodes handed over. Returns at once, never throws. */
  takeHandedOver(): void
  /** Tells owners what other nodes could not tell them; a chore. */
  workErrands(): Promise<void>
  /** Deletes errands that could not be delivered for long; answers how many. */
  purgeErrands(): Promise<number>
  /** Starts the paired numbers, a page at a time and some at once; resolves when each was tried. */
  start(): Promise<void>
  /**
   * Prepares the stop: takes no more numbers, and gives back those without calls when other nodes can take them. Never
   * rejects.
   */
  drain(): Promise<void>
  /** Ends calls (FAILED NODE_LOST), closes sessions and gives the leases back. Asks answer NOT_OWNER from now on. */
  stop(): Promise<void>
  stats(): DirectoryStats
}

export interface DirectoryDeps extends Omit<NumberHostingDeps, 'liveCalls'> {
  readonly stores: NumberHostingDeps['stores'] & Pick<ErrandsDeps, 'setAside'>
  /** Asks to the nodes that hold other numbers. */
  readonly asks: Asks
  /** The store of what owners are told, possibly late. */
  readonly errands: ErrandStore
}

/**
 * Creates the directory of this node. A number costs nothing until it is asked for or is paired: an actor and its lease
 * exist only while there is something to hold.
 */
export function createDirectory(deps: DirectoryDeps): RunningDirectory {
  const liveCalls = new Map<CallId, CallRef>()
  const hosting = createNumberHosting({ ...deps, liveCalls })
  const { asks, leases, clock } = deps
  const here: AnswerDeps = {
    hosting,
    liveCalls,
    asks,
    clock,
    calls: deps.stores.calls,
    numbers: deps.stores.numbers,
    nodeId: leases.nodeId,
    times: leases.times,
    owners: new Owners(leases, clock),
    settings: new KeyedTurns(),
  }
  const patience = new Patience(clock)
  const errands = new Errands({
    errands: deps.errands,
    setAside: deps.stores.setAside,
    numbers: deps.stores.numbers,
    log: deps.log,
    clock,
    ask: (ask) => answer(here, ask, { withinMs: timeoutOf(ask), late: null }),
  })
  const carried = (ask: Ask, wait: Wait, noted: (why: unknown) => void = () => {}): Promise<Outcome<unknown>> => {
    // A number that is surely on this node needs no errand: should the node die, its next owner reads the rows again.
    const errand = hosting.isSure(ask.numberId) ? null : errandOf(ask)
    if (!errand) noted(null)
    return errand ? errands.carry(ask, errand, noted) : answer(here, ask, wait)
  }
  const told = async (ask: Ask): Promise<Outcome<null>> => {
    const noted = Promise.withResolvers<unknown>()
    const outcome = carried(ask, { withinMs: timeoutOf(ask), late: null }, noted.resolve)
    const why = await noted.promise
    const first = await (why === null ? patience.briefly(outcome) : outcome)
    if (why !== null && isUnheard(first)) throw why
    return first as Outcome<null>
  }
  // The cast ties an answer to its command, as the tables of commands do.
  const answered = async <T>(ask: Ask): Promise<Outcome<T>> =>
    (await tracedAsk(deps.traces ?? NO_TRACES, ask, (traced) =>
      patience.ask(timeoutOf(traced), (wait) => carried(traced, wait)),
    )) as Outcome<T>
  asks.serve(runHere(here))
  deps.media.onEvent((event) => {
    // A call that no actor holds is over; the media host learns that when its leg is closed.
    liveCalls.get(event.callId)?.tell({ type: 'Media', event })
  })
  return {
    askNumber: (numberId, type, fields) => answered({ to: 'number', numberId, type, fields }),
    tellNumber: (numberId, type, fields) => told({ to: 'number', numberId, type, fields }),
    askDevice: (numberId, op, input) => answered({ to: 'number', numberId, type: 'AskDevice', fields: { op, input } }),
    askCall: (numberId, callId, type, fields) => answered({ to: 'call', numberId, callId, type, fields }),
    receive: (numberId) => hosting.receive(numberId),
    sendsQueued: (numberId) => void hosting.send(numberId),
    patiently: (work, late) => patience.run(work, late),
    sendsQueuedElsewhere: (numberId) => hosting.wake(numberId, 'sends'),
    changesStoredElsewhere: (numberId) => hosting.wake(numberId, 'changes'),
    lookForWork: (waits) => hosting.lookForWork(waits),
    takeHandedOver: () => hosting.takeHandedOver(),
    workErrands: () => errands.work(),
    purgeErrands: () => errands.purge(),
    start: () => hosting.start(),
    drain: () => hosting.drain(),
    stop: () => hosting.stop(),
    stats: () => ({ numbers: hosting.count(), calls: liveCalls.size }),
  }
}
