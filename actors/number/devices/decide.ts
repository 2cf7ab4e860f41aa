import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { ReadyNumber, Step } from '../state.ts'
import { isConnected, step } from '../state.ts'
import type { DeviceCommand } from './messages.ts'
import type { DevicesState } from './state.ts'

export const NO_DEVICE_ASKS: DevicesState = { deviceAsks: new Set() }

/** Asks the session and answers what it says. Only the number's leave waits for that. */
export function askDevice(state: ReadyNumber, command: DeviceCommand): Step<ReadyNumber> {
  if (isConnected(state))
    return step({ ...state, deviceAsks: new Set(state.deviceAsks).add(command.askId) }, [
      { type: 'askDevice', command },
    ])
  // The rows already say what was read; upstream is told by best effort.
  const outcome =
    command.type === 'ReadMessages'
      ? succeed(null)
      : fail(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'The number is not connected'))
  return step(state, [], [{ askId: command.askId, outcome }])
}

export function deviceAnswered(state: ReadyNumber, askId: number): Step<ReadyNumber> {
  const deviceAsks = new Set(state.deviceAsks)
  deviceAsks.delete(askId)
  return step({ ...state, deviceAsks })
}
