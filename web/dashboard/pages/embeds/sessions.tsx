import { useEffect, useState } from 'preact/hooks'
import type { Fault } from '../../../ui/session/answers.ts'
import { Empty, FaultLine } from '../../ground/asked.tsx'
import type { ListedNumber } from '../../ground/numbers.ts'
import { List } from '../../ground/list.tsx'
import { Time } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import type { Words } from './page-words.ts'
import type { EmbedSession } from './service.ts'

interface SessionsProps {
  readonly words: Words
  readonly sessions: readonly EmbedSession[]
  readonly numbers: readonly ListedNumber[]
  /** Reads the list again. */
  again(): void
  /** Takes a session out of the list. */
  leave(id: string): void
}

/** Our choice, in ms: the list is read again this long after the end of a session, when the service left it out. */
const AFTER_END_MS = 1_000
/** Our choice, in ms: the longest a list is not read again; pages in use prolong their sessions meanwhile. */
const LONGEST_MS = 60_000

/** The live sessions, and the button that ends one. */
export function Sessions({ words, sessions, numbers, again, leave }: SessionsProps) {
  const [fault, fail] = useState<Fault | null>(null)
  const { id, origins, used, ends, act } = words.sessions
  useEnds(sessions, again)
  return (
    <section class="embed-sessions" aria-labelledby="sessions">
      <h2 id="sessions">{words.sessions.heading}</h2>
      {fault !== null && <FaultLine fault={fault} codes={words.codes} />}
      {sessions.length === 0 ? (
        <Empty text={words.sessions.none} />
      ) : (
        <List
          label={words.sessions.heading}
          items={sessions}
          columns={[id, origins, used, ends, act]}
          hooksOf={(session) => ({ id: session.id })}
          row={(session) => [
            <Who key="who" words={words} session={session} numbers={numbers} />,
            <Origins key="origins" session={session} />,
            <Time key="used" at={session.lastUsedAt} />,
            <Time key="ends" at={session.expiresAt} />,
            <Revoke key="act" words={words} id={session.id} fail={fail} leave={leave} />,
          ]}
        />
      )}
    </section>
  )
}

/** Reads the list again once the next session is over. */
function useEnds(sessions: readonly EmbedSession[], again: () => void): void {
  const { clock } = useApp()
  useEffect(() => {
    if (sessions.length === 0) return
    const next = Math.min(...sessions.map(({ expiresAt }) => Date.parse(expiresAt))) - Date.now() + AFTER_END_MS
    const timer = clock.after(Math.min(LONGEST_MS, Math.max(AFTER_END_MS, next)), again)
    return () => timer.cancel()
  }, [sessions, clock])
}

interface RevokeProps {
  readonly words: Words
  readonly id: string
  fail(fault: Fault | null): void
  leave(id: string): void
}

function Revoke({ words, id, fail, leave }: RevokeProps) {
  const { api, say } = useApp()
  const [isBusy, busy] = useState(false)
  async function revoke(): Promise<void> {
    busy(true)
    fail(null)
    const { fault } = await api.delete(`/api/v1/embed/sessions/${encodeURIComponent(id)}`)
    busy(false)
    // One that is over already is as good as revoked.
    if (fault && fault.code !== 'EMBED_SESSION_NOT_FOUND') return fail(fault)
    leave(id)
    say(words.sessions.revoked)
  }
  return (
    <div>
      <button
        type="button"
        class="button danger small"
        data-action="delete"
        aria-label={words.sessions.revokeOf(id)}
        disabled={isBusy}
        onClick={() => void revoke()}
      >
        {words.sessions.revoke}
      </button>
    </div>
  )
}

function Origins({ session }: { readonly session: EmbedSession }) {
  return (
    <ul class="plain">
      {session.allowedOrigins.map((origin) => (
        <li key={origin}>
          <code dir="ltr">{origin}</code>
        </li>
      ))}
    </ul>
  )
}

function Who({
  words,
  session,
  numbers,
}: Pick<SessionsProps, 'words' | 'numbers'> & { readonly session: EmbedSession }) {
  const named = session.channelNumberIds.map((id) => numbers.find((number) => number.id === id)?.name ?? id)
  return (
    <div>
      <strong>{words.surfaces[session.surface]}</strong>{' '}
      <span class="muted">
        {named.length === 0 ? words.sessions.allNumbers : named.map((name) => <bdi key={name}>{name} </bdi>)}
      </span>
      <br />
      <code class="muted" dir="ltr">
        {session.id}
      </code>
    </div>
  )
}
