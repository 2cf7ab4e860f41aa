import { DEVICE_OPS, isDeviceOp } from '../../src/domain/device-ops.ts'
import type { DeviceOp } from '../../src/domain/device-ops.ts'
import type { CallId, NumberId } from '../../src/domain/ids.ts'
import { ASK_TIMEOUT_MS, LONG_ASK_TIMEOUT_MS, PROVIDER_REQUEST_MS } from '../../src/domain/limits.ts'
import type { CallCommandType } from '../call/messages.ts'
import type { AskedNumberCommand } from '../number/messages.ts'

/** An ask as data: all that is needed to answer it, on whichever node. */
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
 * Every command to a number; true: one that may have run must not be run again by itself ([nodes.asks.7]). The others
 * only look, or say again what rows say.
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

/** The same of commands to a call. */
const CALL_COMMANDS: Readonly<Record<CallCommandType, boolean>> = {
  Accept: true,
  PreAccept: true,
  Reject: true,
  Terminate: true,
  Play: true,
  OpenSession: true,
}

/** What is waited for beside the time that the device network has, ms: for the number and its rows. */
const BESIDE_PROVIDER_MS = ASK_TIMEOUT_MS - PROVIDER_REQUEST_MS

/** Commands that reach media host or provider before they are answered. */
const LONG_COMMANDS: ReadonlySet<CallCommandType> = new Set<CallCommandType>(['Accept', 'PreAccept', 'Play'])

/** How long an ask is waited for, ms. */
export function timeoutOf(ask: Ask): number {
  if (ask.to === 'call') return LONG_COMMANDS.has(ask.type) ? LONG_ASK_TIMEOUT_MS : ASK_TIMEOUT_MS
  if (ask.type === 'PlaceCall') return LONG_ASK_TIMEOUT_MS
  const op = deviceOpOf(ask)
  if (op) return DEVICE_OPS[op].timeoutMs + BESIDE_PROVIDER_MS
  return ASK_TIMEOUT_MS + ('waitMs' in ask.fields && typeof ask.fields.waitMs === 'number' ? ask.fields.waitMs : 0)
}

/** True where an ask that may have run must not be run again by itself. */
export function isOnce(ask: Ask): boolean {
  if (ask.to === 'call') return CALL_COMMANDS[ask.type]
  const op = deviceOpOf(ask)
  return op ? DEVICE_OPS[op].repeat === 'once' : NUMBER_COMMANDS[ask.type]
}

/**
 * An ask as another node sent it, for this number; null for one this node does not know, as of a later version: an
 * actor would trip over it.
 */
export function readAsk(body: unknown, numberId: NumberId): Ask | null {
  const ask = body as Ask
  if (typeof body !== 'object' || body === null || ask.numberId !== numberId || typeof ask.fields !== 'object')
    return null
  if (ask.to === 'call') return Object.hasOwn(CALL_COMMANDS, ask.type) && typeof ask.callId === 'string' ? ask : null
  if (ask.to !== 'number' || !Object.hasOwn(NUMBER_COMMANDS, ask.type)) return null
  return ask.type !== 'AskDevice' || deviceOpOf(ask) ? ask : null
}

/** What a number is asked of its device; null: something else, or an op that this node does not know. */
function deviceOpOf({ type, fields }: NumberAsk): DeviceOp | null {
  const op = type === 'AskDevice' && 'op' in fields ? String(fields.op) : ''
  return isDeviceOp(op) ? op : null
}
