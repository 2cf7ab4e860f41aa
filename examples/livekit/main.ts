/**
 * A voice bot on LiveKit Agents: a server that a call is connected to, in the service's own words (dialect `native`).
 * There is no room, and no server of LiveKit: the socket of the call stands for both. `OPENAI_API_KEY` has it speak
 * with the real model; without it a scripted one answers, on this machine.
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { initializeLogger, voice } from '@livekit/agents'
import { WebSocketServer, type WebSocket } from 'ws'
import { agentFor, findModel, sessionWith } from './agent.ts'
import { CallInput, CallOutput } from './call-audio.ts'

const { PORT = '8765', BOT_TOKEN = '' } = process.env

async function talk(call: WebSocket): Promise<void> {
  call.once('message', (start) => console.log(`call ${JSON.parse(String(start)).callId}`))
  const session = sessionWith(model)
  const output = new CallOutput(call)
  output.on(voice.AudioOutput.EVENT_PLAYBACK_FINISHED, ({ playbackPosition, interrupted }) =>
    console.log(`the caller heard ${playbackPosition.toFixed(2)} s${interrupted ? ', and interrupted' : ''}`),
  )
  session.input.audio = new CallInput(call)
  session.output.audio = output
  // What is wrong with a session by then was told already.
  call.on('close', () => session.close().catch(() => {}))
  await session.start({ agent: agentFor(call) })
  if (call.readyState !== call.OPEN) return await session.close()
  const act = (data: Buffer, isBinary: boolean) => {
    const { type, digit, by } = isBinary ? {} : JSON.parse(String(data))
    if (type === 'dtmf' || type === 'takeover') session.interrupt()
    if (type === 'dtmf') session.generateReply({ userInput: `The caller pressed ${digit}.` })
    // While a person talks with the caller, the agent does not answer what it hears.
    if (type === 'takeover') session.input.setAudioEnabled(by === 'bot')
  }
  call.on('message', act)
  session.on(voice.AgentSessionEventTypes.Close, ({ error }) => {
    call.off('message', act)
    // A socket that ends so is dialled again, and the model with it.
    if (error) call.close(1011)
  })
  session.generateReply({ instructions: 'Greet the caller.' })
}

initializeLogger({ pretty: false, level: 'error' })
const model = await findModel()
const server = new WebSocketServer({
  host: '127.0.0.1',
  port: Number(PORT),
  // The service shows the token that `connectTo` was given; whoever shows none is not let in.
  verifyClient: ({ req }: { req: IncomingMessage }) =>
    BOT_TOKEN === '' || req.headers.authorization === `Bearer ${BOT_TOKEN}`,
})
server.on('connection', (call) => {
  call.on('close', () => console.log('the call is over'))
  talk(call).catch((error: unknown) => {
    console.log(`the session ended: ${String(error)}`)
    call.close(1011)
  })
})
await once(server, 'listening')
console.log(`Listens on ws://127.0.0.1:${(server.address() as AddressInfo).port}/`)
// A model that cannot be reached has the plugin throw where nobody can catch it: LiveKit gives each session a process
// of its own. Here all calls share one, so all are dialled again.
process.on('uncaughtException', ({ message }) => {
  console.log(`all calls begin anew: ${message}`)
  for (const call of server.clients) call.close(1011)
})
