/** The bot itself, as LiveKit Agents has it: a model, and what it may do with a call besides speaking. */
import { tool, voice } from '@livekit/agents'
import { realtime } from '@livekit/agents-plugin-openai'
import type { WebSocket } from 'ws'
import { z } from 'zod'

const { OPENAI_API_KEY = '', OPENAI_MODEL = 'gpt-realtime', OPENAI_URL } = process.env

/** Where the model is, and the key that opens it. */
export interface Model {
  readonly apiKey: string
  readonly baseURL?: string
}

export async function findModel(): Promise<Model> {
  // The plugin adds the last part of the path itself.
  const baseOf = (url: string) => ({ baseURL: url.replace(/\/realtime$/, '') })
  if (OPENAI_API_KEY !== '') return { apiKey: OPENAI_API_KEY, ...(OPENAI_URL ? baseOf(OPENAI_URL) : {}) }
  const { startScriptedModel } = await import('../scripted/realtime-model.ts')
  const { url } = await startScriptedModel((line) => console.log(`model ${line}`))
  console.log('OPENAI_API_KEY is not set: a scripted model answers')
  return { apiKey: 'none', ...baseOf(url) }
}

export function sessionWith(model: Model): voice.AgentSession {
  return new voice.AgentSession({
    llm: new realtime.RealtimeModel({ ...model, model: OPENAI_MODEL }),
    // The model says when the caller speaks, so no detector runs here.
    vad: null,
    turnHandling: { turnDetection: 'realtime_llm' },
    // Else the caller is not heard in the first 3 s that the agent speaks. Phones cancel their echo themselves.
    aecWarmupDuration: null,
  })
}

export function agentFor(call: WebSocket): voice.Agent {
  const send = (message: object) => call.send(JSON.stringify(message))
  return new voice.Agent({
    instructions: 'You answer the phone. Be brief, and hang up when the caller says goodbye or presses #.',
    tools: [
      tool({
        name: 'press_keys',
        description: 'Presses keys of the phone, which the other side hears',
        parameters: z.object({ digits: z.string() }),
        execute: async ({ digits }) => send({ type: 'dtmf', digits }),
      }),
      tool({
        name: 'hang_up',
        description: 'Ends the call once all that was said is heard',
        execute: async (_, { ctx }) => {
          await ctx.waitForPlayout()
          send({ type: 'hangup' })
        },
      }),
    ],
  })
}
