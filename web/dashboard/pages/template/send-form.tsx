import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { MEDIA_HEADERS } from '../../../../src/domain/template.ts'
import type { Answer } from '../../../ui/session/answers.ts'
import { Form, TextField } from '../../ground/form.tsx'
import { useOnce } from '../../ground/use-once.ts'
import { useApp } from '../../shell/app.ts'
import type { TemplateProps } from './props.ts'
import { Sent } from './sent.tsx'
import { atItsFields, typedIn } from './values.ts'
import type { Values } from './values.ts'

interface SendFormProps extends TemplateProps {
  /** Shows the template with values. */
  fill(values: Values): void
  /** The fields of the variables. */
  readonly children: ComponentChildren
}

/** The answer to a send ([messages.send.6]). */
interface Accepted {
  readonly id: string
}

/** Sends the template to somebody, with the values that it is shown with. */
export function SendForm({ words, template, number, fill, children }: SendFormProps) {
  const { api } = useApp()
  const [sent, tell] = useState<string | null>(null)
  const form = useRef<HTMLDivElement>(null)
  const once = useOnce()
  const { send } = words
  const hasFile = MEDIA_HEADERS.some((type) => type === template.body.header.type)
  async function post(fields: FormData): Promise<Answer<Accepted>> {
    const values = typedIn(fields)
    fill(values)
    const media = String(fields.get('media') ?? '')
    const body = {
      destinationNumber: String(fields.get('destinationNumber')),
      templateId: template.id,
      variables: { ...template.examples, ...values },
      ...(media === '' ? {} : { media }),
    }
    const answer = await once(JSON.stringify(body), (key) =>
      api.post<Accepted>('/api/v1/messages/send', body, { number, key }),
    )
    return answer.fault ? { fault: atItsFields(answer.fault, words) } : answer
  }
  function show(): void {
    const own = form.current?.querySelector('form')
    if (own) fill(typedIn(new FormData(own)))
  }
  return (
    <div ref={form} class="part">
      <Form<Accepted>
        name="message"
        submit={send.action}
        action="send"
        codes={send.codes}
        send={post}
        done={({ id }) => tell(id)}
        more={
          template.variables.length > 0 && (
            <button type="button" class="button quiet" data-action="show" onClick={show}>
              {words.preview.show}
            </button>
          )
        }
      >
        {children}
        {hasFile && <TextField label={send.media} name="media" type="url" hint={send.mediaHint} />}
        <TextField label={send.to} name="destinationNumber" type="tel" hint={send.toHint} isRequired />
        <p class="hint">{send.text}</p>
      </Form>
      {sent !== null && <Sent key={sent} words={words} id={sent} number={number} />}
    </div>
  )
}
