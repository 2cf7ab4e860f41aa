import { useState } from 'preact/hooks'
import type { TemplateBody } from '../../../../src/domain/template.ts'
import { Asked, useAsked } from '../../ground/asked.tsx'
import { useApp } from '../../shell/app.ts'
import type { TemplateProps } from './props.ts'
import { ShownMessage } from './shown-message.tsx'
import './template.css'

type Values = Readonly<Record<string, string>>

/** The template as a phone shows it, filled with its examples and then with what is typed. */
export function Preview({ words, template, number }: TemplateProps) {
  const { api } = useApp()
  const [values, fill] = useState<Values>({})
  const { name, category, language, body, examples } = template
  const filled = useAsked(
    (signal) =>
      api.post<{ readonly preview: TemplateBody }>(
        '/api/v1/templates/preview',
        { name, category, language, body, examples, variables: { ...examples, ...values } },
        { number, signal },
      ),
    [template, values],
  )
  const { preview } = words
  return (
    <section class="card" aria-labelledby="preview">
      <h2 id="preview">{preview.heading}</h2>
      {template.variables.length > 0 && <p class="muted">{preview.text}</p>}
      <div class="template-preview">
        <Asked of={filled} codes={words.codes}>
          {(answer) => <ShownMessage words={preview} body={answer.preview} />}
        </Asked>
        {template.variables.length > 0 && <Fields words={words} template={template} number={number} fill={fill} />}
      </div>
    </section>
  )
}

interface FieldsProps extends TemplateProps {
  fill(values: Values): void
}

/** A field for each variable; those that are left empty keep their example. */
function Fields({ words, template, fill }: FieldsProps) {
  function show(event: SubmitEvent): void {
    event.preventDefault()
    const typed = [...new FormData(event.currentTarget as HTMLFormElement)]
    fill(
      Object.fromEntries(
        typed.flatMap(([key, value]) => (typeof value === 'string' && value !== '' ? [[key, value]] : [])),
      ),
    )
  }
  return (
    <form class="form" data-form="preview" onSubmit={show}>
      {template.variables.map((key) => (
        <div key={key} class="field">
          <label for={`value-${key}`}>
            <bdi>{key}</bdi>
          </label>
          <input
            id={`value-${key}`}
            name={key}
            type="text"
            dir="auto"
            autocomplete="off"
            placeholder={String(template.examples[key] ?? '')}
          />
        </div>
      ))}
      <div class="actions">
        <button type="submit" class="button quiet" data-action="show">
          {words.preview.show}
        </button>
      </div>
    </form>
  )
}
