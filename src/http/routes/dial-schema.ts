import { z } from 'zod'
import {
  DIALECTS,
  FRAME_MS,
  ON_DISCONNECT,
  ON_OFF,
  SESSION_CODECS,
  SESSION_RATES_HZ,
} from '../../domain/realtime-session.ts'
import { URL_LENGTH } from '../../domain/send-body.ts'

/** [realtime.query.1] */
const rateHz = z.literal(SESSION_RATES_HZ)

/** A header name (RFC 9110 section 5.1). */
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/
/** Headers that the handshake itself has (RFC 6455 section 4.1, RFC 9110 section 7.6.1). */
const OF_HANDSHAKE =
  /^(?:host|connection|upgrade|content-length|transfer-encoding|te|trailer|expect|keep-alive|proxy-.*|sec-websocket-.*)$/i

/** How a server of the tenant is dialled ([voice.connect-to.1] to [voice.connect-to.5]). */
export const dialFields = {
  connectTo: z
    .string()
    .min(1)
    .max(URL_LENGTH)
    .meta({ description: 'A `wss:` address that is dialled in place of waiting for your socket' }),
  headers: z
    .record(
      z.string(),
      z
        .string()
        .max(2_048)
        .refine((value) => /^[\x20-\x7e]*$/.test(value), 'must have printable ASCII alone'),
    )
    .refine((headers) => Object.keys(headers).length <= 10, 'must have at most 10')
    .refine(
      (headers) => Object.keys(headers).every((name) => HEADER.test(name) && !OF_HANDSHAKE.test(name)),
      'must have names of headers, and none that the handshake sets',
    )
    .meta({ description: 'Sent with the handshake, at most 10; never shown' }),
  dialect: z.enum(DIALECTS),
  codec: z
    .enum(SESSION_CODECS)
    .meta({ description: 'opus: binary messages hold packets as they are; takes neither rates nor another dialect' }),
  speech: z.enum(ON_OFF).meta({ description: 'on: your server is told when the peer speaks, in dialect native' }),
  rate: rateHz,
  inRate: rateHz,
  outRate: rateHz,
  frameMs: z.literal(FRAME_MS),
  onDisconnect: z.enum(ON_DISCONNECT),
  parameters: z
    .record(z.string().min(1).max(64), z.string().max(1_024))
    .refine((given) => Object.keys(given).length <= 20, 'must have at most 20')
    .meta({ description: 'Texts for the first message to your server, at most 20' }),
}
