import type { ComponentChildren } from 'preact'
import { CheckNow } from '../../ground/check-now.tsx'
import { Badge, CopyText, Time } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import { flowPage, STATUS_TONES } from '../flows/flow.ts'
import type { ListedFlow } from '../flows/flow.ts'
import { Edit } from './edit.tsx'
import { flowPath } from './props.ts'
import type { FlowProps } from './props.ts'

interface FactsProps extends FlowProps {
  /** Takes the Flow as it was read anew. */
  take(now: ListedFlow): void
}

/** What a Flow is, how it stands, and what that means. */
export function Facts(props: FactsProps) {
  const { words, flow, number, take } = props
  const { can } = useApp()
  const { list } = words
  return (
    <section class="card" aria-labelledby="flow-name" data-status={flow.officialStatus}>
      <h2 id="flow-name" dir="auto">
        {flow.name}
      </h2>
      <p>
        <Badge tone={STATUS_TONES[flow.officialStatus]} text={list.statuses[flow.officialStatus]} />{' '}
        {words.meanings[flow.officialStatus]}
      </p>
      {flow.syncError !== null && (
        <p data-sync-error={flow.syncError.code}>
          {words.notUp} <bdi lang="en">{flow.syncError.message}</bdi>
        </p>
      )}
      <Details {...props} />
      {flow.previewUrl?.startsWith('https://') && (
        <p>
          <a class="link" href={flow.previewUrl} target="_blank" rel="noopener noreferrer" data-preview-link>
            {words.preview}
          </a>
        </p>
      )}
      <CheckNow path={flowPath(flow.id)} number={number} label={words.check} codes={words.codes} take={take} />
      {flow.officialStatus === 'DRAFT' && can('flows:manage') && <Edit {...props} />}
    </section>
  )
}

function Details({ words, flow, number }: FlowProps) {
  const { list } = words
  const link = (id: string): ComponentChildren => (
    <a class="link" href={flowPage(id, number)}>
      {id}
    </a>
  )
  const facts: readonly (readonly [name: string, value: ComponentChildren])[] = [
    [list.categories, flow.categories.map((name) => list.category[name]).join(', ')],
    [words.health, words.healths[flow.healthStatus]],
    [list.changed, <Time key="changed" at={flow.updatedAt} />],
    [words.id, <CopyText key="id" text={flow.id} />],
    ...(flow.clonedFromFlowId ? [[words.copied, link(flow.clonedFromFlowId)] as const] : []),
    ...(flow.supersededByFlowId ? [[words.successor, link(flow.supersededByFlowId)] as const] : []),
  ]
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
