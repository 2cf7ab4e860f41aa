import { Turns } from '../../domain/turns.ts'
import type { AgentTools } from './agent-tools.ts'

/** our choice: messages of a batch, each of which counts as a request. */
export const MOST_BATCHED = 10
/**
 * our choice, in bytes: once the answers of a batch have this size, the rest of it is refused. The list of all tools
 * has 140 KB.
 */
export const MOST_BATCH_BYTES = 1_000_000

/** The messages of a body: one, or those of a batch. */
export function messagesIn(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : [json]
}

/**
 * The tools of one batch, called one after another, and no more once their answers have MOST_BATCH_BYTES. `refuse`
 * makes the error that is thrown then, before anything is done for that message.
 */
export function batchedTools(tools: AgentTools, refuse: () => Error): AgentTools {
  let bytes = 0
  const turns = new Turns()
  const check = (): void => {
    if (bytes >= MOST_BATCH_BYTES) throw refuse()
  }
  return {
    list() {
      check()
      const list = tools.list()
      bytes += list.json.length
      return list
    },
    call(name, args) {
      return turns.run(async () => {
        check()
        const result = await tools.call(name, args)
        bytes += result?.text.length ?? 0
        return result
      })
    },
  }
}
