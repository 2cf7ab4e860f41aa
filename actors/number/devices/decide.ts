import { paceOf } from '../../../src/domain/device-ops.ts'
import type { DeviceOps } from '../../../src/domain/device-ops.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import { toldTogether } from '../../../src/domain/identity.ts'
import { toDigits } from '../../../src/domain/phone.ts'
import type { NamedPeer } from '../../../src/ports/stores/message-inbox.ts'
import type { ReadyNumber, Step } from '../state.ts'
import { isConnected, step } from '../state.ts'
import type { DeviceCommand } from './messages.ts'
import type { DevicesState } from './state.ts'

export const NO_DEVICE_ASKS: DevicesState = { deviceAsks: new Set(), pacedAt: new Map() }

/**
 * Asks the session and answers what it says. Only the number's leave waits for that. What comes sooner than its pace
 * lets through is answered without.
 */
export function askDevice(state: ReadyNumber, command: DeviceCommand, nowMs: number): Step<ReadyNumber> {
  if (isConnected(state)) {
    const pace = command.type === 'AskDevice' ? paceOf(command) : null
    const { pacedAt } = state
    if (pace && isRecent(pacedAt.get(pace.key), pace.everyMs, nowMs))
      return step(state, [], [{ askId: command.askId, outcome: succeed(pace.instead) }])
    const deviceAsks = new Set(state.deviceAsks).add(command.askId)
    return step({ ...state, deviceAsks, pacedAt: pace ? noted(pacedAt, pace, nowMs) : pacedAt }, [
      { type: 'askDevice', command },
    ])
  }
  // The rows already say what was read; upstream is told by best effort.
  const outcome =
    command.type === 'ReadMessages'
      ? succeed(null)
      : fail(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'The number is not connected'))
  return step(state, [], [{ askId: command.askId, outcome }])
}

/** True of a time within the last `everyMs`; a clock that was set back counts as later. */
function isRecent(atMs: number | undefined, everyMs: number, nowMs: number): boolean {
  return atMs !== undefined && nowMs >= atMs && nowMs - atMs < everyMs
}

/** Notes that one is passed on, and forgets those whose time is over. */
function noted(
  pacedAt: ReadonlyMap<string, number>,
  { key, everyMs }: { readonly key: string; readonly everyMs: number },
  nowMs: number,
): ReadonlyMap<string, number> {
  return new Map([...pacedAt].filter(([, atMs]) => isRecent(atMs, everyMs, nowMs))).set(key, nowMs)
}

/**
 * The people whom a check of numbers names by more than one address: the digits asked about, those that the network
 * knows, and its id. Numbers without an account are nobody's.
 */
export function peersIn(checks: DeviceOps['checkNumbers']['value']): NamedPeer[] {
  return checks.flatMap(({ input, exists, number, lid }) => {
    const addresses = exists ? toldTogether([number, toDigits(input), lid]) : null
    return addresses ? [{ addresses }] : []
  })
}

export function deviceAnswered(state: ReadyNumber, askId: number): Step<ReadyNumber> {
  const deviceAsks = new Set(state.deviceAsks)
  deviceAsks.delete(askId)
  return step({ ...state, deviceAsks })
}
