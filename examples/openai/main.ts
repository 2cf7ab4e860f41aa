/**
 * A voice bot on the OpenAI Realtime API: a server that a call is connected to, with dialect `twilio`. All the audio is
 * carried by the stock transport of the SDK, unchanged. `OPENAI_API_KEY` has it speak with the real model; without it a
 * scripted one answers, on this machine.
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RealtimeAgent, RealtimeSession, tool } from '@openai/agents/realtime'
import { TwilioRealtimeTransportLayer } from '@openai/agents-extensions'
import { WebSocketServer, type WebSocket } from 'ws'
import { z } from 'zod'

const { PORT = '8765', BOT_TOKEN = '', OPENAI_API_KEY = '', OPENAI_MODEL = 'gpt-realtime', OPENAI_URL } = process.env

const say = (line: string) => console.log(line)

/** Where the model is, and the key that opens it. */
async function findModel(): Promise<{ apiKey: string; url?: string }> {
  if (OPENAI_API_KEY !== '') return { apiKey: OPENAI_API_KEY, ...(OPENAI_URL ? { url: OPENAI_URL } : {}) }
  const { startScriptedModel } = await import('../scripted/realtime-model.ts')
  const { url } = await startScriptedModel((line) => say(`model ${line}`))
  say('OPENAI_API_KEY is not set: a scripted model answers')
  return { apiKey: 'none', url }
}

/** What the model may do with a call, besides speaking. These two words are of the service, not of the platform. */
function agentFor(call: WebSocket): RealtimeAgent {
  const send = (message: object) => call.send(JSON.stringify(message))
  return new RealtimeAgent({
    name: 'Voice bot',
    instructions: 'You answer the phone. Greet the caller, be brief, and hang up when they say goodbye or press #.',
    tools: [
      tool({
        name: 'press_keys',
        description: 'Presses keys of the phone, which the other side hears',
        parameters: z.object({ digits: z.string() }),
        execute: ({ digits }) => {
          send({ type: 'dtmf', digits })
          return 'pressed'
        },
      }),
      tool({
        name: 'hang_up',
        description: 'Ends the call once all that was said is heard',
        parameters: z.object({}),
        execute: () => {
          send({ type: 'hangup' })
          return 'done'
        },
      }),
    ],
  })
}

/** Dialect `twilio` has mu-law. The transport asks for it only where nothing is named, and a session names its own. */
const MULAW = { format: { type: 'audio/pcmu' } } as const

async function talk(call: WebSocket, model: { apiKey: string; url?: string }): Promise<void> {
  const transport = new TwilioRealtimeTransportLayer({ twilioWebSocket: call })
  const session = new RealtimeSession(agentFor(call), {
    transport,
    model: OPENAI_MODEL,
    config: { audio: { input: MULAW, output: MULAW } },
  })
  session.on('error', ({ error }) => say(`fault ${JSON.stringify(error)}`))
  session.on('audio_interrupted', () => say('the bot is interrupted'))
  // A socket that ends so is dialled again, and the model with it.
  transport.on('disconnected', () => call.close(1011))
  transport.on('*', (event) => {
    if (event.type !== 'twilio_message') return
    const { event: name, start, dtmf } = event['message']
    if (name === 'start') say(`call ${start.callSid}`)
    if (name !== 'dtmf') return
    session.interrupt()
    session.sendMessage(`The caller pressed ${dtmf.digit}.`)
  })
  await session.connect(model)
  transport.requestResponse()
}

const model = await findModel()
const server = new WebSocketServer({
  host: '127.0.0.1',
  port: Number(PORT),
  // The service shows the token that `connectTo` was given; whoever shows none is not let in.
  verifyClient: ({ req }: { req: IncomingMessage }) =>
    BOT_TOKEN === '' || req.headers.authorization === `Bearer ${BOT_TOKEN}`,
})
server.on('connection', (call) => {
  call.on('close', () => say('the call is over'))
  talk(call, model).catch((error: unknown) => {
    say(`the model is not there: ${String(error)}`)
    call.close(1011)
  })
})
await once(server, 'listening')
say(`Listens on ws://127.0.0.1:${(server.address() as AddressInfo).port}/`)
