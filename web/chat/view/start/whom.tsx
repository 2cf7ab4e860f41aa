import { useEffect, useRef, useState } from 'preact/hooks'
import { plainText, readPhone } from '../../../../src/domain/phone-reading.ts'
import type { StartWords } from '../../../words/chat-start-words.ts'
import { RequestFailure } from '../../api/failure.ts'
import { reach } from '../../api/start-requests.ts'
import type { ChannelNumber } from '../../model/message.ts'
import { useDrawn } from '../context.ts'
import { saidFault } from './said-fault.ts'
import type { Chosen } from './chosen.ts'

interface WhomProps {
  readonly said: StartWords
  readonly typed: string
  readonly onTyped: (text: string) => void
  readonly onChosen: (chosen: Chosen) => void
}

/** Chooses the number to write from, where there are several, and whom to write to. */
export function Whom({ said, typed, onTyped, onChosen }: WhomProps) {
  const { inbox } = useDrawn()
  const numbers = inbox.session.value?.numbers ?? []
  const [id, setId] = useState(inbox.conversations.filter.peek().numberId)
  const [isTried, setTried] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const number = numbers.find((one) => one.id === id) ?? numbers[0]

  async function ask(from: ChannelNumber, to: string): Promise<void> {
    setAsking(true)
    setRefused(null)
    try {
      onChosen({ number: from, reached: await reach(inbox.requests.client, from.id, to) })
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      setRefused(saidFault(error, said))
      setAsking(false)
    }
  }

  function submit(event: Event): void {
    event.preventDefault()
    const { digits } = readPhone(typed)
    setTried(true)
    if (digits !== null && number && !isAsking && inbox.over.value === null) void ask(number, digits)
    else form.current?.querySelector('input')?.focus()
  }

  return (
    <form ref={form} noValidate onSubmit={submit}>
      {numbers.length > 1 && number && <FromField said={said} numbers={numbers} chosen={number} onChoose={setId} />}
      <PhoneField said={said} typed={typed} isTried={isTried} onTyped={onTyped} onLeft={() => setTried(true)} />
      {number?.startsFree === false && <p class="start-note">{said.templateOnly}</p>}
      {refused !== null && (
        <p class="failure" role="alert">
          {refused}
        </p>
      )}
      <p class="start-acts">
        <button type="submit" class="primary" data-action="next" disabled={inbox.over.value !== null}>
          {said.next}
        </button>
      </p>
    </form>
  )
}

interface FromProps {
  readonly said: StartWords
  readonly numbers: readonly ChannelNumber[]
  readonly chosen: ChannelNumber
  readonly onChoose: (id: string) => void
}

function FromField({ said, numbers, chosen, onChoose }: FromProps) {
  return (
    <label class="start-field">
      {said.from}
      <select data-start-from value={chosen.id} onChange={(event) => onChoose(event.currentTarget.value)}>
        {numbers.map(({ id, name, number }) => (
          <option key={id} value={id}>
            {name} +{number}
          </option>
        ))}
      </select>
    </label>
  )
}

interface PhoneProps extends Pick<WhomProps, 'said' | 'typed' | 'onTyped'> {
  /** The person left the field, or tried to go on. */
  readonly isTried: boolean
  readonly onLeft: () => void
}

/** A phone number, with what is wrong with it as the service would say. */
function PhoneField({ said, typed, isTried, onTyped, onLeft }: PhoneProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const fault = faultOf(typed, isTried, said)
  return (
    <div class="start-field">
      <label for="start-to">{said.to}</label>
      <input
        ref={field}
        id="start-to"
        type="text"
        inputMode="tel"
        autocomplete="off"
        data-start-to
        value={typed}
        aria-invalid={fault !== null}
        aria-describedby="start-to-hint"
        onInput={(event) => onTyped(event.currentTarget.value)}
        onBlur={() => {
          if (typed !== '') onLeft()
        }}
      />
      <p id="start-to-hint" class={fault === null ? 'start-note' : 'failure'} aria-live="polite">
        {fault ?? said.toHint}
      </p>
    </div>
  )
}

/** Digits of the shortest phone number ([rest.phones.1]). */
const LEAST_DIGITS = 8

/** What is wrong with a number; a beginning that may still become one is told of only once it was left. */
function faultOf(typed: string, isTried: boolean, said: StartWords): string | null {
  if (typed.trim() === '') return isTried ? said.needed : null
  const { fault } = readPhone(typed)
  if (fault === undefined) return null
  // With another digit behind it, a "+" or a bracket that was just opened is a number, too.
  const isBegun = plainText(`${typed}0`) !== null && typed.replaceAll(/\D/g, '').length < LEAST_DIGITS
  return fault === 'form' && isBegun && !isTried ? null : said.phone[fault]
}
