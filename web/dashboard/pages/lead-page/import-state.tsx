import { Fragment } from 'preact'
import { Badge, Time } from '../../ground/shown.tsx'
import type { Tone } from '../../ground/shown.tsx'
import type { Backfill, LeadForm } from '../lead-pages/linked-page.ts'
import './import-state.css'
import type { LeadPageProps } from './props.ts'

const TONES: Readonly<Record<Backfill['status'], Tone>> = { RUNNING: 'calm', DONE: 'good', FAILED: 'bad' }
const COUNTS = ['read', 'imported', 'duplicates'] as const

interface StateProps extends LeadPageProps {
  readonly form: LeadForm
  readonly newest: Backfill
}

/** How an import goes, or what it brought. Nobody knows beforehand how many leads there are. */
export function ImportState({ words, page, form, newest }: StateProps) {
  const { imports } = words
  const leads = new URLSearchParams({ number: page.channelNumberId, formId: form.formId })
  return (
    <div class="part" data-import={newest.id} data-status={newest.status}>
      <p role="status">
        <Badge tone={TONES[newest.status]} text={imports.statuses[newest.status]} />
      </p>
      {newest.status === 'RUNNING' && <progress class="import-progress" aria-label={imports.statuses.RUNNING} />}
      {newest.waitingUntil !== null && (
        <p class="warn-text" data-waiting>
          {imports.waiting} <Time at={newest.waitingUntil} />
        </p>
      )}
      <Why words={words} newest={newest} />
      <Facts words={words} newest={newest} />
      <p>
        <a class="link" href={`/dashboard/leads?${leads}`}>
          {imports.leads}
        </a>
      </p>
    </div>
  )
}

type PartProps = Pick<StateProps, 'words' | 'newest'>

function Facts({ words: { imports }, newest }: PartProps) {
  return (
    <dl class="facts">
      {COUNTS.map((name) => (
        <Fragment key={name}>
          <dt>{imports.counts[name]}</dt>
          <dd data-count={name}>
            {newest[name]} {name === 'duplicates' && <span class="muted">{imports.passedOver}</span>}
          </dd>
        </Fragment>
      ))}
      <dt>{imports.range}</dt>
      <dd>
        <Time at={newest.since} /> – <Time at={newest.until} />
      </dd>
      {newest.finishedAt !== null && (
        <>
          <dt>{imports.finished}</dt>
          <dd>
            <Time at={newest.finishedAt} />
          </dd>
        </>
      )}
    </dl>
  )
}

/** Why an import failed, with upstream's own words. */
function Why({ words, newest: { errorCode, errorMessage } }: PartProps) {
  if (errorCode === null) return null
  const own: Readonly<Record<string, string>> = words.imports.failures
  return (
    <p data-code={errorCode}>
      {own[errorCode] ?? errorCode} {errorMessage !== null && <bdi lang="en">{errorMessage}</bdi>}
    </p>
  )
}
