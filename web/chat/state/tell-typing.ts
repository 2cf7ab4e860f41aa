import { effect } from '@preact/signals'
import type { Draft } from './drafts.ts'
import type { Inbox } from './inbox.ts'
import { TypingTeller } from './typing-teller.ts'

/** Of each draft that was written in. A page has one draft of a conversation. */
const tellers = new WeakMap<Draft, TypingTeller>()

/**
 * Shows the person of a conversation that the user writes to them, where its number can ([inbox.features.21]). Nothing
 * waits for an answer, and nobody is told of a failure.
 */
export function tellTyping(inbox: Inbox, conversationId: string, draft: Draft): void {
  const numberId = inbox.conversations.find(conversationId)?.numberId
  const number = inbox.session.value?.numbers.find(({ id }) => id === numberId)
  // A sent text that is changed is no message that is about to come.
  if (!number?.can?.typing || number.state !== 'OPEN' || draft.text.value === '' || draft.editing.value) return
  const teller = tellers.get(draft) ?? tellerOf(inbox, conversationId, draft)
  teller.wrote(performance.now())
}

function tellerOf({ open, requests: { client } }: Inbox, conversationId: string, draft: Draft): TypingTeller {
  const path = `/conversations/${encodeURIComponent(conversationId)}/typing`
  const teller = new TypingTeller((state) => void client.post(path, { state }).catch(() => {}))
  tellers.set(draft, teller)
  effect(() => {
    if (draft.text.value === '' || open.value?.conversationId !== conversationId) teller.ended()
  })
  return teller
}
