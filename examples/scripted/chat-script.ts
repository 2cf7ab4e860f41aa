/** What the scripted chat model does next. Pure: all that it knows is the conversation so far. */

export interface ChatMessage {
  readonly role: string
  readonly content?: string | readonly { readonly text?: string }[] | null
  readonly tool_calls?: readonly { readonly function: { readonly name: string } }[]
}

/** A tool that the model calls, or its last words. */
export type Step = { readonly calls: string; readonly arguments: object } | { readonly says: string }

const TASK = /ask (\+?\d+)[^:]*: (.+)/i
/** our choice: a person of the sandbox answers at once. */
const WAIT_SECONDS = 1

function textOf({ content }: ChatMessage): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('')
}

/** The JSON of a tool's answer; an empty object when it is a refusal, which is words. */
function jsonOf(message: ChatMessage): Record<string, any> {
  try {
    return JSON.parse(textOf(message))
  } catch {
    return {}
  }
}

/** The tool that the model called last, and what it answered; null before the first. */
function lastCall(messages: readonly ChatMessage[]): { readonly name: string; readonly answer: ChatMessage } | null {
  const answer = messages.findLast(({ role }) => role === 'tool')
  const name = messages.findLast(({ tool_calls: calls }) => calls?.length)?.tool_calls?.[0]?.function.name
  return answer && name !== undefined ? { name, answer } : null
}

/** The next step of a conversation whose first words of a user are "Ask 5511990000005 this: ...". */
export function nextStep(messages: readonly ChatMessage[]): Step {
  const first = messages.find(({ role }) => role === 'user')
  const [, to = '', question = ''] = TASK.exec(first ? textOf(first) : '') ?? []
  if (to === '') return { says: 'Tell me whom to ask what.' }
  const last = lastCall(messages)
  if (!last) return { calls: 'messages_send', arguments: { destinationNumber: to, text: question } }
  const sent = jsonOf(messages.find(({ role }) => role === 'tool') ?? last.answer)
  if (typeof sent['createdAt'] !== 'string') return { says: `It could not be sent: ${textOf(last.answer)}` }
  const [newest] = last.name === 'messages_history' ? (jsonOf(last.answer)['messages'] ?? []) : []
  if (newest) return { says: `${to} answered: ${newest.content}` }
  if (last.name === 'messages_history') return { calls: 'wait', arguments: { seconds: WAIT_SECONDS } }
  return { calls: 'messages_history', arguments: { peer: to, startDate: sent['createdAt'], pageSize: 1 } }
}
