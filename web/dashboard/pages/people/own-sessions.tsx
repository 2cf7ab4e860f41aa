import { useRef, useState } from 'preact/hooks'
import type { Fault } from '../../../ui/session/answers.ts'
import { Asked, FaultLine } from '../../ground/asked.tsx'
import type { AskedState } from '../../ground/asked.tsx'
import { List } from '../../ground/list.tsx'
import { Badge, Time } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import { browserNameOf } from './browser-name.ts'
import { focusPart, Part } from './part.tsx'
import type { PeopleWords } from './people-words.ts'

/** A session as `/api/sessions` lists it ([sessions.login.4]). */
export interface ListedSession {
  readonly id: string
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly address: string | null
  readonly userAgent: string | null
  /** Null when the key or a login link opened it. */
  readonly user: { readonly id: string; readonly email: string } | null
  readonly isCurrent: boolean
}

interface OwnSessionsProps {
  readonly words: PeopleWords['sessions']
  readonly sessions: AskedState<{ readonly sessions: readonly ListedSession[] }>
}

/** Where the person is signed in, and the way to end it; who came by key or link sees what was opened in that way. */
export function OwnSessions({ words, sessions }: OwnSessionsProps) {
  const { session } = useApp()
  const own = (sessions.body?.sessions ?? []).filter(({ user }) => user?.id === session.user?.id)
  const others = own.filter(({ isCurrent }) => !isCurrent)
  const { end, fault } = useEnding(sessions.again)
  return (
    <Part
      id="sessions"
      heading={words.heading}
      text={session.user === null ? words.byKeyText : words.text}
      actions={
        others.length > 0 && (
          <button
            type="button"
            class="button danger small"
            data-action="end-others"
            onClick={() => void end(others, words.endedOthers)}
          >
            {words.endOthers}
          </button>
        )
      }
    >
      {fault !== null && (
        <div class="act-fault">
          <FaultLine fault={fault} />
        </div>
      )}
      <Asked of={sessions}>
        {() => <SessionList words={words} sessions={own} end={(one) => void end([one], words.ended)} />}
      </Asked>
    </Part>
  )
}

function useEnding(again: () => void) {
  const { api, say } = useApp()
  const [fault, fail] = useState<Fault | null>(null)
  const isBusy = useRef(false)
  async function end(ended: readonly ListedSession[], said: string): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    fail(null)
    const failed = await firstFault(ended)
    isBusy.current = false
    fail(failed)
    if (failed === null) {
      say(said)
      focusPart('sessions')
    }
    again()
  }
  /** One after the other, up to the first that cannot be ended; one that is over already is no fault. */
  async function firstFault(ended: readonly ListedSession[]): Promise<Fault | null> {
    for (const { id } of ended) {
      const { fault } = await api.delete(`/api/sessions/${encodeURIComponent(id)}`)
      if (fault && fault.kind !== 'GONE') return fault
    }
    return null
  }
  return { end, fault }
}

interface SessionListProps {
  readonly words: PeopleWords['sessions']
  readonly sessions: readonly ListedSession[]
  end(session: ListedSession): void
}

function SessionList({ words, sessions, end }: SessionListProps) {
  return (
    <List
      label={words.heading}
      items={sessions}
      columns={[words.browser, words.address, words.begun, words.lastSeen, '']}
      hooksOf={({ id }) => ({ id })}
      row={(one) => [
        <span key="browser" {...(one.userAgent === null ? {} : { title: one.userAgent })}>
          <bdi>{one.userAgent === null ? words.unknown : browserNameOf(one.userAgent)}</bdi>
        </span>,
        <bdi key="address">{one.address ?? words.unknown}</bdi>,
        <span key="begun">
          <span class="narrow muted">{words.begun}: </span>
          <Time at={one.createdAt} />
        </span>,
        <span key="seen">
          <span class="narrow muted">{words.lastSeen}: </span>
          <Time at={one.lastSeenAt} />
        </span>,
        one.isCurrent ? (
          <Badge key="end" tone="good" text={words.current} />
        ) : (
          <span key="end">
            <button type="button" class="button quiet small" data-action="end-session" onClick={() => end(one)}>
              {words.end}
              <span class="unseen"> {one.userAgent === null ? one.address : browserNameOf(one.userAgent)}</span>
            </button>
          </span>
        ),
      ]}
    />
  )
}
