import type { ProviderKind } from '../../../../src/domain/number.ts'
import { Form, TextField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import { EventPicker } from '../hooks/event-picker.tsx'
import type { Webhook } from '../hooks/webhook.ts'
import type { PartProps } from './props.ts'

interface SettingsProps extends PartProps {
  readonly provider: ProviderKind
  saved(now: Webhook): void
}

/** Name, address and events of a webhook, to change. */
export function Settings({ words, webhook, provider, saved }: SettingsProps) {
  const { api, say, words: shared } = useApp()
  const { form, codes } = words.hooks
  function send(fields: FormData) {
    const name = String(fields.get('name') ?? '').trim()
    return api.patch<Webhook>(`/api/v1/webhooks/${encodeURIComponent(webhook.id)}`, {
      name: name === '' ? null : name,
      url: String(fields.get('url') ?? '').trim(),
      events: fields.getAll('events').map(String),
    })
  }
  function done(now: Webhook): void {
    saved(now)
    say(words.saved)
  }
  return (
    <details class="card">
      <summary>{words.settings}</summary>
      <Form<Webhook> name="webhook" submit={shared.save} codes={codes} send={send} done={done}>
        <TextField label={form.url} name="url" type="url" hint={form.urlHint} value={webhook.url} isRequired />
        <TextField label={form.name} name="name" hint={form.nameHint} value={webhook.name ?? ''} maxLength={120} />
        <EventPicker words={words.hooks} provider={provider} chosen={webhook.events} />
      </Form>
    </details>
  )
}
