import { useId, useState } from 'preact/hooks'
import type { Softphone } from '../call/softphone.ts'
import { HangUp, type PhoneWords } from './in-call.tsx'

/** A number that may call. */
export interface PhoneNumber {
  readonly id: string
  readonly name: string
  readonly number: string
  /** Whether this page can carry the sound of its calls ([dashboard.softphone.1]). */
  readonly hasSound: boolean
}

interface DialFormProps {
  readonly phone: Softphone
  readonly numbers: readonly PhoneNumber[]
  readonly words: PhoneWords
  readonly isBusy: boolean
}

/** From which number, and to whom. */
export function DialForm({ phone, numbers, words, isBusy }: DialFormProps) {
  const [chosen, choose] = useState<string | null>(null)
  const [to, put] = useState('')
  const number = numbers.find((one) => one.id === chosen) ?? numbers.find((one) => one.hasSound) ?? numbers[0]
  if (!number) return <p class="hint">{words.noNumber}</p>
  const canDial = number.hasSound && to.trim() !== ''
  function dial(event: SubmitEvent): void {
    event.preventDefault()
    if (number && canDial) phone.dial(number.id, to.trim())
  }
  return (
    <form class="form" onSubmit={dial}>
      <From numbers={numbers} chosen={number.id} label={words.number} choose={choose} />
      {number.hasSound ? (
        <To value={to} words={words} put={put} />
      ) : (
        <p class="hint" data-why="official">
          {words.official}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="button primary" data-action="dial" disabled={isBusy || !canDial}>
          {words.dial}
        </button>
        {isBusy && <HangUp phone={phone} words={words} />}
      </div>
    </form>
  )
}

interface FromProps {
  readonly numbers: readonly PhoneNumber[]
  readonly chosen: string
  readonly label: string
  choose(id: string): void
}

function From({ numbers, chosen, label, choose }: FromProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name="numberId" value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {numbers.map((one) => (
          <option key={one.id} value={one.id}>
            {`${one.name} (+${one.number})`}
          </option>
        ))}
      </select>
    </div>
  )
}

interface ToProps {
  readonly value: string
  readonly words: PhoneWords
  put(to: string): void
}

function To({ value, words, put }: ToProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{words.to}</label>
      <input
        id={id}
        name="to"
        type="tel"
        dir="ltr"
        autocomplete="off"
        value={value}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => put(currentTarget.value)}
      />
      <p id={`${id}-hint`} class="hint">
        {words.toHint}
      </p>
    </div>
  )
}
