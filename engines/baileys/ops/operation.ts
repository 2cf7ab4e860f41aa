import type { BridgeOps } from '../../../src/domain/device-bridge.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { LiveSession } from '../session/live-session.ts'

/** The fields of a request beside `id` and `op`, as they came. */
export type Fields = Readonly<Record<string, unknown>>

/** One operation: reads the fields and does what they ask; answers the result. Throws a Refusal to refuse. */
export type Operation<Result = unknown> = (live: LiveSession, fields: Fields) => Promise<Result>

/** The ops that sessions themselves do. */
type OfSessions = 'session.start' | 'session.pairing_code' | 'session.logout' | 'settings.set'

/** Every other op of the bridge, with what it answers: one that is missing does not compile. */
export type Operations = {
  readonly [Op in Exclude<keyof BridgeOps, OfSessions>]: Operation<BridgeOps[Op]['result']>
}

/** The text in a field. Throws a refusal INVALID where there is none. */
export function textField(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value === 'string' && value !== '') return value
  throw new Refusal('INVALID', `${name}: must be a text`)
}

/** The texts in a field. Throws a refusal INVALID where it is no list of texts, or longer than `limit`. */
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
