import { isLive } from '../../src/domain/call.ts'
import { decodeMulaw, encodeMulaw } from '../audio/mulaw.ts'
import { readFields, readMessage, readStockMark } from './protocol-parse.ts'
import { MAX_TEXT_BYTES, MAX_TWILIO_BYTES } from './protocol.ts'
import type { Dialect, DialectCodec, DialectText, SessionIdentity } from './dialect-codec.ts'
import type { Fields } from './protocol-parse.ts'
import type { ServerMessage } from '../../src/domain/realtime-messages.ts'

/** Stock clients count 8 bytes for a millisecond whatever they are told, so there is one rate. */
const RATE_HZ = 8_000
const SAMPLES_PER_MS = RATE_HZ / 1_000

/**
 * Clients made for Twilio Media Streams: mu-law at 8 kHz as base64 within JSON texts, both ways
 * ([realtime.dialects.1]). Numbers are texts of digits, as on that platform. Warnings, buffer states and stats are not
 * sent.
 */
export const twilio: Dialect = {
  adapt: (parameters) => ({ ...parameters, inRate: RATE_HZ, outRate: RATE_HZ, frameMs: 20 }),
  createCodec: (_parameters, identity) => new TwilioCodec(identity),
}

class TwilioCodec implements DialectCodec {
  readonly takesBinary = false
  readonly maxTextBytes = MAX_TWILIO_BYTES
  readonly isStock = true
  #sequence = 0
  #chunk = 0
  #sentSamples = 0
  /** The session is the stream, the tenant the account ([voice.connect-to.9]). */
  readonly #identity: SessionIdentity
  #callSid = ''

  constructor(identity: SessionIdentity) {
    this.#identity = identity
  }

  encode(message: ServerMessage): string[] {
    switch (message.type) {
      case 'start':
        return [JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }), this.#start(message)]
      // Marks of cleared audio come back too, as on that platform.
      case 'mark':
        return [this.#event('mark', { name: message.name })]
      case 'dtmf':
        return [this.#event('dtmf', { track: 'inbound_track', digit: message.digit })]
      case 'call':
        return isLive(message.status)
          ? []
          : [this.#event('stop', { accountSid: this.#identity.tenantId, callSid: this.#callSid })]
      default:
        return []
    }
  }

  encodeAudio(frame: Uint8Array): string {
    const samples = new Int16Array(frame.buffer, frame.byteOffset, frame.byteLength / 2)
    const timestamp = String(this.#sentSamples / SAMPLES_PER_MS)
    this.#sentSamples += samples.length
    const payload = Buffer.from(encodeMulaw(samples)).toString('base64')
    return this.#event('media', { track: 'inbound', chunk: String(++this.#chunk), timestamp, payload })
  }

  parse(text: string): DialectText {
    const audio = audioIn(text)
    if (audio) return audio
    if (text.length > MAX_TEXT_BYTES)
      return { kind: 'invalid', problem: `a message without audio may have at most ${MAX_TEXT_BYTES} bytes` }
    const read = readFields(text)
    if (read.kind !== 'fields') return read
    const { fields } = read
    const event = fields['event']
    if (typeof event !== 'string') return readMessage(fields)
    if (event === 'clear') return { kind: 'message', message: { type: 'clear' } }
    if (event === 'mark') return readStockMark(fieldsOf(fields['mark'])['name'])
    return event === 'media'
      ? { kind: 'invalid', problem: 'media must have a payload' }
      : { kind: 'unknown', type: event.slice(0, 32) }
  }

  #start({ callId, parameters = {} }: ServerMessage & { type: 'start' }): string {
    this.#callSid = callId
    return this.#event('start', {
      streamSid: this.#identity.sessionId,
      accountSid: this.#identity.tenantId,
      callSid: callId,
      tracks: ['inbound'],
      customParameters: parameters,
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: RATE_HZ, channels: 1 },
    })
  }

  #event(event: string, fields: object): string {
    return JSON.stringify({
      event,
      sequenceNumber: String(++this.#sequence),
      streamSid: this.#identity.sessionId,
      [event]: fields,
    })
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/**
 * Reads a media text. The payload is cut out first, so that only the rest is parsed, however long the text. Null when
 * it is no media.
 */
function audioIn(text: string): DialectText | null {
  const before = /"payload"\s*:\s*"/.exec(text)
  if (!before) return null
  const from = before.index + before[0].length
  const to = text.indexOf('"', from)
  const rest = text.slice(0, from) + text.slice(to)
  if (to < 0 || rest.length > MAX_TEXT_BYTES) return null
  const read = readFields(rest)
  if (read.kind !== 'fields' || read.fields['event'] !== 'media' || fieldsOf(read.fields['media'])['payload'] !== '')
    return null
  const payload = unescaped(text.slice(from, to))
  return payload === null ? { kind: 'badJson' } : { kind: 'audio', bytes: pcmOf(payload) }
}

/** Removes the backslash that some encoders write before / in base64; null when another escape is there. */
function unescaped(payload: string): string | null {
  if (!payload.includes('\\')) return payload
  try {
    return String(JSON.parse(`"${payload}"`))
  } catch {
    return null
  }
}

function pcmOf(payload: string): Uint8Array {
  const samples = decodeMulaw(Buffer.from(payload, 'base64'))
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
}
