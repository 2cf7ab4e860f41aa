import { Asked, useAsked } from '../../ground/asked.tsx'
import { SelectField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import type { ListedFlow } from '../flows/flow.ts'
import { FLOWS } from './props.ts'
import type { FlowProps } from './props.ts'

/** The largest page of Flows ([flows.routes.1]); older ones are not offered as successors (our choice). */
const MOST = 100

interface SuccessorProps extends FlowProps {
  choose(id: string | null): void
}

/** The field that names the Flow which takes the place of one that is deprecated. */
export function Successor({ words: { acts, codes }, flow, number, choose }: SuccessorProps) {
  const { api } = useApp()
  const flows = useAsked(
    (signal) =>
      api.get<{ readonly flows: readonly ListedFlow[] }>(FLOWS, { number, query: { pageSize: MOST }, signal }),
    [number],
  )
  return (
    <Asked of={flows} codes={codes}>
      {(answer) => (
        <SelectField
          label={acts.successor}
          name="supersededByFlowId"
          value=""
          options={[
            { value: '', label: acts.noSuccessor },
            ...answer.flows
              .filter(({ id, officialStatus }) => id !== flow.id && officialStatus !== 'DEPRECATED')
              .map(({ id, name }) => ({ value: id, label: name })),
          ]}
          change={(value) => choose(value === '' ? null : value)}
        />
      )}
    </Asked>
  )
}
