import { useEffect, useRef, useState } from 'preact/hooks'
import type { Fault } from '../../../ui/session/answers.ts'
import { Asked, Empty, FaultLine } from '../../ground/asked.tsx'
import type { AskedState } from '../../ground/asked.tsx'
import { Confirm } from '../../ground/confirm.tsx'
import { useApp } from '../../shell/app.ts'
import { InviteLink } from './invite-link.tsx'
import type { Invitation } from './invite-link.tsx'
import { focusPart, Part } from './part.tsx'
import type { PeopleWords } from './people-words.ts'
import { EditForm, InviteForm } from './person-forms.tsx'
import { PersonList } from './person-list.tsx'
import type { PersonAct } from './person-list.tsx'
import { calledOf } from './person.ts'
import type { Person, WithLink } from './person.ts'

interface TeamProps {
  readonly words: PeopleWords
  readonly people: AskedState<readonly Person[]>
  readonly isInviting: boolean
  /** Ends the form that invites. */
  endInviting(): void
  /** Called when a person was changed: sessions and apps may have ended with it ([people.owners.3]). */
  changed(): void
}

/** A dialog that is open about a person. */
interface Open {
  readonly what: 'edit' | 'delete'
  readonly person: Person
}

/** The people of the account: who they are, and what is done to them. */
export function Team({ words, people, isInviting, endInviting, changed }: TeamProps) {
  const { say } = useApp()
  const [invitation, show] = useState<Invitation | null>(null)
  const [open, setOpen] = useState<Open | null>(null)
  const [removals, removal] = useState(0)
  useEffect(() => {
    // A dialog that closes gives the focus back to a button whose row is about to go.
    if (removals > 0) focusPart('team')
  }, [removals])
  const { changePerson, fault } = useActs(words, changed, show)
  function act(what: PersonAct, person: Person): void {
    if (what === 'edit' || what === 'delete') setOpen({ what, person })
    else void changePerson(what, person)
  }
  function invited(person: Person & WithLink): void {
    endInviting()
    show({ userId: person.id, called: calledOf(person), url: person.inviteUrl })
    say(words.did.invited(calledOf(person)))
    changed()
  }
  function removed({ id }: Person): void {
    show((now) => (now?.userId === id ? null : now))
    changed()
    removal(removals + 1)
  }
  return (
    <>
      {isInviting && <InviteForm words={words} close={endInviting} done={invited} />}
      {invitation !== null && <InviteLink words={words.link} invitation={invitation} close={() => show(null)} />}
      <Part id="team" heading={words.team}>
        {fault !== null && (
          <div class="act-fault">
            <FaultLine fault={fault} codes={words.codes} />
          </div>
        )}
        <Asked of={people}>
          {(all) =>
            all.length === 0 ? <Empty text={words.none} /> : <PersonList words={words} people={all} act={act} />
          }
        </Asked>
      </Part>
      {open !== null && (
        <OpenDialog words={words} open={open} close={() => setOpen(null)} changed={changed} removed={removed} />
      )}
    </>
  )
}

/** What is done by a button of a row alone. */
function useActs(words: PeopleWords, changed: () => void, show: (invitation: Invitation | null) => void) {
  const { api, say } = useApp()
  const isOwn = useIsOwn()
  const [fault, fail] = useState<Fault | null>(null)
  const isBusy = useRef(false)
  async function link(person: Person): Promise<Fault | null> {
    const { body, fault } = await api.post<WithLink>(`${pathOf(person)}/invite`)
    if (fault) return fault
    show({ userId: person.id, called: calledOf(person), url: body.inviteUrl })
    say(words.did.linked(calledOf(person)))
    return null
  }
  async function setStatus(person: Person, status: 'ACTIVE' | 'DISABLED'): Promise<Fault | null> {
    const { body, fault } = await api.patch<Person>(pathOf(person), { status })
    if (fault) return fault
    if (isOwn(person)) location.reload()
    // Disabling ends the link that there is.
    show(null)
    const did = { ACTIVE: 'enabled', INVITED: 'invitedAgain', DISABLED: 'disabled' } as const
    say(words.did[did[body.status]](calledOf(person)))
    return null
  }
  async function changePerson(what: 'invite' | 'disable' | 'enable', person: Person): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    fail(null)
    fail(await (what === 'invite' ? link(person) : setStatus(person, what === 'enable' ? 'ACTIVE' : 'DISABLED')))
    isBusy.current = false
    changed()
  }
  return { changePerson, fault }
}

interface OpenDialogProps {
  readonly words: PeopleWords
  readonly open: Open
  close(): void
  changed(): void
  removed(person: Person): void
}

function OpenDialog({ words, open: { what, person }, close, changed, removed }: OpenDialogProps) {
  const { api, say, words: ground } = useApp()
  const isOwn = useIsOwn()
  const called = calledOf(person)
  async function remove(): Promise<Fault | null> {
    const { fault } = await api.delete(pathOf(person))
    if (fault) return fault
    if (isOwn(person)) location.reload()
    say(words.did.removed(called))
    close()
    removed(person)
    return null
  }
  function saved(): void {
    if (isOwn(person)) location.reload()
    say(ground.saved)
    close()
    changed()
  }
  return what === 'edit' ? (
    <EditForm words={words} person={person} close={close} done={saved} />
  ) : (
    <Confirm
      heading={words.removal.heading(called)}
      text={words.removal.text}
      name={person.email}
      label={words.acts.remove}
      codes={words.codes}
      act={remove}
      close={close}
    />
  )
}

/**
 * Whether a person is who is signed in. What was changed about oneself changes what all pages offer, so the document is
 * loaded anew then.
 */
function useIsOwn(): (person: Person) => boolean {
  const { session } = useApp()
  return ({ id }) => id === session.user?.id
}

function pathOf({ id }: Person): string {
  return `/api/v1/users/${encodeURIComponent(id)}`
}
