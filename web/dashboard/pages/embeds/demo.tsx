import { useEffect, useRef, useState } from 'preact/hooks'
import { isAllowedOrigin } from '../../../../src/domain/embed-session.ts'
import type { Answer } from '../../../ui/session/answers.ts'
import { Form, SelectField } from '../../ground/form.tsx'
import type { ListedNumber } from '../../ground/numbers.ts'
import { useApp } from '../../shell/app.ts'
import { loadChannel } from './channel.ts'
import type { Words } from './page-words.ts'
import type { MintedSession, Sdk } from './service.ts'

interface DemoProps {
  readonly words: Words
  readonly sdk: Sdk
  readonly numbers: readonly ListedNumber[]
  /** Called when a session was made or ended. */
  done(): void
}

/** What the SDK tells of an error ([sdk.errors.1]). */
interface Told {
  readonly code?: string
  readonly message?: string
}

/** Our choice, in seconds: how long the token of a demo lives; the inbox refreshes it while it is open. */
const TTL_SECONDS = 300
/** Our choice, in CSS pixels: the list and a conversation below one another are readable. */
const HEIGHT = 560

/** The inbox in this page, by the same script that other products load, for this page's origin alone. */
export function Demo(props: DemoProps) {
  const { words } = props
  const [session, show] = useState<MintedSession | null>(null)
  const [error, tell] = useState<string | null>(null)
  const place = useMounted(session, props, tell)
  const isAllowed = isAllowedOrigin(location.origin)
  return (
    <section class="card" aria-labelledby="demo" data-demo={session === null ? 'closed' : 'open'}>
      <h2 id="demo">{words.demo.heading}</h2>
      <p class="muted">{isAllowed ? words.demo.about : words.demo.needsHttps}</p>
      {isAllowed && session === null && (
        <Choose
          {...props}
          show={(made) => {
            tell(null)
            show(made)
            props.done()
          }}
        />
      )}
      {session !== null && (
        <div class="actions">
          <button type="button" class="button quiet" data-action="close" onClick={() => show(null)}>
            {words.demo.close}
          </button>
        </div>
      )}
      {error !== null && (
        <p class="fault" role="alert" lang="en" data-demo-fault>
          {error}
        </p>
      )}
      <div ref={place} class="demo-place" />
    </section>
  )
}

/** Shows the inbox of a session in the element that it gives; takes it away, and ends the session, with the session. */
function useMounted(session: MintedSession | null, { sdk, done }: DemoProps, tell: (error: string) => void) {
  const { api, language } = useApp()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (session === null) return
    let stop = (): void => undefined
    let isOver = false
    const fail = ({ code = 'NETWORK', message = '' }: Told): void => tell(`${code}: ${message}`)
    loadChannel(sdk.script).then(({ chat }) => {
      if (isOver || place.current === null) return
      const options = { token: session.token, height: HEIGHT, locale: language, onError: fail }
      const mounted = chat.mount(place.current, options)
      stop = () => mounted.destroy()
    }, fail)
    return () => {
      isOver = true
      stop()
      void api.delete(`/api/v1/embed/sessions/${session.id}`).then(done)
    }
  }, [session])
  return place
}

function Choose({ words, numbers, show }: DemoProps & { show(session: MintedSession): void }) {
  const { api } = useApp()
  const mint = (form: FormData): Promise<Answer<MintedSession>> =>
    api.post('/api/v1/embed/sessions', {
      surface: 'chat',
      channelNumberIds: [String(form.get('numberId'))],
      allowedOrigins: [location.origin],
      ttlSeconds: TTL_SECONDS,
    })
  return (
    <Form<MintedSession>
      name="demo"
      action="create"
      submit={words.demo.open}
      codes={words.codes}
      send={mint}
      done={show}
    >
      <SelectField
        label={words.demo.number}
        name="numberId"
        options={numbers.map(({ id, name, number }) => ({ value: id, label: `${name}, +${number}` }))}
      />
    </Form>
  )
}
