import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { missingOf, previewOf } from '../../model/template.ts'
import type { Template } from '../../model/template.ts'
import { useDrawn } from '../context.ts'
import { useSaid } from '../more-words.ts'

interface TemplateFormProps {
  readonly template: Template
  readonly onSend: (templateId: string, variables: Readonly<Record<string, string>>) => void
}

/** Fills in the variables of a template and previews the message. */
export function TemplateForm({ template, onSend }: TemplateFormProps) {
  const { inbox } = useDrawn()
  const said = useSaid()
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({})
  const missing = missingOf(template, given)
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, button')?.focus(), [])
  return (
    <form
      ref={form}
      class="template-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (missing.length === 0 && inbox.over.value === null) onSend(template.id, given)
      }}
    >
      {template.variables.map((key) => (
        <VariableField
          key={key}
          name={key}
          value={given[key] ?? ''}
          example={String(template.examples[key] ?? '')}
          onGiven={(value) => setGiven({ ...given, [key]: value })}
        />
      ))}
      <Preview template={template} given={given} />
      <p class="template-acts">
        {missing.length > 0 && <span class="aside">{said.templates.fill}</span>}
        <button
          type="submit"
          class="primary"
          data-action="send"
          disabled={missing.length > 0 || inbox.over.value !== null}
        >
          {said.templates.send}
        </button>
      </p>
    </form>
  )
}

interface VariableFieldProps {
  readonly name: string
  readonly value: string
  readonly example: string
  readonly onGiven: (value: string) => void
}

function VariableField({ name, value, example, onGiven }: VariableFieldProps) {
  return (
    <label class="template-field">
      <span>{name}</span>
      <input
        type="text"
        name={name}
        dir="auto"
        value={value}
        placeholder={example}
        onInput={(event) => onGiven(event.currentTarget.value)}
      />
    </label>
  )
}

function Preview({
  template,
  given,
}: {
  readonly template: Template
  readonly given: Readonly<Record<string, string>>
}) {
  const said = useSaid()
  const { header, body, footer, buttons } = previewOf(template, given)
  return (
    <figure class="template-preview" data-preview>
      <figcaption class="unseen">{said.templates.preview}</figcaption>
      {header.text !== undefined && (
        <p class="template-header" dir="auto">
          {header.text}
        </p>
      )}
      {body && (
        <p class="text" dir="auto">
          {body.text}
        </p>
      )}
      {footer?.text !== undefined && (
        <p class="template-footer" dir="auto">
          {footer.text}
        </p>
      )}
      {buttons.map(({ text }, at) => (
        <p key={at} class="template-button" dir="auto">
          {text}
        </p>
      ))}
    </figure>
  )
}
