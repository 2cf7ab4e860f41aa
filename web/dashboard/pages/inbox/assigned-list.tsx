import { useState } from 'preact/hooks'
import { numberOf } from '../../../ui/phone-number.ts'
import { Asked, useAsked } from '../../ground/asked.tsx'
import { SelectField } from '../../ground/form.tsx'
import { List } from '../../ground/list.tsx'
import { Badge } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import type { AssignedConversation, Handler, InboxWords } from './handling.ts'
import { useHandled } from './use-handled.ts'

interface AssignedListProps {
  readonly words: InboxWords['handling']
  readonly assignees: readonly Handler[]
  open(conversationId: string, numberId: string): void
}

/** The conversations of a person, at first of whoever is signed in, or all that are assigned. */
export function AssignedList({ words, assignees, open }: AssignedListProps) {
  const { api, session } = useApp()
  const [whose, choose] = useState(session.user?.id ?? '')
  const asked = useAsked(
    (signal) =>
      api.get<{ readonly conversations: readonly AssignedConversation[] }>('/api/conversations/assigned', {
        query: { userId: whose === '' ? null : whose },
        signal,
      }),
    [whose],
  )
  useHandled(null, asked.again)
  return (
    <section class="part" aria-labelledby="handling-assigned">
      <h2 id="handling-assigned">{words.assigned}</h2>
      <WhoseField {...{ words, assignees, whose, choose }} />
      <Asked of={asked}>
        {({ conversations }) =>
          conversations.length === 0 ? (
            <p class="muted" data-none>
              {words.noneAssigned}
            </p>
          ) : (
            <List
              label={words.assigned}
              items={conversations}
              hooksOf={({ id }) => ({ id })}
              row={(one) => <AssignedRow words={words} one={one} isNamed={whose === ''} open={open} />}
            />
          )
        }
      </Asked>
    </section>
  )
}

interface WhoseFieldProps extends Pick<AssignedListProps, 'words' | 'assignees'> {
  /** The id of a person; '' for everybody. */
  readonly whose: string
  choose(whose: string): void
}

function WhoseField({ words, assignees, whose, choose }: WhoseFieldProps) {
  const people = assignees.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <SelectField
      label={words.whose}
      name="assignedTo"
      value={whose}
      options={[{ value: '', label: words.everybody }, ...people]}
      change={choose}
    />
  )
}

interface AssignedRowProps {
  readonly words: InboxWords['handling']
  readonly one: AssignedConversation
  /** Whether the row says whose the conversation is. */
  readonly isNamed: boolean
  open(conversationId: string, numberId: string): void
}

function AssignedRow({
  words,
  one: { id, numberId, from, fromName, unreadCount, assignee },
  isNamed,
  open,
}: AssignedRowProps) {
  return (
    <div class="note">
      <button type="button" class="link" data-action="open" onClick={() => open(id, numberId)}>
        <bdi>{fromName ?? numberOf(from) ?? from ?? words.hidden}</bdi>
      </button>
      {unreadCount > 0 && <Badge tone="calm" text={words.unread(unreadCount)} />}
      {isNamed && assignee !== null && (
        <p class="muted">
          <bdi>{assignee.isActive ? assignee.name : words.inactive(assignee.name)}</bdi>
        </p>
      )}
    </div>
  )
}
