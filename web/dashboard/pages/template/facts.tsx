import type { ComponentChildren } from 'preact'
import { CheckNow } from '../../ground/check-now.tsx'
import { Badge, CopyText, Time } from '../../ground/shown.tsx'
import { STANDING_TONES, standingOf } from '../templates/template.ts'
import type { ListedTemplate } from '../templates/template.ts'
import type { TemplateProps } from './props.ts'

interface FactsProps extends TemplateProps {
  /** Takes the template as it was read anew. */
  take(now: ListedTemplate): void
}

/** How a template stands, why, and what to do about it. */
export function Facts(props: FactsProps) {
  const { words, template, number, take } = props
  const { list } = words
  const standing = standingOf(template)
  return (
    <section class="card" aria-label={words.status}>
      <p>
        <Badge tone={STANDING_TONES[standing]} text={list.standings[standing]} /> {words.meanings[standing]}
      </p>
      <Unsendable {...props} />
      <Details words={words} template={template} />
      {template.officialStatus !== null && (
        <CheckNow
          path={`/api/v1/templates/${encodeURIComponent(template.id)}`}
          number={number}
          label={words.check}
          codes={words.codes}
          take={take}
        />
      )}
    </section>
  )
}

function Details({ words, template }: Pick<TemplateProps, 'words' | 'template'>) {
  const { list } = words
  return (
    <dl class="facts">
      {template.statusReason !== null && (
        <Fact name={words.reason}>
          <bdi lang="en" data-reason>
            {[template.statusReason, template.statusDescription].filter((said) => said !== null).join(': ')}
          </bdi>
        </Fact>
      )}
      <Fact name={words.category}>
        {list.categories[template.category]}
        {template.correctCategory !== null && template.correctCategory !== template.category && (
          <span class="muted"> {words.correct(list.categories[template.correctCategory])}</span>
        )}
      </Fact>
      <Fact name={words.language}>{template.language}</Fact>
      {template.quality !== null && <Fact name={words.quality}>{words.qualities[template.quality]}</Fact>}
      <Fact name={words.changed}>
        <Time at={template.updatedAt} />
      </Fact>
      <Fact name={words.id}>
        <CopyText text={template.id} />
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Unsendable({ words, template: { unsupported } }: TemplateProps) {
  if (unsupported.length === 0) return null
  return (
    <p data-unsupported>
      {words.unsendable} <bdi>{unsupported.join(', ')}</bdi>
    </p>
  )
}
