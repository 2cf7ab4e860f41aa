import { isLive } from '../../src/domain/call.ts'
import { decodeMulaw, encodeMulaw } from '../audio/mulaw.ts'
import { parseClientText } from './protocol-parse.ts'
import type { Dialect, DialectCodec, DialectText } from './dialect-codec.ts'
import type { ServerMessage } from './protocol.ts'

/** Stock clients count 8 bytes a millisecond whatever they are told, so there is one rate. */
const RATE_HZ = 8_000
const SAMPLES_PER_MS = RATE_HZ / 1_000

/**
 * Clients made for Twilio Media Streams: mu-law 8 kHz as base64 inside JSON texts, both ways
 * (contract 7). Numbers are texts of digits, as there. Warnings, buffer states and stats have no words here.
 */
export const twilio: Dialect = {
  adapt: (parameters) => ({ ...parameters, inRate: RATE_HZ, outRate: RATE_HZ, frameMs: 20 }),
  createCodec: () => new TwilioCodec(),
}

class TwilioCodec implements DialectCodec {
  readonly takesBinary = false
  #sequence = 0
  #chunk = 0
  #sentSamples = 0
  /** Our choice: the call id names the stream, the call and the account; clients only need these to be there and to stay the same. */
  #streamSid = ''

  encode(message: ServerMessage): string[] {
    switch (message.type) {
      case 'start': return [JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }), this.#start(message.callId)]
      // Marks of cleared audio come back too, as they do there.
      case 'mark': return [this.#event('mark', { name: message.name })]
      case 'dtmf': return [this.#event('dtmf', { track: 'inbound_track', digit: message.digit })]
      case 'call': return isLive(message.status) ? [] : [this.#event('stop', { accountSid: this.#streamSid, callSid: this.#streamSid })]
      default: return []
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
    const read = eventOf(text)
    if (!read) return parseClientText(text)
    const { event, fields } = read
    if (event === 'clear') return { kind: 'message', message: { type: 'clear' } }
    if (event === 'media') {
      const { payload } = fieldsOf(fields['media'])
      return typeof payload === 'string' ? audioOf(payload) : { kind: 'invalid', problem: 'media must have a payload' }
    }
    if (event === 'mark') return parseClientText(JSON.stringify({ type: 'mark', name: fieldsOf(fields['mark'])['name'] }))
    return { kind: 'unknown', type: event.slice(0, 32) }
  }

  #start(callId: string): string {
    this.#streamSid = callId
    return this.#event('start', {
      streamSid: callId, accountSid: callId, callSid: callId, tracks: ['inbound'], customParameters: {},
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: RATE_HZ, channels: 1 },
    })
  }

  #event(event: string, fields: object): string {
    return JSON.stringify({ event, sequenceNumber: String(++this.#sequence), streamSid: this.#streamSid, [event]: fields })
  }
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? value as Fields : {}
}

function eventOf(text: string): { event: string, fields: Fields } | null {
  try {
    const fields = fieldsOf(JSON.parse(text))
    const event = fields['event']
    return typeof event === 'string' ? { event, fields } : null
  } catch {
    return null
  }
}

function audioOf(payload: string): DialectText {
  const samples = decodeMulaw(Buffer.from(payload, 'base64'))
  return { kind: 'audio', bytes: new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength) }
}
