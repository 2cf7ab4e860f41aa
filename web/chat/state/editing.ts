import { batch } from '@preact/signals'
import type { Signal } from '@preact/signals'
import type { Message } from '../model/message.ts'

/** What a draft has for the change of a sent text. */
export interface Editable {
  readonly text: Signal<string>
  /** The sent message whose text is being changed, and what was written before; null when a new one is written. */
  readonly editing: Signal<{ readonly message: Message; readonly before: string } | null>
}

/** Puts the text of a sent message into the field, to be changed. */
export function beginEdit({ text, editing }: Editable, message: Message): void {
  batch(() => {
    editing.value = { message, before: editing.value?.before ?? text.value }
    text.value = message.content ?? ''
  })
}

/** Goes back to what was written before. */
export function endEdit({ text, editing }: Editable): void {
  batch(() => {
    text.value = editing.value?.before ?? text.value
    editing.value = null
  })
}
