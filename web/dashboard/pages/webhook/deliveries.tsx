import { useState } from 'preact/hooks'
import type { Fault } from '../../../ui/session/answers.ts'
import { Empty, FaultLine } from '../../ground/asked.tsx'
import { SelectField } from '../../ground/form.tsx'
import { List } from '../../ground/list.tsx'
import { Badge, Named, Time } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import { LogDetail } from './log-detail.tsx'
import type { LogItem } from './log-item.ts'
import type { PartProps, WebhookWords } from './props.ts'
import type { Log } from './use-log.ts'

interface DeliveriesProps extends PartProps {
  readonly log: Log
  /** The status that is asked for; null for all. */
  readonly status: string | null
}

/** The log of a webhook: every attempt, with what was sent and answered, and the way to send it again. */
export function Deliveries({ words, webhook, log, status }: DeliveriesProps) {
  const { api, can, say } = useApp()
  const [shown, show] = useState<LogItem | null>(null)
  const [fault, fail] = useState<Fault | null>(null)
  async function redeliver({ id }: LogItem): Promise<Fault | null> {
    const path = `/api/v1/webhooks/${encodeURIComponent(webhook.id)}/logs/${encodeURIComponent(id)}/redeliver`
    const answer = await api.post(path)
    if (answer.fault) return answer.fault
    say(words.log.queued)
    log.awaitNews()
    return null
  }
  const again = can('webhooks:manage') ? redeliver : null
  return (
    <section class="card" aria-labelledby="log">
      <h2 id="log">{words.log.heading}</h2>
      <p class="muted">{words.log.text}</p>
      <Filters words={words} status={status} read={log.again} />
      {fault !== null && <FaultLine fault={fault} codes={words.hooks.codes} />}
      {log.fault !== null && <FaultLine fault={log.fault} codes={words.hooks.codes} again={log.again} />}
      <Attempts
        words={words}
        log={log}
        isFiltered={status !== null}
        show={show}
        redeliver={again && ((item) => void again(item).then(fail))}
      />
      {shown !== null && (
        <LogDetail words={words} webhook={webhook} item={shown} redeliver={again} close={() => show(null)} />
      )}
    </section>
  )
}

interface FiltersProps {
  readonly words: WebhookWords
  readonly status: string | null
  read(): void
}

function Filters({ words: { log }, status, read }: FiltersProps) {
  const { router } = useApp()
  return (
    <div class="filters">
      <SelectField
        label={log.status}
        name="status"
        value={status ?? ''}
        options={[
          { value: '', label: log.any },
          { value: 'FAILED', label: log.statuses.FAILED },
          { value: 'SUCCESS', label: log.statuses.SUCCESS },
        ]}
        change={(value) => router.ask({ status: value === '' ? null : value })}
      />
      <button type="button" class="button quiet" data-action="read" onClick={read}>
        {log.again}
      </button>
    </div>
  )
}

interface AttemptsProps {
  readonly words: WebhookWords
  readonly log: Log
  readonly isFiltered: boolean
  show(item: LogItem): void
  /** Null when the role may not. */
  readonly redeliver: ((item: LogItem) => void) | null
}

function Attempts({ words: { log: words }, log, isFiltered, show, redeliver }: AttemptsProps) {
  const { words: shared } = useApp()
  if (log.items === null)
    return log.fault !== null ? null : (
      <div class="bone" aria-busy="true" role="status">
        <span class="unseen">{shared.loading}</span>
      </div>
    )
  if (log.items.length === 0) return <Empty text={isFiltered ? words.noneSuch : words.none} />
  const { event, status, code, duration, attempt, at, act } = words.columns
  return (
    <List
      label={words.heading}
      items={log.items}
      columns={[event, status, code, duration, attempt, at, ...(redeliver === null ? [] : [act])]}
      {...(log.hasMore ? { more: log.more } : {})}
      isLoadingMore={log.isLoadingMore}
      hooksOf={(item) => ({ id: item.id, log: item.id, status: item.status })}
      row={(item) => [
        <button type="button" class="as-link" title={words.show(item.event)} onClick={() => show(item)}>
          <bdi>{item.event}</bdi>
        </button>,
        <span>
          <Badge tone={item.status === 'SUCCESS' ? 'good' : 'bad'} text={words.statuses[item.status]} />
        </span>,
        <Named name={code}>{item.statusCode === 0 ? words.noCode : item.statusCode}</Named>,
        <span>{item.durationMs} ms</span>,
        <Named name={attempt}>{item.attempt}</Named>,
        <Time at={item.createdAt} />,
        ...(redeliver === null
          ? []
          : [<Again label={words.redeliver} name={words.redeliverOf(item.event)} act={() => redeliver(item)} />]),
      ]}
    />
  )
}

interface AgainProps {
  readonly label: string
  /** What it does, for screen readers: rows have the same label. */
  readonly name: string
  act(): void
}

function Again({ label, name, act }: AgainProps) {
  return (
    <span>
      <button type="button" class="button quiet small" data-action="redeliver" aria-label={name} onClick={act}>
        {label}
      </button>
    </span>
  )
}
