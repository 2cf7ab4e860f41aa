import { Asked, useAsked } from '../../ground/asked.tsx'
import type { AskedState } from '../../ground/asked.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { numberIn, useNumbers } from '../../ground/numbers.ts'
import type { ListedNumber } from '../../ground/numbers.ts'
import { failuresOf, statusOf } from '../hooks/webhook.ts'
import type { FailingOverview, Webhook } from '../hooks/webhook.ts'
import { Deliveries } from './deliveries.tsx'
import { Facts } from './facts.tsx'
import type { WebhookWords } from './props.ts'
import { RedeliverFailed } from './redeliver-failed.tsx'
import { Removal, RotateSecret } from './secret-and-end.tsx'
import { Settings } from './settings.tsx'
import { Standing } from './standing.tsx'
import { SendTest } from './test-event.tsx'
import { useLog } from './use-log.ts'

/** A webhook: how it stands, what can be done with it, and each of its deliveries. */
export function Page({ words, id, query }: PageProps<WebhookWords>) {
  const { api } = useApp()
  const path = `/api/v1/webhooks/${encodeURIComponent(id)}`
  const webhook = useAsked((signal) => api.get<Webhook>(path, { signal }), [path])
  const overview = useAsked((signal) => api.get<FailingOverview>('/api/overview', { signal }), [])
  const numbers = useNumbers()
  const log = useLog(id, query.get('status'), () => {
    webhook.again()
    overview.again()
  })
  const body = webhook.body
  useLive({
    event(frame) {
      if (body !== null && body.channelNumberIds.includes(frame.channelNumberId ?? '')) log.awaitNews()
    },
  })
  const failed = failuresOf(overview.body).get(id)
  const status = body === null ? undefined : statusOf(body, failed !== undefined)
  const number = numberIn(numbers.body, body?.channelNumberIds[0])
  return (
    <PageFrame
      name="webhook"
      id={id}
      status={status}
      heading={body === null ? words.loading : (body.name ?? words.hooks.unnamed)}
      above={{ path: '/dashboard/webhooks', label: words.webhooks }}
    >
      <Asked of={webhook} codes={words.hooks.codes}>
        {(one) => (
          <>
            <Standing words={words} webhook={one} failed={failed ?? null} change={webhook.change} />
            <Facts words={words} webhook={one} status={status} number={number} />
            <SendTest words={words} webhook={one} done={log.awaitNews} />
            <Deliveries words={words} webhook={one} log={log} status={query.get('status')} />
            <Managed words={words} webhook={webhook} one={one} number={number} awaitNews={log.awaitNews} />
          </>
        )}
      </Asked>
    </PageFrame>
  )
}

interface ManagedProps {
  readonly words: WebhookWords
  readonly webhook: AskedState<Webhook>
  readonly one: Webhook
  readonly number: ListedNumber | null
  awaitNews(): void
}

/** What only those see who may change webhooks. */
function Managed({ words, webhook, one, number, awaitNews }: ManagedProps) {
  const { can } = useApp()
  if (!can('webhooks:manage')) return null
  return (
    <>
      <RedeliverFailed words={words} webhook={one} done={awaitNews} />
      {number !== null && (
        <Settings words={words} webhook={one} provider={number.provider} saved={(now) => webhook.change(() => now)} />
      )}
      <RotateSecret words={words} webhook={one} />
      <Removal words={words} webhook={one} />
    </>
  )
}
