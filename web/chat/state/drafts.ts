import { batch, signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import { CAPTION_CHARACTERS, hasCaption } from '../model/ceilings.ts'
import type { Message } from '../model/message.ts'
import { endEdit } from './editing.ts'
import type { Editable } from './editing.ts'

/** A message that was begun in a conversation and not sent yet. */
export interface Draft extends Editable {
  readonly reply: Signal<Message | null>
  /** Files that wait to be sent; the caption belongs to the first one that can have a caption. */
  readonly files: Signal<readonly File[]>
  readonly caption: Signal<string>
}

/** Drafts by conversation. They survive switching, the end of the session and a new token, and end with the page. */
export class Drafts {
  readonly #drafts = new Map<string, Draft>()

  of(conversationId: string): Draft {
    const known = this.#drafts.get(conversationId)
    if (known) return known
    const draft: Draft = {
      text: signal(''),
      reply: signal(null),
      editing: signal(null),
      files: signal([]),
      caption: signal(''),
    }
    this.#drafts.set(conversationId, draft)
    return draft
  }
}

/** Adds files to a draft. The text typed so far becomes the caption, unless it is too long or no file can have one. */
export function attach(draft: Draft, more: readonly File[]): void {
  const { text, files, caption } = draft
  batch(() => {
    endEdit(draft)
    files.value = [...files.value, ...more]
    const typed = text.value
    if (
      caption.value !== ''
      || typed.trim() === ''
      || [...typed].length > CAPTION_CHARACTERS
      || !files.value.some(hasCaption)
    )
      return
    caption.value = typed
    text.value = ''
  })
}

/** Removes a file from a draft. When no remaining file can have a caption, the caption becomes text again. */
export function detach({ text, files, caption }: Draft, file: File): void {
  batch(() => {
    files.value = files.value.filter((one) => one !== file)
    if (files.value.some(hasCaption) || caption.value === '') return
    text.value = text.value === '' ? caption.value : `${caption.value}\n${text.value}`
    caption.value = ''
  })
}
