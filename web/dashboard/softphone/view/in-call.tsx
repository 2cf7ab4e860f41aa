import { useState } from 'preact/hooks'
import type { words as english } from '../../../words/dashboard/softphone/en.ts'
import type { Like } from '../../../words/language.ts'
import type { Softphone } from '../call/softphone.ts'
import type { PhoneState } from '../call/state.ts'
import { Keypad } from './keypad.tsx'
import { Meter } from './meter.tsx'

export type PhoneWords = Like<typeof english>
type Live = Extract<PhoneState, { at: 'live' }>

interface InCallProps {
  readonly phone: Softphone
  readonly live: Live
  readonly words: PhoneWords
}

/** A call that is on: who it is with, what it sounds like, and what can be done. */
export function InCall({ phone, live, words }: InCallProps) {
  const { call, status, link } = live
  const isIncoming = call.direction === 'INBOUND' && status === 'RINGING' && link.at === 'none'
  return (
    <>
      <p class="who-calls">
        <strong>{isIncoming ? words.incoming : words.status[status]}</strong>
        <span class="digits" dir="ltr">
          +{call.peer}
        </span>
      </p>
      {(link.at === 'opening' || link.at === 'lost' || link.at === 'taken') && (
        <p class="hint" role="status" data-link={link.at}>
          {words.link[link.at]}
        </p>
      )}
      {isIncoming ? <Ringing phone={phone} words={words} /> : <Talking phone={phone} live={live} words={words} />}
    </>
  )
}

function Ringing({ phone, words }: Pick<InCallProps, 'phone' | 'words'>) {
  return (
    <div class="actions">
      <button type="button" class="button primary" data-action="accept" onClick={() => phone.accept()}>
        {words.accept}
      </button>
      <button type="button" class="button danger" data-action="reject" onClick={() => phone.take({ type: 'reject' })}>
        {words.reject}
      </button>
    </div>
  )
}

function Talking({ phone, live, words }: InCallProps) {
  const [hasKeys, showKeys] = useState(false)
  const isAnswered = live.status === 'ACCEPTED'
  return (
    <>
      <Meter which="mic" label={words.meters.mic} meter={phone.meters.mic} decibels={words.decibels} />
      <Meter which="peer" label={words.meters.peer} meter={phone.meters.peer} decibels={words.decibels} />
      <Stats phone={phone} words={words} />
      <div class="actions">
        {live.link.at === 'taken' && (
          <button type="button" class="button" data-action="take-back" onClick={() => phone.takeBack()}>
            {words.takeBack}
          </button>
        )}
        {live.hasBot && live.link.at === 'open' && (
          <button type="button" class="button" data-action="give-back" onClick={() => phone.take({ type: 'giveBack' })}>
            {words.giveBack}
          </button>
        )}
        <Toggle
          action="mute"
          label={words.mute}
          isOn={phone.isMuted.value}
          toggle={() => phone.mute(!phone.isMuted.value)}
        />
        {isAnswered && <RecordButton phone={phone} words={words} />}
        {isAnswered && <Toggle action="keys" label={words.keys} isOn={hasKeys} toggle={() => showKeys(!hasKeys)} />}
        <HangUp phone={phone} words={words} />
      </div>
      {isAnswered && hasKeys && <Keypad label={words.keys} nameOf={words.key} press={(digit) => phone.dtmf(digit)} />}
    </>
  )
}

interface ToggleProps {
  readonly action: string
  readonly label: string
  readonly isOn: boolean
  toggle(): void
}

function Toggle({ action, label, isOn, toggle }: ToggleProps) {
  return (
    <button type="button" class="button quiet" data-action={action} aria-pressed={isOn} onClick={toggle}>
      {label}
    </button>
  )
}

export function HangUp({ phone, words }: Pick<InCallProps, 'phone' | 'words'>) {
  return (
    <button type="button" class="button danger" data-action="hangup" onClick={() => phone.take({ type: 'hangup' })}>
      {words.hangup}
    </button>
  )
}

function RecordButton({ phone, words }: Pick<InCallProps, 'phone' | 'words'>) {
  return phone.isRecording.value ? (
    <button type="button" class="button quiet" data-action="stop-record" onClick={() => phone.stopRecording()}>
      {words.stopRecord} <span data-stat="recordedSeconds">{phone.recordedSeconds.value}</span> s
    </button>
  ) : (
    <button type="button" class="button quiet" data-action="record" onClick={() => phone.record()}>
      {words.record}
    </button>
  )
}

/** What the service measures of the leg, and this page of its playing. */
function Stats({ phone, words }: Pick<InCallProps, 'phone' | 'words'>) {
  const { rttMs, lost } = phone.stats.value
  const { queuedMs, underruns } = phone.playback.value ?? {}
  const shown = { rttMs, lost, queuedMs, underruns }
  return (
    <dl class="stats">
      {(Object.keys(shown) as (keyof typeof shown)[]).map((name) => (
        <div key={name}>
          <dt>{words.stats[name]}</dt>
          <dd data-stat={name}>{typeof shown[name] === 'number' ? unitOf(name, shown[name]) : '–'}</dd>
        </div>
      ))}
    </dl>
  )
}

function unitOf(name: string, value: number): string {
  return name.endsWith('Ms') ? `${Math.round(value)} ms` : String(value)
}
