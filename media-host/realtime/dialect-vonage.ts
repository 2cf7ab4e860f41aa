import { readFields, readMessage, readStockMark } from './protocol-parse.ts'
import { MAX_TEXT_BYTES } from './protocol.ts'
import type { Dialect, DialectText } from './dialect-codec.ts'
import type { ServerMessage } from '../../src/domain/realtime-messages.ts'

/**
 * Clients made for Vonage Voice WebSockets. Their audio is that of `pcm16.v1`, events are `websocket:*`, and they send
 * `{"action":"clear"}` and `{"action":"notify"}` ([realtime.client-messages.14]).
 */
export const vonage: Dialect = {
  adapt: (parameters) => parameters,
  createCodec: (parameters) => ({
    encode: (message) => textOf(message, parameters.outRate),
    encodeAudio: (frame) => frame,
    parse,
    maxTextBytes: MAX_TEXT_BYTES,
    takesBinary: true,
    isStock: true,
  }),
}

function parse(text: string): DialectText {
  const read = readFields(text)
  if (read.kind !== 'fields') return read
  const { fields } = read
  return fields['type'] === 'mark' ? readStockMark(fields['name']) : readMessage(fields)
}

function textOf(message: ServerMessage, rateHz: number): string[] {
  switch (message.type) {
    case 'start':
      return [
        JSON.stringify({
          ...message.parameters,
          event: 'websocket:connected',
          'content-type': `audio/l16;rate=${rateHz}`,
        }),
      ]
    case 'cleared':
      return [JSON.stringify({ event: 'websocket:cleared' })]
    case 'dtmf':
      return [JSON.stringify({ event: 'websocket:dtmf', digit: message.digit, duration: message.durationMs })]
    case 'mark':
      // Our choice: a cleared notify is not reported, because its client would take the audio as heard.
      if (message.status === 'cleared') return []
      return [
        JSON.stringify({
          event: 'websocket:notify',
          payload: message.payload === undefined ? { name: message.name } : message.payload,
        }),
      ]
    default:
      return []
  }
}
