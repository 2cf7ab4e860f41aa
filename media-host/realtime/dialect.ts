import { twilio } from './dialect-twilio.ts'
import { vonage } from './dialect-vonage.ts'
import { parseClientText } from './protocol-parse.ts'
import { MAX_TEXT_BYTES } from './protocol.ts'
import type { Dialect } from './dialect-codec.ts'
import type { DialectName } from '../../src/domain/realtime-session.ts'

/** The dialect of unchanged `pcm16.v1`. */
const native: Dialect = {
  adapt: (parameters) => parameters,
  createCodec: () => ({
    encode: (message, tMs) => [JSON.stringify({ ...message, t: tMs })],
    encodeAudio: (frame) => frame,
    parse: parseClientText,
    maxTextBytes: MAX_TEXT_BYTES,
    takesBinary: true,
    isStock: false,
  }),
}

/** The dialects this host speaks ([realtime.query.4]). */
export const DIALECTS_BY_NAME: Readonly<Record<DialectName, Dialect>> = { native, vonage, twilio }
