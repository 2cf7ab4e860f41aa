import X from 'lucide/dist/esm/icons/x.mjs'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import type { MoreWords } from '../../../words/chat-more-words.ts'
import type { Draft } from '../../api/fields.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import { useDrawn } from '../context.ts'
import { useMoreWords } from '../more-words.ts'
import { CardFields } from './card-fields.tsx'
import { PlaceFields } from './place-fields.tsx'
import './templates.css'
import './send-form.css'

interface SendFormProps {
  readonly kind: 'location' | 'contacts'
  readonly open: OpenThread
  readonly onClose: () => void
}

/** Sends a place or a card into the conversation, in the place of the text field. */
export default function SendForm(props: SendFormProps) {
  const said = useMoreWords()
  return said && <Shown said={said} {...props} />
}

function Shown({ kind, open, onClose, said }: SendFormProps & { readonly said: MoreWords }) {
  const { inbox, words } = useDrawn()
  // No state: what was typed last counts for a key that is pressed before the next drawing.
  const written = useRef<Draft | null>(null)
  const [isTried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const heading = kind === 'location' ? said.sendLocation : said.sendContact
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), [])
  useFaultFocused(form, isTried)

  function submit(event: Event): void {
    event.preventDefault()
    setTried(true)
    const draft = written.current
    if (draft === null) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    if (draft === null || inbox.over.value !== null) return
    const begun = inbox.drafts.of(open.conversationId)
    const reply = begun.reply.value
    begun.reply.value = null
    onClose()
    void inbox.outbox.send(open.conversationId, draft, reply)
    void open.goToEnd()
  }

  function press(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }

  const onDraft = (draft: Draft | null): void => {
    written.current = draft
  }
  const fields = { said, isTried, onDraft }
  return (
    <section class="templates" aria-label={heading} data-send={kind} onKeyDown={press}>
      <header class="templates-head">
        <h3>{heading}</h3>
        <button type="button" class="plain" data-action="cancel" aria-label={words.close} onClick={onClose}>
          <Icon of={X} size={18} />
        </button>
      </header>
      <form ref={form} class="template-form" noValidate onSubmit={submit}>
        {kind === 'location' ? <PlaceFields {...fields} /> : <CardFields {...fields} />}
        <p class="template-acts">
          <button type="submit" class="primary" data-action="send" disabled={inbox.over.value !== null}>
            {words.composer.send}
          </button>
        </p>
      </form>
    </section>
  )
}

/** Leads to the first wrong field once something was tried to be sent. */
function useFaultFocused(form: { readonly current: HTMLFormElement | null }, isTried: boolean): void {
  useEffect(() => {
    if (isTried) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [isTried])
}
