import { useState } from 'preact/hooks'
import type { Fault } from '../../../ui/session/answers.ts'
import { Asked, FaultLine, useAsked } from '../../ground/asked.tsx'
import { SelectField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import type { Assigned, Handler, InboxWords } from './handling.ts'
import { pathOf } from './handling.ts'
import { useHandled } from './use-handled.ts'

interface AssigneeProps {
  readonly words: InboxWords['handling']
  readonly conversationId: string
  readonly assignees: readonly Handler[]
}

/** Whom the conversation is assigned to, to be chosen anew. */
export function Assignee({ words, conversationId, assignees }: AssigneeProps) {
  const { api, session } = useApp()
  const path = pathOf(conversationId, 'assignee')
  const asked = useAsked((signal) => api.get<Assigned>(path, { signal }), [path])
  const [fault, fail] = useState<Fault | null>(null)
  useHandled(conversationId, asked.again)
  async function assign(userId: string | null): Promise<void> {
    const answer = await api.put<Assigned>(path, { userId })
    fail(answer.fault ?? null)
    // After a refusal the field shows again what holds.
    if (answer.fault) asked.again()
    else asked.change(() => answer.body)
  }
  const ownId = session.user?.id ?? null
  return (
    <Asked of={asked} codes={words.codes}>
      {({ assignee }) => (
        <div class="part">
          <SelectField
            key={`${assignee?.id ?? ''} ${fault === null}`}
            label={words.assignee}
            name="userId"
            value={assignee?.id ?? ''}
            options={[{ value: '', label: words.nobody }, ...optionsOf(assignees, assignee, words)]}
            change={(id) => void assign(id === '' ? null : id)}
          />
          {fault !== null && <FaultLine fault={fault} codes={words.codes} />}
          {ownId !== null && assignee?.id !== ownId && (
            <div class="actions">
              <button type="button" class="button quiet small" data-action="take" onClick={() => void assign(ownId)}>
                {words.take}
              </button>
            </div>
          )}
        </div>
      )}
    </Asked>
  )
}

/** The people to choose from, with the one whom the conversation has though no other may be given to them. */
function optionsOf(assignees: readonly Handler[], now: Assigned['assignee'], words: InboxWords['handling']) {
  const shown = assignees.map(({ id, name }) => ({ value: id, label: name }))
  if (now === null || assignees.some(({ id }) => id === now.id)) return shown
  return [...shown, { value: now.id, label: now.isActive ? now.name : words.inactive(now.name) }]
}
