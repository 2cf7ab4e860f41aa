import { useState } from 'preact/hooks'
import type { Answer } from '../../../ui/session/answers.ts'
import { Form } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import type { ListedFlow } from '../flows/flow.ts'
import { FlowFields, typedIn } from './flow-fields.tsx'
import { flowPath } from './props.ts'
import type { FlowProps } from './props.ts'
import { atItsFields } from './refusal.ts'

interface EditProps extends FlowProps {
  take(now: ListedFlow): void
}

/** Changes the name and the categories of a draft. */
export function Edit({ words, flow, number, take }: EditProps) {
  const { api, words: ground } = useApp()
  const [isOpen, open] = useState(false)
  async function send(fields: FormData): Promise<Answer<ListedFlow>> {
    const answer = await api.patch<ListedFlow>(flowPath(flow.id), typedIn(fields), { number })
    return answer.fault ? { fault: atItsFields(answer.fault, words) } : answer
  }
  if (!isOpen)
    return (
      <div class="actions">
        <button type="button" class="button quiet" data-action="edit" onClick={() => open(true)}>
          {words.form.edit}
        </button>
      </div>
    )
  return (
    <Form<ListedFlow>
      name="flow-facts"
      submit={ground.save}
      codes={words.codes}
      send={send}
      done={(now) => {
        open(false)
        take(now)
      }}
      more={
        <button type="button" class="button quiet" data-action="cancel" onClick={() => open(false)}>
          {ground.cancel}
        </button>
      }
    >
      <FlowFields words={words} name={flow.name} categories={flow.categories} />
    </Form>
  )
}
