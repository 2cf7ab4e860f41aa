import type { ComponentProps } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { newKey } from '../../../ui/key.ts'
import { typed } from '../../../ui/typed.ts'
import type { StartWords } from '../../../words/chat-start-words.ts'
import { RequestFailure } from '../../api/failure.ts'
import type { Draft } from '../../api/fields.ts'
import { start } from '../../api/start-requests.ts'
import type { TemplateChoice as Choice } from '../composer/template-picker.tsx'
import { useDrawn } from '../context.ts'
import { saidFault } from './said-fault.ts'
import type { Chosen } from './chosen.ts'

interface FirstProps extends Chosen {
  readonly said: StartWords
  /** Characters of a text. */
  readonly mostText: number
  readonly onBack: () => void
  readonly onSent: (conversationId: string) => void
}

/** The first message to somebody: a text where one may begin a conversation, or a template. */
export function First({ said, mostText, number, reached, onBack, onSent }: FirstProps) {
  const { inbox } = useDrawn()
  const [text, setText] = useState('')
  const [isTemplate, setTemplate] = useState(false)
  const { isSending, refused, send } = useSend({ said, number, reached, onSent })
  const { free } = reached.canSend
  return (
    <>
      <p class="start-note">
        <bdi>{said.writeTo(`+${reached.address}`)}</bdi>{' '}
        <button type="button" class="link" data-action="another" onClick={onBack}>
          {said.back}
        </button>
      </p>
      {!free && <p class="start-note">{said.templateOnly}</p>}
      {refused !== null && (
        <p class="failure" role="alert">
          {refused}
        </p>
      )}
      {free && !isTemplate ? (
        <TextForm
          text={text}
          most={mostText}
          onText={setText}
          isFrozen={isSending || inbox.over.value !== null}
          onTemplate={() => setTemplate(true)}
          onSend={(content) => send({ kind: 'text', text: content })}
        />
      ) : (
        <Templates
          numberId={number.id}
          onSend={(templateId, variables) => send({ kind: 'template', templateId, variables })}
          onClose={free ? () => setTemplate(false) : null}
        />
      )}
    </>
  )
}

/**
 * The templates, loaded like those of a conversation. Not by `lazy`: what two files of a page need of a package would
 * be in the first load of every small page.
 */
function Templates(props: ComponentProps<typeof Choice>) {
  const { words } = useDrawn()
  const [Shown, show] = useState<typeof Choice | null>(null)
  useEffect(() => {
    void import('../composer/template-picker.tsx').then(({ TemplateChoice }) => show(() => TemplateChoice))
  }, [])
  return Shown ? <Shown {...props} /> : <p class="waiting">{words.loading}</p>
}

interface TextFormProps {
  readonly text: string
  readonly most: number
  readonly isFrozen: boolean
  readonly onText: (text: string) => void
  readonly onTemplate: () => void
  readonly onSend: (text: string) => void
}

function TextForm({ text, most, isFrozen, onText, onTemplate, onSend }: TextFormProps) {
  const { words } = useDrawn()
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const said = text.trim()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (said !== '' && !isFrozen) onSend(said)
      }}
    >
      <label class="start-field">
        {words.composer.label}
        <textarea
          ref={field}
          rows={4}
          dir="auto"
          data-start-text
          value={text}
          onInput={(event) => onText(typed(event.currentTarget, most))}
        />
      </label>
      <p class="start-acts">
        <button type="button" class="link" data-action="template" onClick={onTemplate}>
          {words.composer.template}
        </button>
        <button type="submit" class="primary" data-action="send" disabled={said === '' || isFrozen}>
          {words.composer.send}
        </button>
      </p>
    </form>
  )
}

/** Sends the first message; what is tried again after the network was lost goes out once. */
function useSend({ said, number, reached, onSent }: Omit<FirstProps, 'mostText' | 'onBack'>) {
  const { inbox } = useDrawn()
  const [isSending, setSending] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const lost = useRef<{ readonly what: string; readonly key: string } | null>(null)

  async function send(draft: Draft): Promise<void> {
    const what = JSON.stringify(draft)
    const key = lost.current?.what === what ? lost.current.key : newKey()
    setSending(true)
    setRefused(null)
    try {
      const sent = await start(inbox.requests.client, number.id, reached.address, draft, key)
      onSent(sent.conversationId)
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      lost.current = error.kind === 'network' || error.status >= 500 ? { what, key } : null
      setRefused(saidFault(error, said))
      setSending(false)
    }
  }

  return {
    isSending,
    refused,
    send: (draft: Draft): void => {
      if (!isSending && inbox.over.value === null) void send(draft)
    },
  }
}
