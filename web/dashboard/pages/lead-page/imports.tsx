import { useEffect } from 'preact/hooks'
import { FaultLine, useAsked } from '../../ground/asked.tsx'
import type { AskedState } from '../../ground/asked.tsx'
import { Form, TextField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import type { Backfill, LeadForm } from '../lead-pages/linked-page.ts'
import { ImportState } from './import-state.tsx'
import { routeOf } from './props.ts'
import type { LeadPageProps } from './props.ts'

/** Our choice, in ms: how often a running import is read, and how soon again after a request that failed. */
const FOLLOW_MS = 1_000
const LATER_MS = 5_000

interface ImportsProps extends LeadPageProps {
  readonly form: LeadForm
}

/** The import of a form's earlier leads: how the newest one goes, and the form that starts another. */
export function Imports({ words, page, form }: ImportsProps) {
  const { api, say } = useApp()
  const path = `${routeOf(page.pageId)}/forms/${encodeURIComponent(form.formId)}/backfill`
  const newest = useAsked((signal) => api.get<Backfill>(path, { signal }), [path])
  useFollowed(newest)
  const { imports, list } = words
  const codes = { ...list.codes, ...imports.codes }
  const isNone = newest.fault?.code === 'BACKFILL_NOT_FOUND'
  return (
    <section class="part" aria-labelledby="imports">
      <h3 id="imports">{imports.heading}</h3>
      <p class="muted">{imports.text}</p>
      {newest.fault !== null && !isNone && <FaultLine fault={newest.fault} codes={codes} again={newest.again} />}
      {newest.body !== null && <ImportState words={words} page={page} form={form} newest={newest.body} />}
      <Form<Backfill>
        name="backfill"
        submit={imports.start}
        action="create"
        codes={codes}
        isDisabled={newest.body?.status === 'RUNNING'}
        send={async (fields) => {
          const answer = await api.post<Backfill>(path, rangeOf(fields))
          if (answer.fault?.code === 'BACKFILL_RUNNING') newest.again()
          return answer
        }}
        done={() => {
          newest.again()
          say(imports.started)
        }}
      >
        <TextField type="date" label={imports.since} name="since" hint={imports.sinceHint} />
        <TextField type="date" label={imports.until} name="until" hint={imports.untilHint} />
      </Form>
    </section>
  )
}

/** Reads an import again and again while it runs; no event tells of its progress. */
function useFollowed({ body, fault, again }: AskedState<Backfill>): void {
  const { clock } = useApp()
  useEffect(() => {
    if (body?.status !== 'RUNNING') return
    const next = clock.after(fault === null ? FOLLOW_MS : LATER_MS, again)
    return () => next.cancel()
  }, [body, fault])
}

/** The dates that were chosen; the service has its own for those that were not ([leads.routes.10]). */
function rangeOf(fields: FormData): object {
  const dates = (['since', 'until'] as const).map((name) => [name, String(fields.get(name) ?? '')] as const)
  return Object.fromEntries(dates.filter(([, date]) => date !== ''))
}
