import { List } from '../../ground/list.tsx'
import { Badge, Time } from '../../ground/shown.tsx'
import type { Tone } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import type { PeopleWords } from './people-words.ts'
import { calledOf, mayChange } from './person.ts'
import type { Person } from './person.ts'

const TONES: Readonly<Record<Person['status'], Tone>> = { ACTIVE: 'good', INVITED: 'warn', DISABLED: 'bad' }

/** What can be done to a person: the `data-action` of its button. */
export type PersonAct = 'edit' | 'invite' | 'disable' | 'enable' | 'delete'

interface PersonListProps {
  readonly words: PeopleWords
  readonly people: readonly Person[]
  act(what: PersonAct, person: Person): void
}

/** The people of the account, each with what this session may do to it. */
export function PersonList({ words, people, act }: PersonListProps) {
  const { session } = useApp()
  return (
    <List
      label={words.team}
      items={people}
      columns={[words.name, words.role, words.status, words.lastSeen, '']}
      hooksOf={({ id, status }) => ({ id, status })}
      row={(person) => [
        <PersonName key="name" words={words} person={person} isOwn={person.id === session.user?.id} />,
        <span key="role" data-role={person.role}>
          {words.roles[person.role]}
        </span>,
        <Badge key="status" tone={TONES[person.status]} text={words.statuses[person.status]} />,
        <span key="seen">
          <span class="narrow muted">{words.lastSeen}: </span>
          <Time at={person.lastSeenAt} />
        </span>,
        mayChange(session, person) ? (
          <PersonActs key="acts" words={words} person={person} act={act} />
        ) : (
          <span key="acts" class="hint" data-owners-only>
            {words.ownersOnly}
          </span>
        ),
      ]}
    />
  )
}

interface PersonNameProps {
  readonly words: PeopleWords
  readonly person: Person
  readonly isOwn: boolean
}

function PersonName({ words, person: { name, email }, isOwn }: PersonNameProps) {
  return (
    <span>
      <bdi>{name ?? email}</bdi> {isOwn && <span class="muted">({words.you})</span>}
      {name !== null && (
        <span class="hint block">
          <bdi>{email}</bdi>
        </span>
      )}
    </span>
  )
}

interface PersonActsProps {
  readonly words: PeopleWords
  readonly person: Person
  act(what: PersonAct, person: Person): void
}

/** What can be done to a person; a link would open nothing for who is disabled. */
function PersonActs({ words: { acts }, person, act }: PersonActsProps) {
  const isDisabled = person.status === 'DISABLED'
  const offered: readonly (readonly [what: PersonAct, label: string])[] = [
    ['edit', acts.edit],
    ...(isDisabled ? [] : ([['invite', acts.invite]] as const)),
    isDisabled ? ['enable', acts.enable] : ['disable', acts.disable],
    ['delete', acts.remove],
  ]
  return (
    <span class="actions">
      {offered.map(([what, label]) => (
        <button
          key={what === 'enable' ? 'disable' : what}
          type="button"
          class={what === 'delete' ? 'button danger small' : 'button quiet small'}
          data-action={what}
          onClick={() => act(what, person)}
        >
          {label}
          <span class="unseen"> {calledOf(person)}</span>
        </button>
      ))}
    </span>
  )
}
