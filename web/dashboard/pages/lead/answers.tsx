import { Fragment } from 'preact'
import { Empty } from '../../ground/asked.tsx'
import './answers.css'
import type { LeadProps } from './props.ts'

/** Every answer of a lead, as it was typed. */
export function Answers({ words, lead: { fields, redacted } }: LeadProps) {
  if (redacted) return null
  return (
    <section class="card" aria-labelledby="answers">
      <h2 id="answers">{words.answers}</h2>
      {fields.length === 0 ? (
        <Empty text={words.noAnswers} />
      ) : (
        <dl class="facts answers">
          {fields.map(({ key, label, values }, at) => (
            // A form may ask two questions of one key.
            <Fragment key={`${at} ${key}`}>
              <dt>
                <bdi>{label}</bdi>
              </dt>
              <dd data-field={key}>
                {values.map((value, place) => (
                  <p key={place} dir="auto">
                    {value}
                  </p>
                ))}
                {values.length === 0 && <span class="muted">{words.noAnswer}</span>}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
    </section>
  )
}
