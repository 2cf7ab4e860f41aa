import type { Outcome } from '../../src/domain/errors.ts'
import type { CallId, NumberId } from '../../src/domain/ids.ts'
import type { Asks } from '../../src/ports/asks.ts'
import type { DeviceOp, DeviceOps } from '../../src/domain/device-ops.ts'
import type { ErrandStore } from '../../src/ports/stores/errand-store.ts'
import type { CallRef } from '../call/call-actor.ts'
import type { CallCommands, CallCommandType } from '../call/messages.ts'
import type { NumberCommands, NumberCommandType } from '../number/messages.ts'
import type { AnswerDeps } from './answer.ts'
import { answer, runHere } from './answer.ts'
import type { Ask } from './ask.ts'
import { timeoutOf } from './ask.ts'
import { errandOf, Errands, type ErrandsDeps } from './errands.ts'
import type { NumberHostingDeps } from './hosting.ts'
import { createNumberHosting } from './hosting.ts'
import { Owners } from './owners.ts'
import { Patience, type Wait } from './patience.ts'
import type { Waiting } from './waking.ts'

/**
 * Finds or starts an actor by id and asks it: all that HTTP sees of actors. Every ask is answered, with a refusal at
 * worst.
 */
export interface Directory {
  askNumber<T extends NumberCommandType>(
    numberId: NumberId,
    type: T,
    fields: NumberCommands[T]['fields'],
  ): Promise<Outcome<NumberCommands[T]['value']>>
  /**
   * Has the number use what its row says since. Resolves once it does, or a second later, while that is on its way: it
   * is noted, so that neither the end of this node nor an owner that is away loses it. Refusals are of what was tried
   * at once, and are no reason to try again.
   */
  tellNumber<T extends 'ApplySettings' | 'Reopen'>(
    numberId: NumberId,
    type: T,
    fields: NumberCommands[T]['fields'],
  ): Promise<Outcome<null>>
  /** Asks the device of the number; beside what the device refuses: FEATURE_NOT_SUPPORTED (the number has none). */
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
   * There are stored changes of upstream webhooks for the number. Resolves once it was told, not when they are worked
   * off; never rejects.
   */
  receive(numberId: NumberId): Promise<void>
  /** Messages were queued for the number: wakes whoever owns it. Returns at once, never throws. */
  sendsQueued(numberId: NumberId): void
  /**
   * Runs `work`, whose asks are waited for longer than their time, for whoever can use an outcome that comes late;
   * `late` is called when the time of one is over: whoever waits is to be told TIMEOUT then.
   */
  patiently<T>(work: () => Promise<T>, late: () => void): Promise<T>
}

export interface DirectoryStats {
  readonly numbers: number
  readonly calls: number
}

export interface RunningDirectory extends Directory {
  /** Another node queued messages for the number: wakes it if this node holds it. Returns at once, never throws. */
  sendsQueuedElsewhere(numberId: NumberId): void
  /** The same of changes of upstream webhooks. */
  changesStoredElsewhere(numberId: NumberId): void
  /** Wakes the numbers that have this to work off, wherever they are; a chore. */
  lookForWork(waits: Waiting): Promise<void>
  /** Numbers were handed over by other nodes: takes what is meant for this one. Returns at once, never throws. */
  takeHandedOver(): void
  /** Tells owners what other nodes could not tell them; a chore. */
  workErrands(): Promise<void>
  /** Forgets what nobody could be told for long; answers how many. */
  purgeErrands(): Promise<number>
  /** Starts the numbers that are paired, a page at a time and some at once; resolves when each was tried. */
  start(): Promise<void>
  /**
   * The node is about to stop: takes no number any more, and gives back those without calls, if other nodes are there
   * to take them. Never rejects.
   */
  drain(): Promise<void>
  /** Ends calls (FAILED NODE_LOST), closes sessions, gives the leases back. Asks answer NOT_OWNER from now on. */
  stop(): Promise<void>
  stats(): DirectoryStats
}

export interface DirectoryDeps extends Omit<NumberHostingDeps, 'liveCalls'> {
  readonly stores: NumberHostingDeps['stores'] & Pick<ErrandsDeps, 'setAside'>
  /** To the nodes that hold numbers of others. */
  readonly asks: Asks
  /** What owners are to be told, and may be told late. */
  readonly errands: ErrandStore
}

/**
 * Creates the directory of this node. It costs nothing per number until the number is asked for or is paired:
 * an actor and its lease exist only while there is something to hold.
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
  }
  const patience = new Patience(clock)
  const errands = new Errands({
    errands: deps.errands,
    setAside: deps.stores.setAside,
    numbers: deps.stores.numbers,
    log: deps.log,
    ask: (ask) => answer(here, ask, { withinMs: timeoutOf(ask), late: null }),
  })
  const carried = (ask: Ask, wait: Wait, noted = () => {}): Promise<Outcome<unknown>> => {
    // Where the number is here there is nobody who may not hear of it: a node that dies reads its rows again.
    const errand = hosting.tokenOf(ask.numberId) === null ? errandOf(ask) : null
    if (!errand) noted()
    return errand ? errands.carry(ask, errand, noted) : answer(here, ask, wait)
  }
  const told = async (ask: Ask): Promise<Outcome<null>> => {
    const noted = Promise.withResolvers<void>()
    const outcome = carried(ask, { withinMs: timeoutOf(ask), late: null }, noted.resolve)
    await noted.promise
    return (await patience.briefly(outcome)) as Outcome<null>
  }
  // The cast ties an answer to its command, as the tables of commands do.
  const answered = async <T>(ask: Ask): Promise<Outcome<T>> =>
    (await patience.ask(timeoutOf(ask), (wait) => carried(ask, wait))) as Outcome<T>
  asks.serve(runHere(here))
  deps.media.onEvent((event) => {
    // A call nobody knows is over: the media host hears of that by its own close.
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
