import { z } from 'zod'
import { CLIENT_MESSAGES, SERVER_MESSAGES } from '../../domain/realtime-messages.ts'
import {
  DIALECTS,
  FRAME_MS,
  ON_DISCONNECT,
  ON_OFF,
  PROTOCOL,
  SESSION_CODECS,
  SESSION_RATES_HZ,
} from '../../domain/realtime-session.ts'
import type { ChannelFacts, MessageFacts } from './channel.ts'
import { CLIENT_WORDS, CLOSE_WORDS, SERVER_WORDS } from './realtime-words.ts'
import type { SchemaWriter } from './schemas.ts'

const rate = z.literal(SESSION_RATES_HZ).optional()

/** The query of a `wsUrl` ([realtime.query.1] to [realtime.query.9]). */
export const SESSION_QUERY = z.object({
  token: z.string().meta({ description: 'Single use; may be sent as `Authorization: Bearer` instead' }).optional(),
  rate: rate.meta({ description: 'Samples a second both ways; 16000' }),
  inRate: rate.meta({ description: 'What you send, where it differs' }),
  outRate: rate.meta({ description: 'What you get, where it differs' }),
  frameMs: z.literal(FRAME_MS).optional().meta({ description: 'Length of each binary message you get; 20' }),
  codec: z.enum(SESSION_CODECS).optional().meta({ description: 'What binary messages hold; pcm16' }),
  speech: z.enum(ON_OFF).optional().meta({ description: 'Whether you are told when the peer speaks; off' }),
  prebufferMs: z.int().min(0).max(200).optional().meta({ description: 'Gathered before an utterance starts; 40' }),
  stats: z.int().min(0).max(3_600).optional().meta({ description: 'Seconds between `stats`; 0, which is never' }),
  onDisconnect: z.enum(ON_DISCONNECT).optional().meta({ description: 'Of the call when your socket closes; keep' }),
  dialect: z.enum(DIALECTS).optional().meta({ description: 'native; others speak to clients of those platforms' }),
})

const SINCE_START = z.number().meta({ description: 'In ms since `start`' })

const AUDIO: MessageFacts = {
  summary: 'Audio: PCM16LE mono without a header, or one Opus packet behind 4 bytes',
  contentType: 'application/octet-stream',
  payload: { type: 'string', format: 'binary' },
}

/** A message as its side writes it: names of messages begin with who sends them. */
function serverMessages(writer: SchemaWriter): [string, MessageFacts][] {
  return (Object.keys(SERVER_MESSAGES) as (keyof typeof SERVER_MESSAGES)[]).map((name) => {
    const { summary, example } = SERVER_WORDS[name]
    const payload = writer.write(z.object({ ...SERVER_MESSAGES[name].shape, t: SINCE_START }))
    return [`server.${name}`, { summary, payload, examples: [{ payload: example }] }]
  })
}

function clientMessages(writer: SchemaWriter): [string, MessageFacts][] {
  return (Object.keys(CLIENT_MESSAGES) as (keyof typeof CLIENT_MESSAGES)[]).map((name) => {
    const { summary, example } = CLIENT_WORDS[name]
    return [
      `client.${name}`,
      { summary, payload: writer.write(CLIENT_MESSAGES[name], 'input'), examples: [{ payload: example }] },
    ]
  })
}

/** The realtime audio of a call: the protocol `pcm16.v1` of the media host's public socket. */
export function realtimeChannel(writer: SchemaWriter): ChannelFacts {
  const server = [...serverMessages(writer), ['server.audio', AUDIO] as const]
  const client = [...clientMessages(writer), ['client.audio', AUDIO] as const]
  const codes = Object.entries(CLOSE_WORDS).map(([code, words]) => `| ${code} | ${words} |`)
  return {
    address: '/v1/realtime/{callId}',
    title: `Realtime audio of a call, ${PROTOCOL}`,
    description:
      'The address with its token is `wsUrl` of `POST /v1/calls/{callId}/realtime-session`; connect within 120 s. Binary messages are audio, text messages are JSON. '
      + `Messages act in order with the audio around them.\n\n| close code | meaning |\n|---|---|\n${codes.join('\n')}`,
    server: 'media',
    parameters: { callId: { description: 'Id of the call' } },
    bindings: { ws: { method: 'GET', query: writer.write(SESSION_QUERY, 'input'), bindingVersion: '0.1.0' } },
    messages: Object.fromEntries([...server, ...client]),
    operations: {
      tellClient: {
        action: 'send',
        summary: 'The service sends audio and tells what happens',
        messages: server.map(([name]) => name),
      },
      hearClient: {
        action: 'receive',
        summary: 'A client sends audio and says what to do',
        messages: client.map(([name]) => name),
      },
    },
  }
}
