import type { CallCommands } from '../../../commands/calls/calls.ts'
import type { Route } from '../../request/route.ts'

/** What needs our audio is there for bridged calls of OFFICIAL numbers, too ([bridged-calls.bridge.3]). */
export function forBridged(calls: CallCommands): NonNullable<Route['exception']> {
  return ({ id: numberId }, { callId = '' }) => calls.isBridged({ numberId, callId })
}
