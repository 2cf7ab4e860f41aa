import type { MoreWords } from '../../../words/chat-more-words.ts'
import type { Draft } from '../../api/fields.ts'

/** What the fields of a form that sends are given. */
export interface FieldsProps {
  readonly said: MoreWords
  /** The person tried to send: what is missing is told, too. */
  readonly isTried: boolean
  /** Takes what the fields say now; null while something is missing or wrong. */
  readonly onDraft: (draft: Draft | null) => void
}

interface FormFieldProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly onInput: (text: string) => void
  /** What is wrong, and what is told while nothing is; null for nothing. */
  readonly fault?: string | null
  readonly hint?: string | null
  readonly inputMode?: 'decimal' | 'tel' | 'url'
}

/** A labelled field of a form that sends, with what is wrong with it below. */
export function FormField({ name, label, value, onInput, fault = null, hint = null, inputMode }: FormFieldProps) {
  const id = `send-${name}`
  const told = fault ?? hint
  return (
    <div class="template-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        dir="auto"
        autocomplete="off"
        data-field={name}
        value={value}
        aria-invalid={fault !== null}
        onInput={(event) => onInput(event.currentTarget.value)}
        {...(inputMode ? { inputMode } : {})}
        {...(told === null ? {} : { 'aria-describedby': `${id}-told` })}
      />
      {told !== null && (
        <p id={`${id}-told`} class={fault === null ? 'field-note' : 'failure'} aria-live="polite">
          {told}
        </p>
      )}
    </div>
  )
}
