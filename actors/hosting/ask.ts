import { DEVICE_OPS, isDeviceOp } from '../../src/domain/device-ops.ts'
import type { DeviceOp } from '../../src/domain/device-ops.ts'
import type { CallId, NumberId } from '../../src/domain/ids.ts'
import { ASK_TIMEOUT_MS, LONG_ASK_TIMEOUT_MS, PROVIDER_REQUEST_MS } from '../../src/domain/limits.ts'
import type { CallCommandType } from '../call/messages.ts'
import type { AskedNumberCommand } from '../number/messages.ts'

/** An ask as data: all that any node needs to answer it. */
export type Ask = NumberAsk | CallAsk

export interface NumberAsk {
  readonly to: 'number'
  readonly numberId: NumberId
  readonly type: AskedNumberCommand['type']
  readonly fields: object
}

export interface CallAsk {
  readonly to: 'call'
  readonly numberId: NumberId
  readonly callId: CallId
  readonly type: CallCommandType
  readonly fields: object
}

/**
 * Every command to a number. True for a command that must not be run again by itself when it may have run
 * ([nodes.asks.7]). The others only read, or repeat what rows say.
 */
const NUMBER_COMMANDS: Readonly<Record<NumberAsk['type'], boolean>> = {
  Pair: false,
  CurrentCode: false,
  Logout: true,
  ApplySettings: false,
  Reopen: false,
  Remove: true,
  ReadMessages: false,
  PlaceCall: true,
  AskDevice: true,
}

/** The same for commands to a call. */
const CALL_COMMANDS: Readonly<Record<CallCommandType, boolean>> = {
  Accept: true,
  PreAccept: true,
  Reject: true,
  Terminate: true,
  Play: true,
  OpenSession: true,
  // Done twice it would give the call on to whoever had it before.
  GiveBack: true,
  // A session that is known is not dialled again.
  DialSession: false,
}

/** The part of an ask's time beside the device network's, in ms: for the number and its rows. */
const BESIDE_PROVIDER_MS = ASK_TIMEOUT_MS - PROVIDER_REQUEST_MS

/** Commands that wait for media host or provider before they are answered. */
const LONG_COMMANDS: ReadonlySet<CallCommandType> = new Set<CallCommandType>(['Accept', 'PreAccept', 'Play'])

/** How long an ask may take, in ms. */
export function timeoutOf(ask: Ask): number {
  if (ask.to === 'call') return LONG_COMMANDS.has(ask.type) ? LONG_ASK_TIMEOUT_MS : ASK_TIMEOUT_MS
  if (ask.type === 'PlaceCall') return LONG_ASK_TIMEOUT_MS
  const op = deviceOpOf(ask)
  if (op) return DEVICE_OPS[op].timeoutMs + BESIDE_PROVIDER_MS
  return ASK_TIMEOUT_MS + ('waitMs' in ask.fields && typeof ask.fields.waitMs === 'number' ? ask.fields.waitMs : 0)
}

/** True for an ask that must not be run again by itself when it may have run. */
export function isOnce(ask: Ask): boolean {
  if (ask.to === 'call') return CALL_COMMANDS[ask.type]
  const op = deviceOpOf(ask)
  return op ? DEVICE_OPS[op].repeat === 'once' : NUMBER_COMMANDS[ask.type]
}

/**
 * An ask from another node for this number. Null for one that this node does not know, as from a later version, because
 * an actor would fail on it.
 */
export function readAsk(body: unknown, numberId: NumberId): Ask | null {
  const ask = body as Ask
  if (typeof body !== 'object' || body === null || ask.numberId !== numberId || typeof ask.fields !== 'object')
    return null
  if (ask.to === 'call') return Object.hasOwn(CALL_COMMANDS, ask.type) && typeof ask.callId === 'string' ? ask : null
  if (ask.to !== 'number' || !Object.hasOwn(NUMBER_COMMANDS, ask.type)) return null
  return ask.type !== 'AskDevice' || deviceOpOf(ask) ? ask : null
}

/**
 * The device operation that a number is asked for; null for any other command, and for an operation that this node does
 * not know.
 */
function deviceOpOf({ type, fields }: NumberAsk): DeviceOp | null {
  const op = type === 'AskDevice' && 'op' in fields ? String(fields.op) : ''
  return isDeviceOp(op) ? op : null
}
