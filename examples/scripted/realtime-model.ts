/**
 * A model server that follows a script, where no key of a real one is set: it speaks as much of the OpenAI Realtime
 * protocol over WebSockets as a voice bot needs. It greets, says back what was said, answers "The caller pressed 5." by
 * pressing that key itself, and hangs up at "#".
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { ScriptedConversation } from './realtime-conversation.ts'

export interface ScriptedModel {
  /** The address that takes the place of wss://api.openai.com/v1/realtime. */
  readonly url: string
  /** Breaks every conversation off, as a network does. */
  drop(): void
  close(): void
}

/** Listens on loopback, on a free port. `say` is told what happens, a line each. */
export async function startScriptedModel(say: (line: string) => void): Promise<ScriptedModel> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  server.on('connection', (socket) => {
    const conversation = new ScriptedConversation((event) => socket.send(JSON.stringify(event)), say)
    conversation.begin()
    socket.on('message', (text) => conversation.hear(JSON.parse(String(text))))
  })
  const drop = () => server.clients.forEach((socket) => socket.terminate())
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/realtime`,
    drop,
    close() {
      drop()
      server.close()
    },
  }
}
