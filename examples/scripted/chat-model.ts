/**
 * A model server that follows a script, where no key of a real one is set: as much of the OpenAI Chat Completions
 * protocol as an agent with tools needs. It asks whom it is told to ask, looks for an answer until there is one, and
 * says it.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { nextStep, type ChatMessage, type Step } from './chat-script.ts'

export interface ScriptedChat {
  /** The address that takes the place of https://api.openai.com/v1. */
  readonly url: string
  close(): void
}

/** Listens on loopback, on a free port. */
export async function startScriptedChat(): Promise<ScriptedChat> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end()
  const { messages, model } = (await json(request)) as { messages: readonly ChatMessage[]; model: string }
  const body = completionOf(nextStep(messages), model, messages.length)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** The step as a completion of that protocol. `count` tells its ids from those of others in the conversation. */
function completionOf(step: Step, model: string, count: number): object {
  const message =
    'says' in step
      ? { role: 'assistant', content: step.says }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: `call_${count}`,
              type: 'function',
              function: { name: step.calls, arguments: JSON.stringify(step.arguments) },
            },
          ],
        }
  return {
    id: `chatcmpl-${count}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1_000),
    model,
    choices: [{ index: 0, message, finish_reason: 'says' in step ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  }
}
