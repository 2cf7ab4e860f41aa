import type { BridgeOps } from '../../../src/domain/device-bridge.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { LiveSession } from '../session/live-session.ts'

/** The fields of a request as they came, except for `id` and `op`. */
export type Fields = Readonly<Record<string, unknown>>

/** One operation: reads the fields, acts and answers the result. Throws a Refusal to refuse. */
export type Operation<Result = unknown> = (live: LiveSession, fields: Fields) => Promise<Result>

/** The ops that session/ handles itself. */
type OfSessions = 'session.start' | 'session.pairing_code' | 'session.logout' | 'settings.set'

/** Every other op of the bridge with its result; a missing one does not compile. */
export type Operations = {
  readonly [Op in Exclude<keyof BridgeOps, OfSessions>]: Operation<BridgeOps[Op]['result']>
}

/** The text in a field. Throws a Refusal INVALID when there is none. */
export function textField(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value === 'string' && value !== '') return value
  throw new Refusal('INVALID', `${name}: must be a text`)
}

/** The texts in a field. Throws a Refusal INVALID when it is not a list of texts, or longer than `limit`. */
export function textsField(fields: Fields, name: string, limit: number): readonly string[] {
  const value = fields[name]
  if (
    Array.isArray(value)
    && value.length <= limit
    && value.every((item): item is string => typeof item === 'string' && item !== '')
  )
    return value
  throw new Refusal('INVALID', `${name}: must be a list of at most ${limit} texts`)
}
