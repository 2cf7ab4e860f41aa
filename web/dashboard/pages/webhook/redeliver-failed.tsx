import { useState } from 'preact/hooks'
import type { Answer, Fault } from '../../../ui/session/answers.ts'
import { FaultLine } from '../../ground/asked.tsx'
import { SelectField, TextField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import type { PartProps } from './props.ts'

const HOUR_MS = 3_600_000
/** How far back each range reaches, in ms; `own` is between two times. */
const RANGES = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS } as const

type Range = keyof typeof RANGES | 'own'

interface Queued {
  readonly queued: number
}

/** Sends every event again that failed last in a range ([dashboard.webhooks.2]). */
export function RedeliverFailed({ words, webhook, done }: PartProps & { done(): void }) {
  const { api, say } = useApp()
  const [range, choose] = useState<Range>('day')
  const [isBusy, busy] = useState(false)
  const [fault, fail] = useState<Fault | null>(null)
  const { failed } = words
  async function redeliver(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    const body = rangeOf(range, new FormData(event.currentTarget as HTMLFormElement))
    busy(true)
    const answer: Answer<Queued> = await api.post(`/api/v1/webhooks/${encodeURIComponent(webhook.id)}/redeliver`, body)
    busy(false)
    fail(answer.fault ?? null)
    if (answer.fault) return
    say(failed.queued(answer.body.queued))
    if (answer.body.queued > 0) done()
  }
  const options = (['hour', 'day', 'week', 'month', 'own'] as const).map((value) => ({
    value,
    label: failed.ranges[value],
  }))
  return (
    <section class="card" aria-labelledby="failed">
      <h2 id="failed">{failed.heading}</h2>
      <p class="muted">{failed.text}</p>
      <form class="form" onSubmit={(event) => void redeliver(event)}>
        <div class="filters">
          <SelectField
            label={failed.range}
            name="range"
            options={options}
            value={range}
            change={(value) => choose(value as Range)}
          />
          {range === 'own' && (
            <>
              <TextField label={failed.since} name="since" type="datetime-local" isRequired />
              <TextField label={failed.until} name="until" type="datetime-local" hint={failed.untilHint} />
            </>
          )}
        </div>
        {fault !== null && <FaultLine fault={fault} codes={words.hooks.codes} />}
        <div class="actions">
          <button type="submit" class="button quiet" data-action="redeliver-failed" disabled={isBusy}>
            {failed.action}
          </button>
        </div>
      </form>
    </section>
  )
}

/** The body of the request; times of the fields are those of the person's zone. */
function rangeOf(range: Range, fields: FormData): { readonly since: string; readonly until?: string } {
  if (range !== 'own') return { since: new Date(Date.now() - RANGES[range]).toISOString() }
  const [since, until] = ['since', 'until'].map((name) => String(fields.get(name) ?? ''))
  return { since: instantOf(since), ...(until === '' ? {} : { until: instantOf(until) }) }
}

function instantOf(local = ''): string {
  return new Date(local).toISOString()
}
