import { LIVE_STATUSES } from '../../../../src/domain/call.ts'
import type { RealtimeSessionState } from '../../../../src/domain/realtime-session.ts'
import type { words as english } from '../../../words/dashboard/call/en.ts'
import type { Like } from '../../../words/language.ts'
import { Asked, useAsked } from '../../ground/asked.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { CopyText, Time } from '../../ground/shown.tsx'
import { useLive } from '../../ground/use-live.ts'
import type { CallFrame } from '../../live/frames.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import './call.css'

type Words = Like<typeof english>

/** A realtime session of a call, as far as this page shows it. */
interface CallSession extends Pick<RealtimeSessionState, 'id' | 'direction' | 'mode' | 'dialect' | 'status' | 'error'> {
  readonly openedAt: string | null
  readonly closeCode: number | null
}

/** A call as it is read by itself ([calls.play.4]). */
interface OneCall extends CallFrame {
  /** The newest first ([voice.connect-to.8]). */
  readonly sessions?: readonly CallSession[]
  /** Null until the recording is whole, and after it is gone ([voice.recordings.11]). */
  readonly recordingUrl?: string | null
  readonly playback?: readonly { readonly mediaUrl: string; readonly status: string; readonly error?: string }[]
}

/** One call: when each of its steps was, how it ended, and the files that were played into it. */
export function Page({ words, id }: PageProps<Words>) {
  const { api } = useApp()
  const path = `/api/calls/${encodeURIComponent(id)}`
  const call = useAsked((signal) => api.get<OneCall>(path, { signal }), [id])
  useLive({
    call: (frame) => frame.id === id && call.change((now) => ({ ...now, ...frame })),
    event: ({ event, data: { callId, recordingUrl } }) =>
      event === 'call.recorded'
      && callId === id
      && call.change((now) => ({ ...now, recordingUrl: String(recordingUrl) })),
  })
  return (
    <PageFrame
      name="call"
      heading={call.body === null ? words.heading : words.headingOf(call.body.peerNumber)}
      id={id}
      status={call.body?.status}
      above={{ path: '/dashboard/calls', label: words.above }}
    >
      <Asked of={call}>
        {(body) => (
          <>
            <Facts call={body} words={words} />
            <Steps call={body} words={words} />
            {(body.recordingUrl ?? null) !== null && <Recording path={`${path}/recording`} words={words} />}
            {body.sessions !== undefined && body.sessions.length > 0 && (
              <Sessions call={body} sessions={body.sessions} words={words} />
            )}
            {body.playback !== undefined && body.playback.length > 0 && <Played call={body} words={words} />}
          </>
        )}
      </Asked>
    </PageFrame>
  )
}

function Facts({ call, words }: { readonly call: OneCall; readonly words: Words }) {
  return (
    <dl class="facts">
      <div>
        <dt>{words.status}</dt>
        <dd>{words.statuses[call.status as keyof Words['statuses']] ?? call.status}</dd>
      </div>
      <div>
        <dt>{words.direction}</dt>
        <dd>{words.directions[call.direction]}</dd>
      </div>
      {call.durationSeconds !== null && (
        <div>
          <dt>{words.length}</dt>
          <dd>{words.seconds(call.durationSeconds)}</dd>
        </div>
      )}
      {call.errorCode !== null && (
        <div>
          <dt>{words.error}</dt>
          <dd data-error={call.errorCode}>
            {words.errors[call.errorCode as keyof Words['errors']] ?? <bdi lang="en">{call.errorMessage}</bdi>}{' '}
            <code>{call.errorCode}</code>
          </dd>
        </div>
      )}
      <div>
        <dt>{words.id}</dt>
        <dd>
          <CopyText text={call.id} />
        </dd>
      </div>
    </dl>
  )
}

/** The times of a call, in order; those that have not come are left out. */
function Steps({ call, words }: { readonly call: OneCall; readonly words: Words }) {
  const steps = [
    { name: 'created', at: call.createdAt },
    { name: 'started', at: call.startedAt },
    { name: 'connected', at: call.connectedAt },
    { name: 'ended', at: call.endedAt },
  ] as const
  return (
    <section class="card">
      <h2>{words.timeline}</h2>
      <ol class="timeline">
        {steps.map(
          ({ name, at }) =>
            at !== null && (
              <li key={name} data-step={name}>
                <span>{words.steps[name]}</span> <Time at={at} style="long" />
              </li>
            ),
        )}
      </ol>
    </section>
  )
}

function Recording({ path, words }: { readonly path: string; readonly words: Words }) {
  return (
    <section class="card" data-recording>
      <h2>{words.recording}</h2>
      <audio controls preload="none" src={path} aria-label={words.recording} />
      <p>
        <a href={path} download>
          {words.saveRecording}
        </a>
      </p>
    </section>
  )
}

interface SessionsProps {
  readonly call: OneCall
  readonly sessions: readonly CallSession[]
  readonly words: Words
}

/** The sockets through which programs heard the call or spoke in it. */
function Sessions({ call, sessions, words }: SessionsProps) {
  const { can } = useApp()
  const isBots = sessions.some(({ mode, status }) => mode === 'talk' && status === 'OPEN')
  const isLive = LIVE_STATUSES.some((status) => status === call.status)
  return (
    <section class="card">
      <h2>{words.sessions}</h2>
      {isBots && isLive && can('calls:manage') && <TakeOver call={call} words={words} />}
      <ul class="plain">
        {sessions.map(({ id, direction, mode, dialect, status, openedAt, closeCode, error }) => (
          <li key={id} data-session={status}>
            {words.sessionKinds[direction][mode]}, <code>{dialect}</code>:{' '}
            <span class="muted">{words.sessionStatuses[status]}</span>
            {openedAt !== null && (
              <>
                {', '}
                <Time at={openedAt} style="long" />
              </>
            )}
            {closeCode !== null && <code> {closeCode}</code>}
            {error !== null && (
              <p class="hint" lang="en">
                <bdi>{error}</bdi>
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Has the softphone take the call over. */
function TakeOver({ call, words }: { readonly call: OneCall; readonly words: Words }) {
  const { callToTake } = useApp()
  const take = (): void => {
    callToTake.value = call
  }
  return (
    <button type="button" class="button" data-action="take-over" onClick={take}>
      {words.takeOver}
    </button>
  )
}

function Played({ call, words }: { readonly call: OneCall; readonly words: Words }) {
  return (
    <section class="card">
      <h2>{words.played}</h2>
      <ul class="plain">
        {call.playback?.map(({ mediaUrl, status, error }, at) => (
          <li key={at} data-played={status}>
            <bdi class="long">{mediaUrl}</bdi>{' '}
            <span class="muted">{words.playStatuses[status as keyof Words['playStatuses']] ?? status}</span>
            {error !== undefined && <code> {error}</code>}
          </li>
        ))}
      </ul>
    </section>
  )
}
