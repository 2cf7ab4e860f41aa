import { useRef, useState } from 'preact/hooks'
import type { TemplateBody } from '../../../../src/domain/template.ts'
import { Asked, useAsked } from '../../ground/asked.tsx'
import { TextField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import type { TemplateProps } from './props.ts'
import { SendForm } from './send-form.tsx'
import { ShownMessage } from './shown-message.tsx'
import { typedIn, valueField } from './values.ts'
import type { Values } from './values.ts'
import './template.css'

/** The template as a phone shows it, filled with its examples and then with what is typed; as such it can be sent. */
export function Preview({ words, template, number }: TemplateProps) {
  const { api, can } = useApp()
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
  const isSent = template.sendable && can('chat:send')
  return (
    <section class="card" aria-labelledby="preview">
      <h2 id="preview">{preview.heading}</h2>
      {template.variables.length > 0 && <p class="muted">{preview.text}</p>}
      <div class="template-preview">
        <Asked of={filled} codes={words.codes}>
          {(answer) => <ShownMessage words={preview} body={answer.preview} />}
        </Asked>
        {isSent ? (
          <SendForm words={words} template={template} number={number} fill={fill}>
            <ValueFields template={template} />
          </SendForm>
        ) : (
          template.variables.length > 0 && <ShowForm words={words} template={template} number={number} fill={fill} />
        )}
      </div>
    </section>
  )
}

interface FillProps extends TemplateProps {
  fill(values: Values): void
}

function ShowForm({ words, template, fill }: FillProps) {
  const form = useRef<HTMLFormElement>(null)
  function show(event: SubmitEvent): void {
    event.preventDefault()
    if (form.current !== null) fill(typedIn(new FormData(form.current)))
  }
  return (
    <form ref={form} class="form" data-form="preview" onSubmit={show}>
      <ValueFields template={template} />
      <div class="actions">
        <button type="submit" class="button quiet" data-action="show">
          {words.preview.show}
        </button>
      </div>
    </form>
  )
}

/** A field for each variable; those that are left empty keep their example. */
function ValueFields({ template: { variables, examples } }: Pick<TemplateProps, 'template'>) {
  return (
    <>
      {variables.map((key) => (
        <TextField key={key} label={key} name={valueField(key)} placeholder={String(examples[key] ?? '')} />
      ))}
    </>
  )
}
