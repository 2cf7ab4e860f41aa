import { useEffect, useRef, useState } from 'preact/hooks'
import { Asked, Empty } from '../../ground/asked.tsx'
import type { AskedState } from '../../ground/asked.tsx'
import { Form, SelectField, TextField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import { EventPicker } from '../hooks/event-picker.tsx'
import { numberIn } from '../../ground/numbers.ts'
import type { ListedNumber } from '../../ground/numbers.ts'
import type { Webhook } from '../hooks/webhook.ts'
import type { WebhooksWords } from './props.ts'

/** The answer to a creation, the one that has the secret. */
export interface CreatedWebhook extends Webhook {
  readonly secret: string
}

interface CreateProps {
  readonly words: WebhooksWords
  readonly numbers: AskedState<readonly ListedNumber[]>
  close(): void
  done(created: CreatedWebhook): void
}

/** The form of a new webhook. */
export function CreateWebhook({ words, numbers, close, done }: CreateProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section class="card" aria-labelledby="new-webhook">
      <h2 id="new-webhook" ref={heading} tabIndex={-1}>
        {words.add}
      </h2>
      <Asked of={numbers} codes={words.hooks.codes}>
        {(all) =>
          all[0] === undefined ? (
            <Empty text={words.noNumber}>
              <a class="link" href="/dashboard/numbers">
                {words.numbers}
              </a>
            </Empty>
          ) : (
            <Fields words={words} numbers={all} first={all[0]} close={close} done={done} />
          )
        }
      </Asked>
    </section>
  )
}

interface FieldsProps extends Pick<CreateProps, 'words' | 'close' | 'done'> {
  readonly numbers: readonly ListedNumber[]
  readonly first: ListedNumber
}

function Fields({ words, numbers, first, close, done }: FieldsProps) {
  const { api, words: shared } = useApp()
  const [numberId, choose] = useState(first.id)
  const { form, codes } = words.hooks
  const { provider } = numberIn(numbers, numberId) ?? first
  const cancel = (
    <button type="button" class="button quiet" data-action="cancel" onClick={close}>
      {shared.cancel}
    </button>
  )
  return (
    <Form<CreatedWebhook>
      name="webhook"
      submit={words.create}
      action="create"
      codes={codes}
      more={cancel}
      done={done}
      send={(fields) => api.post('/api/v1/webhooks', { ...bodyOf(fields), channelNumberId: numberId })}
    >
      <SelectField
        label={form.number}
        name="channelNumberId"
        hint={form.numberHint}
        value={numberId}
        options={numbers.map(({ id, name, number }) => ({ value: id, label: `${name} (+${number})` }))}
        change={choose}
      />
      <TextField label={form.url} name="url" type="url" hint={form.urlHint} isRequired placeholder="https://" />
      <TextField label={form.name} name="name" hint={form.nameHint} maxLength={120} />
      <EventPicker words={words.hooks} provider={provider} chosen={[]} />
    </Form>
  )
}

/** The fields as the API wants them; a webhook without a name has none. */
function bodyOf(fields: FormData) {
  const name = String(fields.get('name') ?? '').trim()
  return {
    url: String(fields.get('url') ?? '').trim(),
    ...(name === '' ? {} : { name }),
    events: fields.getAll('events').map(String),
  }
}
