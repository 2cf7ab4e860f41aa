import { Badge, CopyText, NumberName, Time } from '../../ground/shown.tsx'
import type { ListedNumber } from '../../ground/numbers.ts'
import { STATUS_TONES } from '../hooks/webhook.ts'
import type { WebhookStatus } from '../hooks/webhook.ts'
import type { PartProps } from './props.ts'

interface FactsProps extends PartProps {
  readonly status: WebhookStatus | undefined
  readonly number: ListedNumber | null
}

/** What a webhook is: where it sends, of which number, and what. */
export function Facts({ words, webhook, status, number }: FactsProps) {
  const { facts, hooks } = words
  return (
    <section class="card" aria-label={facts.url}>
      {status !== undefined && (
        <p>
          <Badge tone={STATUS_TONES[status]} text={hooks.states[status]} />
        </p>
      )}
      <dl class="facts">
        <dt>{facts.url}</dt>
        <dd>
          <CopyText text={webhook.url} />
        </dd>
        <dt>{facts.number}</dt>
        <dd>
          <NumberOf number={number} id={webhook.channelNumberIds[0] ?? ''} />
        </dd>
        <dt>{facts.events}</dt>
        <dd>{webhook.events.length === 0 ? words.noEvents : <code dir="ltr">{webhook.events.join(', ')}</code>}</dd>
        <dt>{facts.last}</dt>
        <dd>
          <Time at={webhook.lastTriggered} />
        </dd>
        <dt>{facts.created}</dt>
        <dd>
          <Time at={webhook.createdAt} />
        </dd>
        <dt>{facts.id}</dt>
        <dd>
          <CopyText text={webhook.id} />
        </dd>
      </dl>
    </section>
  )
}

function NumberOf({ number, id }: { readonly number: ListedNumber | null; readonly id: string }) {
  if (number === null) return <code dir="ltr">{id}</code>
  return (
    <a class="link" href={`/dashboard/numbers/${number.id}`}>
      <NumberName name={number.name} number={number.number} />
    </a>
  )
}
