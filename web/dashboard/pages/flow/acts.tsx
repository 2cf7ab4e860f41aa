import { useState } from 'preact/hooks'
import { Confirm } from '../../ground/confirm.tsx'
import { useApp } from '../../shell/app.ts'
import { flowPath } from './props.ts'
import type { FlowProps } from './props.ts'

type Act = 'publish' | 'deprecate' | 'delete'

interface ActsProps extends FlowProps {
  again(): void
}

/** What can be done with the Flow in its state; nothing of it can be taken back, so each asks for the name. */
export function Acts({ words, flow, number, again }: ActsProps) {
  const { api, can, router } = useApp()
  const [asked, ask] = useState<Act | null>(null)
  const acts = actsOf(flow)
  if (!can('flows:manage') || acts.length === 0) return null
  const path = flowPath(flow.id)
  async function act() {
    const { fault } =
      asked === 'delete'
        ? await api.delete(path, { number })
        : await api.post(`${path}/${asked}`, asked === 'publish' ? { confirm: true } : {}, { number })
    if (fault) return fault
    ask(null)
    if (asked === 'delete') router.go(`/dashboard/flows?number=${encodeURIComponent(number)}`, false)
    else again()
    return null
  }
  return (
    <div class="actions">
      {acts.map((one) => (
        <button
          key={one}
          type="button"
          class={one === 'publish' ? 'button primary' : 'button quiet'}
          data-action={one}
          onClick={() => ask(one)}
        >
          {words.acts[one].action}
        </button>
      ))}
      {asked !== null && (
        <Confirm
          heading={words.acts[asked].ask(flow.name)}
          text={words.acts[asked].warning}
          name={flow.name}
          label={words.acts[asked].action}
          codes={words.codes}
          act={act}
          close={() => ask(null)}
        />
      )}
    </div>
  )
}

/** A draft is published or deleted; any other can only be deprecated, once ([flows.states.5], [flows.states.6]). */
function actsOf({ officialStatus }: FlowProps['flow']): readonly Act[] {
  if (officialStatus === 'DRAFT') return ['publish', 'delete']
  return officialStatus === 'DEPRECATED' ? [] : ['deprecate']
}
