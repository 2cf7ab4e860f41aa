import type { Answer } from '../../../ui/session/answers.ts'
import type { Api } from '../../api/client.ts'
import { FaultLine, useAsked } from '../../ground/asked.tsx'
import { List } from '../../ground/list.tsx'
import { Badge } from '../../ground/shown.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useSettled } from '../../ground/use-settled.ts'
import { useApp } from '../../shell/app.ts'
import { failuresOf, SETTLED_MS } from '../hooks/webhook.ts'
import type { FailingOverview, Webhook } from '../hooks/webhook.ts'
import type { ShownNumber } from '../pairing/number-facts.tsx'
import { isOfTemplates } from '../templates/template.ts'
import { concernsOfNumber, concernsOfTemplates, concernsOfWebhooks, oneOfEachAccount, worstFirst } from './attention.ts'
import type { Concern, StoppedTemplates } from './attention.ts'
import type { UsageWords } from './usage-words.ts'

interface NeedsProps {
  readonly words: UsageWords
  readonly numbers: readonly ShownNumber[]
}

/** What needs attention now, each with the way to where it is dealt with. It follows the live news. */
export function NeedsAttention({ words: { attention: words }, numbers }: NeedsProps) {
  const { api, can, words: ground } = useApp()
  const seesHooks = can('webhooks:read')
  const accounts = can('templates:read') ? oneOfEachAccount(numbers) : []
  const overview = useAsked((signal) => api.get<FailingOverview>('/api/overview', { signal }), [])
  const webhooks = useAsked<readonly Webhook[]>(
    async (signal) => (seesHooks ? await api.get('/api/v1/webhooks', { signal }) : { body: [] }),
    [seesHooks],
  )
  const templates = useAsked((signal) => stoppedTemplates(api, accounts, signal), [accounts.join(' ')])
  const refreshHooks = useSettled(() => {
    overview.again()
    webhooks.again()
  }, SETTLED_MS)
  const refreshTemplates = useSettled(templates.again, SETTLED_MS)
  useLive({
    event(frame) {
      refreshHooks()
      if (isOfTemplates(frame)) refreshTemplates()
    },
  })
  const all = [overview, webhooks, templates]
  const failed = all.filter(({ fault }) => fault !== null)
  const isWhole = all.every(({ body }) => body !== null)
  const concerns = worstFirst([
    ...numbers.flatMap((number) => concernsOfNumber(number, words)),
    ...concernsOfWebhooks(failuresOf(overview.body), webhooks.body ?? [], words),
    ...concernsOfTemplates(templates.body ?? [], numbers, words),
  ])
  return (
    <section class="part" aria-labelledby="attention" data-attention>
      <h2 id="attention">{words.heading}</h2>
      {failed.map(({ fault, again }, at) => fault !== null && <FaultLine key={at} fault={fault} again={again} />)}
      {concerns.length > 0 && <Concerns words={words} concerns={concerns} seesHooks={seesHooks} />}
      {!isWhole && failed.length === 0 && (
        <p class="muted" role="status" aria-busy="true">
          {ground.loading}
        </p>
      )}
      {isWhole && concerns.length === 0 && <p class="muted">{words.none}</p>}
    </section>
  )
}

interface ConcernsProps {
  readonly words: UsageWords['attention']
  readonly concerns: readonly Concern[]
  readonly seesHooks: boolean
}

function Concerns({ words, concerns, seesHooks }: ConcernsProps) {
  return (
    <List
      label={words.heading}
      items={concerns}
      columns={[words.what, words.why]}
      hooksOf={({ id }) => ({ id })}
      row={({ tone, name, text, path }) => [
        <div key="what" class="usage-concern">
          {!seesHooks && path.startsWith('/dashboard/webhooks/') ? (
            <bdi>{name}</bdi>
          ) : (
            <a class="link" href={path}>
              <bdi>{name}</bdi>
            </a>
          )}
        </div>,
        <div key="why" class="usage-concern">
          <Badge tone={tone} text={text} />
        </div>,
      ]}
    />
  )
}

/** Counts the templates of each account that are rejected, or paused and disabled. */
async function stoppedTemplates(
  api: Api,
  numbers: readonly string[],
  signal: AbortSignal,
): Promise<Answer<readonly StoppedTemplates[]>> {
  const asks = numbers.flatMap((number) => (['REJECTED', 'DISABLED'] as const).map((status) => ({ number, status })))
  const answers = await Promise.all(
    asks.map(({ number, status }) =>
      api.get<{ readonly total: number }>('/api/v1/templates', {
        number,
        query: { officialStatus: status, page: 1, pageSize: 1 },
        signal,
      }),
    ),
  )
  const stopped: StoppedTemplates[] = []
  for (const [at, ask] of asks.entries()) {
    const answer = answers[at]
    if (answer?.fault) return { fault: answer.fault }
    stopped.push({ ...ask, count: answer?.body.total ?? 0 })
  }
  return { body: stopped }
}
