import { RATES_HZ } from '../audio/frame.ts'
import { DIALECTS, FRAME_MS, ON_DISCONNECT, ON_OFF, SESSION_CODECS } from '../../src/domain/realtime-session.ts'
import type { SessionCodec } from '../../src/domain/realtime-session.ts'
import type { SessionParameters } from './protocol.ts'

export type ParametersRead =
  | { readonly ok: true; readonly value: SessionParameters }
  | { readonly ok: false; readonly parameter: string; readonly message: string }

/** Both in ms, of [realtime.query.7]. */
const MAX_PREBUFFER_MS = 200
const DEFAULT_PREBUFFER_MS = 40
/** Our choice: an hour; a longer interval is surely a wrong unit. */
const MAX_STATS_SECONDS = 3_600

class BadParameter extends Error {
  readonly parameter: string

  constructor(parameter: string, message: string) {
    super(message)
    this.parameter = parameter
  }
}

function oneOf<T extends string | number>(
  query: URLSearchParams,
  name: string,
  choices: readonly T[],
  otherwise: T,
): T {
  const text = query.get(name)
  if (text === null) return otherwise
  const found = choices.find((choice) => String(choice) === text)
  if (found === undefined) throw new BadParameter(name, `${name} must be one of ${choices.join(', ')}`)
  return found
}

function wholeNumber(query: URLSearchParams, name: string, max: number, otherwise: number): number {
  const text = query.get(name)
  if (text === null) return otherwise
  if (!/^\d{1,6}$/.test(text) || Number(text) > max)
    throw new BadParameter(name, `${name} must be a whole number from 0 to ${max}`)
  return Number(text)
}

/** Opus has one clock, and packets as they come ([realtime.opus.6]). */
const OF_PCM = ['rate', 'inRate', 'outRate', 'frameMs'] as const

function codecOf(query: URLSearchParams): SessionCodec {
  const codec = oneOf(query, 'codec', SESSION_CODECS, 'pcm16')
  if (codec === 'pcm16') return codec
  if (oneOf(query, 'dialect', DIALECTS, 'native') !== 'native')
    throw new BadParameter('dialect', 'dialect must be native with codec=opus')
  for (const name of OF_PCM)
    if (query.has(name)) throw new BadParameter(name, `${name} is of PCM; codec=opus does not take it`)
  return codec
}

/** Clients of other platforms know no such message ([realtime.speech.4]). */
function speechOf(query: URLSearchParams): boolean {
  const isOn = oneOf(query, 'speech', ON_OFF, 'off') === 'on'
  if (isOn && query.has('dialect') && query.get('dialect') !== 'native')
    throw new BadParameter('dialect', 'dialect must be native with speech=on')
  return isOn
}

/**
 * Reads the query of a realtime address: [realtime.query.1] to [realtime.query.9]. Other parameters are ignored, so
 * that clients may add their own. Of a repeated parameter the first value counts.
 */
export function readParameters(query: URLSearchParams): ParametersRead {
  try {
    const codec = codecOf(query)
    const rate = oneOf(query, 'rate', RATES_HZ, codec === 'opus' ? 48_000 : 16_000)
    return {
      ok: true,
      value: {
        codec,
        inRate: oneOf(query, 'inRate', RATES_HZ, rate),
        outRate: oneOf(query, 'outRate', RATES_HZ, rate),
        frameMs: oneOf(query, 'frameMs', FRAME_MS, 20),
        dialect: oneOf(query, 'dialect', DIALECTS, 'native'),
        statsSeconds: wholeNumber(query, 'stats', MAX_STATS_SECONDS, 0),
        onDisconnect: oneOf(query, 'onDisconnect', ON_DISCONNECT, 'keep'),
        prebufferMs: wholeNumber(query, 'prebufferMs', MAX_PREBUFFER_MS, DEFAULT_PREBUFFER_MS),
        speech: speechOf(query),
      },
    }
  } catch (error) {
    if (error instanceof BadParameter) return { ok: false, parameter: error.parameter, message: error.message }
    throw error
  }
}
