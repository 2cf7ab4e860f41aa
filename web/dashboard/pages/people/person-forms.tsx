import { useState } from 'preact/hooks'
import type { Role } from '../../../../src/domain/permissions.ts'
import { Dialog } from '../../ground/confirm.tsx'
import { Form, SelectField, TextField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import type { PeopleWords } from './people-words.ts'
import { calledOf, rolesGivenBy } from './person.ts'
import type { Person, WithLink } from './person.ts'

/** As many characters as the service takes. */
const NAME_LENGTH = 100
/** Our choice: the role that somebody is invited to unless another one is chosen. It manages nothing. */
const FIRST_ROLE: Role = 'AGENT'

interface InviteFormProps {
  readonly words: PeopleWords
  close(): void
  done(invited: Person & WithLink): void
}

/** The form that invites somebody, with the field names of the API. */
export function InviteForm({ words, close, done }: InviteFormProps) {
  const { api } = useApp()
  const { form } = words
  return (
    <section class="card" aria-labelledby="invite">
      <h2 id="invite">{form.heading}</h2>
      <Form<Person & WithLink>
        name="user"
        submit={form.submit}
        action="create"
        codes={words.codes}
        send={(fields) => {
          const name = textOf(fields, 'name')
          const given = { email: textOf(fields, 'email'), role: textOf(fields, 'role') }
          return api.post('/api/v1/users', { ...given, ...(name === '' ? {} : { name }) })
        }}
        done={done}
        more={<CancelButton close={close} />}
      >
        <TextField label={form.email} name="email" type="email" isRequired maxLength={254} />
        <TextField label={form.name} name="name" maxLength={NAME_LENGTH} />
        <RoleField words={words} role={FIRST_ROLE} />
      </Form>
    </section>
  )
}

interface EditFormProps {
  readonly words: PeopleWords
  readonly person: Person
  close(): void
  done(person: Person): void
}

/** The dialog that changes name and role of a person. */
export function EditForm({ words, person, close, done }: EditFormProps) {
  const { api, words: ground } = useApp()
  const { form } = words
  return (
    <Dialog heading={form.edit(calledOf(person))} close={close}>
      <Form<Person>
        name="user"
        submit={ground.save}
        codes={words.codes}
        send={(fields) => {
          const name = textOf(fields, 'name')
          const changed = { name: name === '' ? null : name, role: textOf(fields, 'role') }
          return api.patch(`/api/v1/users/${encodeURIComponent(person.id)}`, changed)
        }}
        done={done}
        more={<CancelButton close={close} />}
      >
        <p class="muted">
          <bdi>{person.email}</bdi>
        </p>
        <TextField label={form.name} name="name" value={person.name ?? ''} maxLength={NAME_LENGTH} />
        <RoleField words={words} role={person.role} />
      </Form>
    </Dialog>
  )
}

/** The choice of a role, with what the chosen one may do. */
function RoleField({ words, role }: { readonly words: PeopleWords; readonly role: Role }) {
  const { session } = useApp()
  const roles = rolesGivenBy(session)
  const [chosen, choose] = useState(role)
  return (
    <SelectField
      label={words.role}
      name="role"
      value={chosen}
      hint={words.roleHints[chosen]}
      options={roles.map((one) => ({ value: one, label: words.roles[one] }))}
      change={(value) => choose(roles.find((one) => one === value) ?? role)}
    />
  )
}

function CancelButton({ close }: { close(): void }) {
  const { words } = useApp()
  return (
    <button type="button" class="button quiet" data-action="cancel" onClick={close}>
      {words.cancel}
    </button>
  )
}

function textOf(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value.trim() : ''
}
