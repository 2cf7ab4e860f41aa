/**
 * The text messages of a raw audio leg ([engines.pcm16.4]). Unknown ones are ignored, because an engine may be newer
 * than this program.
 */
import { fieldsIn, isFields } from '../../src/domain/json-fields.ts'

/** Measurements of the engine's side; those that it does not report are absent. */
export interface EngineStats {
  readonly rttMs?: number
  readonly jitterMs?: number
  readonly lost?: number
}

export type EngineMessage =
  | { readonly type: 'dtmf'; readonly digit: string; readonly durationMs: number }
  | { readonly type: 'stats'; readonly stats: EngineStats }
  /** The reason in the message is for human readers; the signalling says how the call ends. */
  | { readonly type: 'ended' }
  | { readonly type: 'unknown' }

/** Our choice: the length of a digit that comes without one, as ours have. */
const DIGIT_MS = 100
/** Our choice: longer than any key is held; a longer digit is reported with this length. */
const MAX_DIGIT_MS = 60_000

/** Reads a text of the engine; null when it is not a JSON object. */
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

/** True for one or more of 0-9 * # A-D. */
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
