import { useState } from 'preact/hooks'
import type { Fault } from '../../../ui/session/answers.ts'
import { FaultLine } from '../../ground/asked.tsx'
import { Confirm } from '../../ground/confirm.tsx'
import { useApp } from '../../shell/app.ts'
import { flowsPage } from '../flows/flow.ts'
import { FaultList } from './fault-list.tsx'
import { lineFaultsOf } from './lines.ts'
import { flowPath, NEW } from './props.ts'
import type { FlowProps } from './props.ts'
import { faultsIn } from './refusal.ts'
import { Successor } from './successor.tsx'

type Act = 'publish' | 'deprecate' | 'delete'

/** How the buttons look that do not look as most do. */
const LOOKS: Partial<Record<Act, string>> = { publish: 'primary', delete: 'danger' }

interface ActsProps extends FlowProps {
  again(): void
}

/** What can be done with the Flow in its state; what cannot be taken back asks for the name. */
export function Acts(props: ActsProps) {
  const { words, flow, number } = props
  const { can } = useApp()
  const [asked, ask] = useState<Act | null>(null)
  const [refused, refuse] = useState<Fault | null>(null)
  if (!can('flows:manage')) return null
  return (
    <>
      {refused !== null && (
        <div class="part" data-refused>
          <FaultLine fault={refused} codes={{ ...words.codes, FLOW_JSON_INVALID: words.acts.notPublished }} />
          <FaultList words={words} faults={lineFaultsOf(faultsIn(refused))} />
        </div>
      )}
      <div class="actions">
        {actsOf(flow).map((one) => (
          <button
            key={one}
            type="button"
            class={`button ${LOOKS[one] ?? 'quiet'}`}
            data-action={one}
            onClick={() => ask(one)}
          >
            {words.acts[one].action}
          </button>
        ))}
        {flow.officialFlowId !== null && (
          <a
            class="button quiet"
            data-action="clone"
            href={`/dashboard/flows/${NEW}?${new URLSearchParams({ number, clone: flow.id })}`}
          >
            {words.acts.copy}
          </a>
        )}
      </div>
      {asked !== null && <Ask {...props} act={asked} refuse={refuse} close={() => ask(null)} />}
    </>
  )
}

interface AskProps extends ActsProps {
  readonly act: Act
  /** Hears of a publication that was refused for the document. */
  refuse(fault: Fault | null): void
  close(): void
}

function Ask({ words, flow, number, again, act, refuse, close }: AskProps) {
  const { api, router } = useApp()
  const [successor, choose] = useState<string | null>(null)
  const path = flowPath(flow.id)
  const bodies = {
    publish: { confirm: true },
    deprecate: successor === null ? {} : { supersededByFlowId: successor },
  }
  async function run(): Promise<Fault | null> {
    refuse(null)
    const { fault } =
      act === 'delete' ? await api.delete(path, { number }) : await api.post(`${path}/${act}`, bodies[act], { number })
    if (fault?.code === 'FLOW_JSON_INVALID') refuse(fault)
    else if (fault) return fault
    close()
    if (act === 'delete') router.go(flowsPage(number), false)
    else again()
    return null
  }
  return (
    <Confirm
      heading={words.acts[act].ask(flow.name)}
      text={words.acts[act].warning}
      name={flow.name}
      label={words.acts[act].action}
      codes={words.codes}
      act={run}
      close={close}
    >
      {act === 'deprecate' && <Successor words={words} flow={flow} number={number} choose={choose} />}
    </Confirm>
  )
}

/** A draft is published or deleted; any other can only be deprecated, once ([flows.states.5], [flows.states.6]). */
function actsOf({ officialStatus }: FlowProps['flow']): readonly Act[] {
  if (officialStatus === 'DRAFT') return ['publish', 'delete']
  return officialStatus === 'DEPRECATED' ? [] : ['deprecate']
}
