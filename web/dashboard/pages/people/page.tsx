import UserPlus from 'lucide/dist/esm/icons/user-plus.mjs'
import { useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import type { Grant } from '../../../ui/session/answers.ts'
import { useAsked } from '../../ground/asked.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { Apps } from './apps.tsx'
import { OwnSessions } from './own-sessions.tsx'
import type { ListedSession } from './own-sessions.tsx'
import type { PeopleWords } from './people-words.ts'
import './people.css'
import type { Person } from './person.ts'
import { Team } from './team.tsx'

/** Who may sign in to the account, which apps were let in, and where the person is signed in. */
export function Page({ words }: PageProps<PeopleWords>) {
  const { api } = useApp()
  const [isInviting, invite] = useState(false)
  const people = useAsked((signal) => api.get<readonly Person[]>('/api/v1/users', { signal }), [])
  const grants = useAsked((signal) => api.get<{ readonly grants: readonly Grant[] }>('/api/grants', { signal }), [])
  const sessions = useAsked(
    (signal) => api.get<{ readonly sessions: readonly ListedSession[] }>('/api/sessions', { signal }),
    [],
  )
  function changed(): void {
    for (const asked of [people, grants, sessions]) asked.again()
  }
  return (
    <PageFrame
      name="people"
      heading={words.heading}
      actions={
        !isInviting && (
          <button type="button" class="button primary" data-action="new" onClick={() => invite(true)}>
            <Icon of={UserPlus} size={18} />
            {words.invite}
          </button>
        )
      }
    >
      <Team words={words} people={people} isInviting={isInviting} endInviting={() => invite(false)} changed={changed} />
      <Apps words={words.apps} grants={grants} />
      <OwnSessions words={words.sessions} sessions={sessions} />
    </PageFrame>
  )
}
