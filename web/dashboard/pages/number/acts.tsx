import { useState } from 'preact/hooks'
import { kindOf } from '../../../../src/domain/kinds/kinds.ts'
import { copyText } from '../../../ui/clipboard.ts'
import type { Fault } from '../../../ui/session/answers.ts'
import { FaultLine } from '../../ground/asked.tsx'
import { Confirm } from '../../ground/confirm.tsx'
import { CopyText } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import type { ShownNumber } from '../pairing/number-facts.tsx'
import { Pairing } from '../pairing/pairing.tsx'
import type { NumberWords } from './number-words.ts'

interface ActsProps {
  readonly words: NumberWords
  readonly number: ShownNumber
  take(newer: ShownNumber): void
  /** Reads the number anew. */
  again(): void
}

/** What can be done with a number: connect and link where it is paired by QR, disconnect, remove. */
export function Acts({ words, number, take, again }: ActsProps) {
  const { actions } = words
  const [isPairing, pair] = useState(false)
  const [asks, ask] = useState<'logout' | 'delete' | null>(null)
  const isPaired = kindOf(number).can.pairing
  const mayConnect = isPaired && number.state !== 'OPEN'
  const close = (): void => ask(null)
  return (
    <>
      <div class="actions">
        {mayConnect && <ConnectButton words={words} isOpen={isPairing} open={pair} />}
        {mayConnect && <CopyLink words={words} number={number} />}
        {(isPaired || number.state !== 'CLOSE') && (
          <button type="button" class="button quiet" data-action="logout" onClick={() => ask('logout')}>
            {actions.logout}
          </button>
        )}
        <button type="button" class="button danger" data-action="delete" onClick={() => ask('delete')}>
          {actions.delete}
        </button>
      </div>
      {isPairing && isPaired && (
        <section class="card" aria-labelledby="connect">
          <h2 id="connect">{words.connectHeading}</h2>
          <Pairing numberId={number.id} words={words} done={again} />
        </section>
      )}
      {asks === 'logout' && <Logout words={words} number={number} take={take} close={close} />}
      {asks === 'delete' && <Remove words={words} number={number} close={close} />}
    </>
  )
}

interface ConnectButtonProps {
  readonly words: NumberWords
  readonly isOpen: boolean
  open(isOpen: boolean): void
}

function ConnectButton({ words: { actions }, isOpen, open }: ConnectButtonProps) {
  return (
    <button
      type="button"
      class="button primary"
      data-action="connect"
      aria-expanded={isOpen}
      onClick={() => open(!isOpen)}
    >
      {isOpen ? actions.hide : actions.connect}
    </button>
  )
}

interface AskProps {
  readonly words: NumberWords
  readonly number: ShownNumber
  close(): void
}

function Logout({ words, number, take, close }: AskProps & Pick<ActsProps, 'take'>) {
  const { api, say } = useApp()
  async function act(): Promise<Fault | null> {
    const { body, fault } = await api.post<ShownNumber>(`/api/v1/numbers/${number.id}/logout`)
    if (fault) return fault
    take(body)
    say(words.logout.done)
    close()
    return null
  }
  const { heading, text } = words.logout
  return (
    <Confirm
      heading={heading}
      text={text}
      name={number.name}
      label={words.actions.logout}
      codes={words.codes}
      act={act}
      close={close}
    />
  )
}

function Remove({ words, number, close }: AskProps) {
  const { api, say, router } = useApp()
  async function act(): Promise<Fault | null> {
    const { fault } = await api.delete(`/api/v1/numbers/${number.id}`)
    if (fault) return fault
    router.go('/dashboard/numbers')
    say(words.remove.done(number.name))
    return null
  }
  const { heading, text } = words.remove
  return (
    <Confirm
      heading={heading}
      text={text}
      name={number.name}
      label={words.actions.delete}
      codes={words.codes}
      act={act}
      close={close}
    />
  )
}

/** Makes a connect link and copies it; the link is shown too, because a browser may refuse to copy. */
function CopyLink({ words, number }: Pick<AskProps, 'words' | 'number'>) {
  const { api, say } = useApp()
  const [url, put] = useState<string | null>(null)
  const [fault, fail] = useState<Fault | null>(null)
  const [isBusy, busy] = useState(false)
  async function make(): Promise<void> {
    busy(true)
    fail(null)
    const { body, fault: refused } = await api.post<{ readonly remotePairingUrl: string }>(
      '/api/v1/numbers/remote-pairing',
      { name: number.name, number: number.number },
    )
    busy(false)
    if (refused) return fail(refused)
    put(body.remotePairingUrl)
    await copyText(body.remotePairingUrl).then(
      () => say(words.link.copied),
      () => undefined,
    )
  }
  return (
    <>
      <button type="button" class="button quiet" data-action="copy-link" disabled={isBusy} onClick={() => void make()}>
        {words.actions.copyLink}
      </button>
      {fault !== null && <FaultLine fault={fault} codes={words.codes} />}
      {url !== null && (
        <div class="secret" data-link>
          <p class="label">{words.link.heading}</p>
          <p class="hint">{words.link.text}</p>
          <CopyText text={url} />
        </div>
      )}
    </>
  )
}
