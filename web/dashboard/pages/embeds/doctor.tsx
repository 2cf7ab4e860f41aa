import CircleCheck from 'lucide/dist/esm/icons/circle-check.mjs'
import CircleX from 'lucide/dist/esm/icons/circle-x.mjs'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { isAllowedOrigin } from '../../../../src/domain/embed-session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Form, SelectField, TextField } from '../../ground/form.tsx'
import { CopyText } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import { nearest } from './origins.ts'
import type { Words } from './page-words.ts'
import { missingLines } from './policy.ts'
import type { PolicyLine } from './policy.ts'
import type { EmbedSession, Sdk } from './service.ts'

/** What `diagnose` answers ([embeds.diagnose.1]). */
interface Diagnosis {
  readonly ok: boolean
  readonly reason: 'ORIGIN_NOT_ALLOWED' | 'SESSION_NOT_LIVE' | null
}

interface Finding {
  readonly origin: string
  readonly isOrigin: boolean
  readonly diagnosis: Diagnosis
  readonly missing: readonly PolicyLine[]
}

interface DoctorProps {
  readonly words: Words
  readonly sdk: Sdk
  readonly sessions: readonly EmbedSession[]
}

/** Says why a page may or may not show an embed: its origin, its session, and its own policy. */
export function Doctor({ words, sdk, sessions }: DoctorProps) {
  const { api } = useApp()
  const [finding, find] = useState<Finding | null>(null)
  const { doctor } = words
  return (
    <section class="card" aria-labelledby="doctor">
      <h2 id="doctor">{doctor.heading}</h2>
      {sessions.length === 0 ? (
        <p class="muted">{doctor.none}</p>
      ) : (
        <Form<Diagnosis>
          name="doctor"
          submit={doctor.submit}
          codes={words.codes}
          send={(form) => {
            find(null)
            const origin = String(form.get('origin') ?? '').trim()
            return api.get('/api/public/embed/diagnose', { query: { s: String(form.get('s')), origin } })
          }}
          done={(diagnosis, form) => {
            const said = new FormData(form)
            const origin = String(said.get('origin') ?? '').trim()
            const missing = missingLines(String(said.get('policy') ?? ''), sdk)
            find({ origin, isOrigin: isAllowedOrigin(origin), diagnosis, missing })
          }}
        >
          <SelectField
            label={doctor.session}
            name="s"
            options={sessions.map(({ id, surface }) => ({ value: id, label: `${words.surfaces[surface]}, ${id}` }))}
          />
          <TextField label={doctor.origin} name="origin" hint={doctor.originHint} isRequired maxLength={2_048} />
          <TextField label={doctor.policy} name="policy" hint={doctor.policyHint} rows={3} />
        </Form>
      )}
      <div role="status">{finding !== null && <Findings words={words} finding={finding} />}</div>
    </section>
  )
}

function Findings({ words, finding }: { readonly words: Words; readonly finding: Finding }) {
  const { origin, isOrigin, diagnosis, missing } = finding
  const { doctor } = words
  const isLive = diagnosis.reason !== 'SESSION_NOT_LIVE'
  return (
    <ul class="plain findings">
      <Check name="allowed" isGood={diagnosis.ok}>
        {diagnosis.ok ? doctor.allowed(origin) : isLive ? doctor.notAllowed(origin) : doctor.notLive}
        {!isOrigin && <p class="hint">{words.noOrigin(origin, nearest(origin))}</p>}
      </Check>
      <Check name="framed" isGood={diagnosis.ok}>
        {diagnosis.ok ? doctor.framed : doctor.notFramed}
      </Check>
      <Check name="policy" isGood={missing.length === 0}>
        {missing.length === 0 ? doctor.policyGood : doctor.policyLacks}
        {missing.map(({ directive, origins }) => (
          <p key={directive} data-missing={directive}>
            <CopyText text={`${directive} ${origins.join(' ')}`} />
          </p>
        ))}
      </Check>
    </ul>
  )
}

interface CheckProps {
  readonly name: string
  readonly isGood: boolean
  readonly children: ComponentChildren
}

function Check({ name, isGood, children }: CheckProps) {
  return (
    <li data-check={name} data-good={String(isGood)}>
      <Icon of={isGood ? CircleCheck : CircleX} />
      <div>{children}</div>
    </li>
  )
}
