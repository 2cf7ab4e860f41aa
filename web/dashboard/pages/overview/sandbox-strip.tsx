import { useState } from 'preact/hooks'
import type { words as english } from '../../../words/dashboard/overview/en.ts'
import type { Like } from '../../../words/language.ts'
import { SelectField, TextField } from '../../ground/form.tsx'
import { useNumbers } from '../../ground/numbers.ts'
import type { ListedNumber } from '../../ground/numbers.ts'
import { useLive } from '../../ground/use-live.ts'
import { useApp } from '../../shell/app.ts'

type Words = Like<typeof english>

/** A peer that answers calls and echoes what it hears ([sandbox.peers.1]). */
const PEER = '5511990000001'

interface StripProps {
  readonly words: Words
  /** The beginning of the addresses of the sandbox's control API. */
  readonly controlUrl: string
}

/** Lets a person without a phone scan a code, and write and call as a peer. It asks the sandbox, not the service. */
export function SandboxStrip({ words, controlUrl }: StripProps) {
  const numbers = useNumbers()
  useLive({
    number: ({ id, state }) => numbers.change((now) => now.map((one) => (one.id === id ? { ...one, state } : one))),
  })
  return (
    <section class="card" aria-labelledby="sandbox">
      <h2 id="sandbox">{words.sandbox}</h2>
      <p class="muted">{words.sandboxText}</p>
      {numbers.body !== null && numbers.body.length > 0 && (
        <Acts words={words} controlUrl={controlUrl} numbers={numbers.body} />
      )}
      <p>
        <a class="link" href={controlUrl} data-sandbox>
          {words.sandboxOpen}
        </a>
      </p>
    </section>
  )
}

interface ActsProps extends StripProps {
  readonly numbers: readonly ListedNumber[]
}

function Acts({ words, controlUrl, numbers }: ActsProps) {
  const { say } = useApp()
  const [chosen, choose] = useState<string | null>(null)
  const [text, put] = useState(words.sandboxHello)
  const number = numbers.find(({ id }) => id === chosen) ?? numbers[0]
  if (number === undefined) return null
  const { number: to } = number
  async function act(path: string, body: object, done: string): Promise<void> {
    say((await isDone(`${controlUrl}${path}`, body)) ? done : words.sandboxRefused)
  }
  return (
    <>
      <div class="filters">
        <SelectField
          label={words.sandboxNumber}
          name="sandboxNumber"
          value={number.id}
          options={numbers.map(({ id, name, number: digits }) => ({ value: id, label: `${name} (+${digits})` }))}
          change={choose}
        />
        <TextField label={words.sandboxMessage} name="sandboxText" value={text} change={put} />
      </div>
      <div class="actions">
        <Act name="scan" label={words.sandboxScan} act={() => act(`/devices/${to}/scan`, {}, words.sandboxScanned)} />
        <Act
          name="write"
          label={words.sandboxWrite}
          act={() => act(`/peers/${PEER}/messages`, { to, type: 'text', text }, words.sandboxWritten)}
        />
        <Act
          name="ring"
          label={words.sandboxRing}
          act={() => act(`/peers/${PEER}/calls`, { to, audio: 'echo' }, words.sandboxRings)}
        />
      </div>
    </>
  )
}

function Act({ name, label, act }: { readonly name: string; readonly label: string; act(): Promise<void> }) {
  const [isBusy, busy] = useState(false)
  async function press(): Promise<void> {
    busy(true)
    await act()
    busy(false)
  }
  return (
    <button type="button" class="button quiet" data-action={name} disabled={isBusy} onClick={() => void press()}>
      {label}
    </button>
  )
}

/** Asks the sandbox, which is another origin: it knows no session, so none is sent. */
async function isDone(url: string, body: object): Promise<boolean> {
  try {
    const { ok } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'omit',
      body: JSON.stringify(body),
    })
    return ok
  } catch {
    return false
  }
}
