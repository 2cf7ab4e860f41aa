import { signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import type { Message } from '../model/message.ts'

/** What was begun in a conversation and not sent yet. */
export interface Draft {
  readonly text: Signal<string>
  readonly reply: Signal<Message | null>
  /** A file that waits for its caption. */
  readonly file: Signal<File | null>
  readonly caption: Signal<string>
}

/** Drafts by conversation: they outlast switching, the end of the session and a new token, and go with the page. */
export class Drafts {
  readonly #drafts = new Map<string, Draft>()

  of(conversationId: string): Draft {
    const known = this.#drafts.get(conversationId)
    if (known) return known
    const draft: Draft = { text: signal(''), reply: signal(null), file: signal(null), caption: signal('') }
    this.#drafts.set(conversationId, draft)
    return draft
  }
}
