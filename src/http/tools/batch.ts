import { Turns } from '../../domain/turns.ts'
import type { AgentTools } from './agent-tools.ts'

/** contract 15: messages of a batch, each counted as a request. */
export const MOST_BATCHED = 10
/**
 * Our choice: what the answers of a batch may come to before the rest of it is refused; the list of all tools has 140
 * KB.
 */
export const MOST_BATCH_BYTES = 1_000_000

/** Messages that a body holds: one, or those of a batch. */
export function messagesIn(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : [json]
}

/**
 * The tools as one batch uses them: one after another, and none any more once their answers came to MOST_BATCH_BYTES.
 * `refuse` makes what is thrown then: nothing of such a message was done.
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
