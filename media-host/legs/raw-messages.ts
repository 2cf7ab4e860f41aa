/**
 * The text messages of a raw audio leg ([engines.pcm16.4]). Unknown ones are passed over: an engine may be newer than
 * this program.
 */
import { fieldsIn, isFields } from '../../src/domain/json-fields.ts'

/** What the engine measured of its own side; what it does not say is missing. */
export interface EngineStats {
  readonly rttMs?: number
  readonly jitterMs?: number
  readonly lost?: number
}

export type EngineMessage =
  | { readonly type: 'dtmf'; readonly digit: string; readonly durationMs: number }
  | { readonly type: 'stats'; readonly stats: EngineStats }
  /** Its reason is for people who read along; what the call ends of, its signalling says. */
  | { readonly type: 'ended' }
  | { readonly type: 'unknown' }

/** Our choice: what a digit lasts that comes without a length, as ours do. */
const DIGIT_MS = 100
/** Our choice: longer than any key is held; longer ones are told as this. */
const MAX_DIGIT_MS = 60_000

/** Reads a text of the engine. Null: it is no JSON object. */
export function readEngineMessage(text: string): EngineMessage | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  if (!isFields(parsed)) return null
  switch (parsed['type']) {
    case 'dtmf':
      return readDigit(parsed['digit'], parsed['durationMs'])
    case 'stats':
      return { type: 'stats', stats: readStats({ ...parsed, ...fieldsIn(parsed, 'stats') }) }
    case 'ended':
      return { type: 'ended' }
    default:
      return { type: 'unknown' }
  }
}

/** True of 0-9 * # A-D, at least one. */
export function areDigits(digits: string): boolean {
  return /^[0-9*#A-D]+$/i.test(digits)
}

function readDigit(digit: unknown, durationMs: unknown): EngineMessage {
  if (typeof digit !== 'string' || digit.length !== 1 || !areDigits(digit)) return { type: 'unknown' }
  return {
    type: 'dtmf',
    digit: digit.toUpperCase(),
    durationMs: isAmount(durationMs) ? Math.min(MAX_DIGIT_MS, Math.round(durationMs)) : DIGIT_MS,
  }
}

function readStats(fields: Readonly<Record<string, unknown>>): EngineStats {
  const { rttMs, jitterMs, lost } = fields
  return {
    ...(isAmount(rttMs) ? { rttMs } : {}),
    ...(isAmount(jitterMs) ? { jitterMs } : {}),
    ...(isAmount(lost) ? { lost } : {}),
  }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
