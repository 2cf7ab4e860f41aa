import { useEffect } from 'preact/hooks'
import type { Softphone } from '../call/softphone.ts'
import { faultText } from '../../ground/fault-text.ts'
import { useApp } from '../../shell/app.ts'
import type { Ending, PhoneState } from '../call/state.ts'
import { DialForm, type PhoneNumber } from './dial-form.tsx'
import { InCall, type PhoneWords } from './in-call.tsx'
import { SoundChoice } from './sound-choice.tsx'
import { useAwake } from './use-awake.ts'

interface PanelProps {
  readonly phone: Softphone
  readonly numbers: readonly PhoneNumber[]
  readonly words: PhoneWords
  /** Whether it shows although no call is on. */
  readonly isAlwaysShown: boolean
}

/** The softphone as it is docked beside every page ([dashboard.hooks.6]). */
export function Panel({ phone, numbers, words, isAlwaysShown }: PanelProps) {
  const state = phone.state.value
  const isOn = state.at === 'live' || state.at === 'placing'
  useAwake(isOn)
  useEffect(() => {
    const leave = (): void => phone.leave()
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [phone])
  if (state.at === 'idle' && !isAlwaysShown) return null
  return (
    <section class="softphone" aria-label={words.heading} data-softphone data-status={statusOf(state)}>
      <h2>{words.heading}</h2>
      {state.at === 'ended' && <Ended phone={phone} ending={state.ending} words={words} />}
      {state.at === 'placing' && <p role="status">{words.status.placing}</p>}
      {state.at === 'live' ? (
        <InCall phone={phone} live={state} words={words} />
      ) : (
        <DialForm phone={phone} numbers={numbers} words={words} isBusy={state.at === 'placing'} />
      )}
      {phone.recordingUrl.value !== null && (
        <a class="link" href={phone.recordingUrl.value} download="call.wav" data-recording>
          {words.recording}
        </a>
      )}
      <SoundChoice phone={phone} words={words} />
    </section>
  )
}

interface EndedProps {
  readonly phone: Softphone
  readonly ending: Ending
  readonly words: PhoneWords
}

/** How the call ended, until somebody has read it. */
function Ended({ phone, ending, words }: EndedProps) {
  const app = useApp()
  return (
    <div role="status" class="ending">
      <p>{ending.kind === 'refused' ? faultText(ending.fault, app.words, words.codes) : endingText(ending, words)}</p>
      {ending.kind === 'refused' && ending.fault.said !== undefined && (
        <p class="hint" lang="en">
          {ending.fault.said}
        </p>
      )}
      <button
        type="button"
        class="button quiet small"
        data-action="dismiss"
        onClick={() => phone.take({ type: 'dismiss' })}
      >
        {app.words.close}
      </button>
    </div>
  )
}

function endingText(ending: Exclude<Ending, { kind: 'refused' }>, words: PhoneWords): string {
  if (ending.kind !== 'status') return words[ending.kind]
  const said = isEnd(ending.status, words) ? words.ended[ending.status] : words.ended.COMPLETED
  return ending.error === null ? said : `${said} ${words.because(ending.error)}`
}

function isEnd(status: string, { ended }: PhoneWords): status is keyof PhoneWords['ended'] {
  return status in ended
}

function statusOf(state: PhoneState): string {
  switch (state.at) {
    case 'placing':
      return 'INITIATED'
    case 'live':
      return state.status
    default:
      return state.at
  }
}
