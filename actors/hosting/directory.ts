import type { Outcome } from '../../src/domain/errors.ts'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { CallId, NumberId } from '../../src/domain/ids.ts'
import { newId } from '../../src/domain/ids.ts'
import { isLive } from '../../src/domain/call.ts'
import type { CallAnswer } from '../../src/domain/call.ts'
import { ASK_TIMEOUT_MS, LONG_ASK_TIMEOUT_MS } from '../../src/domain/limits.ts'
import type { DeviceOp, DeviceOps } from '../../src/ports/devices.ts'
import type { CallRef } from '../call/call-actor.ts'
import type { AskedCallCommand, CallCommands, CallCommandType } from '../call/messages.ts'
import type { NumberHosting, NumberHostingDeps } from './hosting.ts'
import { createNumberHosting } from './hosting.ts'
import type { AskedNumberCommand, NumberCommands, NumberCommandType } from '../number/messages.ts'
import { STOPPED } from '../engine/runtime.ts'

/** Finds or starts an actor by id and asks it: all that HTTP sees of actors. Every ask is answered, with a refusal at worst. */
export interface Directory {
  askNumber<T extends NumberCommandType>(numberId: NumberId, type: T, fields: NumberCommands[T]['fields']): Promise<Outcome<NumberCommands[T]['value']>>
  /** Asks the device of the number; beside what the device refuses: FEATURE_NOT_SUPPORTED (the number has none). */
  askDevice<O extends DeviceOp>(numberId: NumberId, op: O, input: DeviceOps[O]['input']): Promise<Outcome<DeviceOps[O]['value']>>
  /** `callId` is the service id of a call of this number; look it up in the call store first. */
  askCall<T extends CallCommandType>(numberId: NumberId, callId: CallId, type: T, fields: CallCommands[T]['fields']): Promise<Outcome<CallCommands[T]['value']>>
  /** There are stored changes of upstream webhooks for the number. Resolves once it was told, not when they are worked off; never rejects. */
  receive(numberId: NumberId): Promise<void>
  /** Messages were queued for the number: wakes whoever owns it. Returns at once, never throws. */
  sendsQueued(numberId: NumberId): void
}

export interface DirectoryStats {
  readonly numbers: number
  readonly calls: number
}

export interface RunningDirectory extends Directory {
  /** Another node queued messages for the number: wakes it if this node holds it. Returns at once, never throws. */
  sendsQueuedElsewhere(numberId: NumberId): void
  /** Starts the numbers that are paired, a page at a time and some at once; resolves when each was tried. */
  start(): Promise<void>
  /** Ends calls (FAILED NODE_LOST), closes sessions, gives the leases back. Asks answer NOT_OWNER from now on. */
  stop(): Promise<void>
  stats(): DirectoryStats
}

export type DirectoryDeps = Omit<NumberHostingDeps, 'liveCalls'>

const UNREADABLE = refuse('BUSY', 'The rows cannot be read now; try again', undefined, 1)
const RESTARTING = refuse('BUSY', 'The number is restarting; try again', undefined, 1)

/**
 * Creates the directory of this node. It costs nothing per number until the number is asked for or is paired:
 * an actor and its lease exist only while there is something to hold.
 */
export function createDirectory(deps: DirectoryDeps): RunningDirectory {
  const liveCalls = new Map<CallId, CallRef>()
  const hosting = createNumberHosting({ ...deps, liveCalls })
  const look = { deps, hosting, liveCalls }
  deps.media.onEvent((event) => {
    // A call nobody knows is over: the media host hears of that by its own close.
    liveCalls.get(event.callId)?.tell({ type: 'Media', event })
  })
  return {
    askNumber: (numberId, type, fields) => answer(look, { to: 'number', numberId, type, fields }),
    askDevice: (numberId, op, input) => answer(look, { to: 'number', numberId, type: 'AskDevice', fields: { op, input } }),
    askCall: (numberId, callId, type, fields) => answer(look, { to: 'call', numberId, callId, type, fields }),
    receive: (numberId) => hosting.receive(numberId),
    sendsQueued: (numberId) => void hosting.send(numberId),
    sendsQueuedElsewhere: (numberId) => hosting.wake(numberId),
    start: () => hosting.start(),
    stop: () => hosting.stop(),
    stats: () => ({ numbers: hosting.count(), calls: liveCalls.size }),
  }
}

/** What an ask is answered from. */
interface LookUp {
  readonly deps: DirectoryDeps
  readonly hosting: NumberHosting
  readonly liveCalls: ReadonlyMap<CallId, CallRef>
}

/** An ask as data: all that is needed to answer it, on whichever node. */
type Ask = NumberAsk | CallAsk

interface NumberAsk {
  readonly to: 'number'
  readonly numberId: NumberId
  readonly type: AskedNumberCommand['type']
  readonly fields: object
}

interface CallAsk {
  readonly to: 'call'
  readonly numberId: NumberId
  readonly callId: CallId
  readonly type: CallCommandType
  readonly fields: object
}

/**
 * Every ask passes here, so here alone it is known that one is another node's to answer: NOT_OWNER. The cast ties an answer to
 * its command, as the tables of commands do.
 */
async function answer<T>(look: LookUp, ask: Ask): Promise<Outcome<T>> {
  return await (ask.to === 'number' ? askNumber(look, ask) : askCall(look, ask)) as Outcome<T>
}

/** A look-up that never comes back, as of a database that hangs, must not hold its asker. */
async function inTime<T>({ clock }: DirectoryDeps, lookUp: Promise<Outcome<T>>): Promise<Outcome<T>> {
  const late = Promise.withResolvers<Outcome<T>>()
  const timer = clock.after(ASK_TIMEOUT_MS, () => late.resolve(fail(UNREADABLE)))
  const outcome = await Promise.race([lookUp, late.promise])
  timer.cancel()
  return outcome
}

function timeoutOf({ type, fields }: NumberAsk): number {
  if (type === 'PlaceCall') return LONG_ASK_TIMEOUT_MS
  return ASK_TIMEOUT_MS + ('waitMs' in fields && typeof fields.waitMs === 'number' ? fields.waitMs : 0)
}

async function askNumber({ deps, hosting }: LookUp, ask: NumberAsk): Promise<Outcome<unknown>> {
  const { numberId, type, fields } = ask
  const callId = newId('call')
  // Twice, because the actor found may be the one that is just leaving memory.
  for (let attempt = 0; attempt < 2; attempt++) {
    const hosted = await inTime(deps, hosting.find(numberId))
    if (!hosted.ok) return hosted
    // The cast ties `type` to its own fields, which `Ask` does not show.
    const outcome = await hosted.value.ask((askId) => ({ ...fields, type, askId, callId }) as unknown as AskedNumberCommand, timeoutOf(ask))
    if (outcome !== STOPPED) return outcome
  }
  return fail(RESTARTING)
}

async function askCall(look: LookUp, ask: CallAsk): Promise<Outcome<unknown>> {
  const live = await askLive(look, ask)
  if (live) return live
  const first = await fromRow(look, ask)
  if (first) return first
  // The row is live and no actor holds it: its owner closes it when it starts, unless another node owns it.
  const hosted = await inTime(look.deps, look.hosting.find(ask.numberId))
  if (!hosted.ok) return hosted
  const ready = await hosted.value.ask((askId) => ({ type: 'AwaitReady', askId }), ASK_TIMEOUT_MS)
  if (ready !== STOPPED && !ready.ok) return ready
  return await askLive(look, ask) ?? await fromRow(look, ask) ?? fail(RESTARTING)
}

/** Commands that reach media host or provider before they are answered. */
const LONG_COMMANDS: ReadonlySet<CallCommandType> = new Set<CallCommandType>(['Accept', 'PreAccept', 'Play'])

/** Null when no actor holds the call. */
async function askLive({ liveCalls }: LookUp, { callId, type, fields }: CallAsk): Promise<Outcome<unknown> | null> {
  const ref = liveCalls.get(callId)
  if (!ref) return null
  const timeoutMs = LONG_COMMANDS.has(type) ? LONG_ASK_TIMEOUT_MS : ASK_TIMEOUT_MS
  const playbackId = newId('play')
  // The cast ties `type` to its own fields, which `Ask` does not show.
  const outcome = await ref.ask((askId) => ({ ...fields, type, askId, playbackId }) as unknown as AskedCallCommand, timeoutMs)
  return outcome === STOPPED ? null : outcome
}

/** The answer for a call that is over; null while its row says it is not. */
async function fromRow({ deps }: LookUp, { numberId, callId, type }: CallAsk): Promise<Outcome<unknown> | null> {
  const read = deps.stores.calls.find(numberId, callId).then((found) => succeed(found), () => fail(UNREADABLE))
  const found = await inTime(deps, read)
  if (!found.ok) return found
  const row = found.value
  if (row === null) return fail(refuse('CALL_NOT_FOUND', 'No such call'))
  if (isLive(row.status)) return null
  if (type !== 'Reject' && type !== 'Terminate') return fail(refuse('CALL_INVALID_STATE', 'The call is over'))
  const over: CallAnswer = { id: row.id, status: row.status }
  return succeed(over)
}
