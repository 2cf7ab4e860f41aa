import type { Outcome } from '../src/domain/errors.ts'
import type { CallId, NumberId } from '../src/domain/ids.ts'
import type { CallCommands, CallCommandType } from './call/messages.ts'
import type { NumberCommands, NumberCommandType } from './number/messages.ts'

/** Finds or starts an actor by id and asks it: all that HTTP sees of actors. Every ask is answered, with a refusal at worst. */
export interface Directory {
  askNumber<T extends NumberCommandType>(numberId: NumberId, type: T, fields: NumberCommands[T]['fields']): Promise<Outcome<NumberCommands[T]['value']>>
  /** `callId` is the service id of a call of this number; look it up in the call store first. */
  askCall<T extends CallCommandType>(numberId: NumberId, callId: CallId, type: T, fields: CallCommands[T]['fields']): Promise<Outcome<CallCommands[T]['value']>>
}
