import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Fault } from '../../../ui/session/answers.ts'
import { FaultLine } from '../../ground/asked.tsx'
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
  const { words, flow } = props
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
      <CheckNow {...props} />
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

/** Reads the Flow from upstream, whose news may be late. */
function CheckNow({ words, flow, number, take }: FactsProps) {
  const { api, words: ground } = useApp()
  const [isBusy, busy] = useState(false)
  const [fault, fail] = useState<Fault | null>(null)
  async function check(): Promise<void> {
    busy(true)
    fail(null)
    const answer = await api.get<ListedFlow>(flowPath(flow.id), { number, query: { refresh: '1' } })
    busy(false)
    if (answer.fault) fail(answer.fault)
    else take(answer.body)
  }
  return (
    <>
      {fault !== null && <FaultLine fault={fault} codes={words.codes} />}
      <div class="actions">
        <button type="button" class="button quiet" data-action="refresh" disabled={isBusy} onClick={() => void check()}>
          {isBusy ? ground.loading : words.check}
        </button>
      </div>
    </>
  )
}
