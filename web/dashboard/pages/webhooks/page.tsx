import { useState } from 'preact/hooks'
import { Asked, Empty, useAsked } from '../../ground/asked.tsx'
import { List } from '../../ground/list.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { Badge, NumberName, Secret, Time } from '../../ground/shown.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useSettled } from '../../ground/use-settled.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { numberIn, useNumbers } from '../../ground/numbers.ts'
import type { ListedNumber } from '../../ground/numbers.ts'
import { failuresOf, SETTLED_MS, STATUS_TONES, statusOf } from '../hooks/webhook.ts'
import type { FailingOverview, Webhook } from '../hooks/webhook.ts'
import { CreateWebhook } from './create.tsx'
import type { CreatedWebhook } from './create.tsx'
import type { WebhooksWords } from './props.ts'

/** All webhooks of the account, those that fail marked, and the form of a new one. */
export function Page({ words }: PageProps<WebhooksWords>) {
  const { api, can } = useApp()
  const webhooks = useAsked((signal) => api.get<readonly Webhook[]>('/api/v1/webhooks', { signal }), [])
  const overview = useAsked((signal) => api.get<FailingOverview>('/api/overview', { signal }), [])
  const numbers = useNumbers()
  const [isAdding, add] = useState(false)
  const [created, show] = useState<CreatedWebhook | null>(null)
  const refresh = useSettled(() => {
    webhooks.again()
    overview.again()
  }, SETTLED_MS)
  useLive({ event: refresh, number: refresh })
  const take = (one: CreatedWebhook): void => {
    add(false)
    show(one)
    webhooks.change((now) => [...now, one])
  }
  const begin = (
    <button type="button" class="button primary" data-action="new" onClick={() => add(true)}>
      {words.add}
    </button>
  )
  return (
    <PageFrame name="webhooks" heading={words.heading} actions={can('webhooks:manage') && begin}>
      {created !== null && <Created words={words} created={created} />}
      {isAdding && <CreateWebhook words={words} numbers={numbers} close={() => add(false)} done={take} />}
      <Asked of={webhooks} codes={words.hooks.codes}>
        {(all) => <Webhooks words={words} webhooks={all} failures={failuresOf(overview.body)} numbers={numbers.body} />}
      </Asked>
    </PageFrame>
  )
}

interface WebhooksProps {
  readonly words: WebhooksWords
  readonly webhooks: readonly Webhook[]
  readonly failures: ReadonlyMap<string, number>
  readonly numbers: readonly ListedNumber[] | null
}

function Webhooks({ words, webhooks, failures, numbers }: WebhooksProps) {
  const { columns } = words
  if (webhooks.length === 0) return <Empty text={words.none} />
  return (
    <List
      label={words.heading}
      items={webhooks}
      columns={[columns.webhook, columns.number, columns.events, columns.last, columns.state]}
      hooksOf={(one) => ({ id: one.id, status: statusOf(one, failures.has(one.id)) })}
      row={(one) => {
        const failed = failures.get(one.id)
        const status = statusOf(one, failed !== undefined)
        const number = numberIn(numbers, one.channelNumberIds[0])
        return [
          <div>
            <a class="link" href={`/dashboard/webhooks/${one.id}`}>
              <bdi>{one.name ?? words.hooks.unnamed}</bdi>
            </a>
            <div class="muted" dir="ltr">
              <bdi>{one.url}</bdi>
            </div>
          </div>,
          <div>{number !== null && <NumberName name={number.name} number={number.number} />}</div>,
          <span>{one.events.includes('*') ? words.all : words.eventCount(one.events.length)}</span>,
          <Time at={one.lastTriggered} />,
          <div>
            <Badge tone={STATUS_TONES[status]} text={words.hooks.states[status]} />{' '}
            {failed !== undefined && failed > 0 && <span class="muted">{words.failed(failed)}</span>}
          </div>,
        ]
      }}
    />
  )
}

/** What is there now, with its secret for the one time that the service shows it ([webhooks.object.3]). */
function Created({ words, created }: { readonly words: WebhooksWords; readonly created: CreatedWebhook }) {
  return (
    <section class="card" aria-labelledby="created">
      <h2 id="created" dir="auto">
        {words.created(created.name ?? words.hooks.unnamed)}
      </h2>
      <Secret value={created.secret} label={words.secret} />
      <p class="muted">{words.secretText}</p>
      <p>
        <a class="link" href={`/dashboard/webhooks/${created.id}`}>
          {words.open}
        </a>
      </p>
    </section>
  )
}
