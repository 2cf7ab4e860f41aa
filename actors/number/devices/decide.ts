import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { ReadyNumber, Step } from '../state.ts'
import { isConnected, step } from '../state.ts'
import type { DeviceCommand } from './messages.ts'

/** Asks the session, whose answer is the answer; nothing else waits for it. */
export function askDevice(state: ReadyNumber, command: DeviceCommand): Step<ReadyNumber> {
  if (isConnected(state)) return step(state, [{ type: 'askDevice', command }])
  // What was read is stored already: upstream is only told of it, best effort.
  const outcome = command.type === 'ReadMessages'
    ? succeed(null)
    : fail(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'The number is not connected'))
  return step(state, [], [{ askId: command.askId, outcome }])
}
