import ArrowLeft from 'lucide/dist/esm/icons/arrow-left.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import { RequestFailure } from '../../api/failure.ts'
import type { Conversation } from '../../model/message.ts'
import type { Template } from '../../model/template.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import { useDrawn } from '../context.ts'
import { useMoreWords, useSaid } from '../more-words.ts'
import { enterList, roam } from '../roving.ts'
import { TemplateForm } from './template-form.tsx'
import './templates.css'

/** Our choice, in ms: the pause in typing after which a name is searched for. */
const TYPED_MS = 250

interface TemplatePickerProps {
  readonly open: OpenThread
  readonly conversation: Conversation
  /** Null when the picker cannot be closed, because nothing else may be sent. */
  readonly onClose: (() => void) | null
}

/** Chooses a template that can be sent, fills it in and sends it into the conversation. */
export default function TemplatePicker({ open, conversation, onClose }: TemplatePickerProps) {
  const { inbox } = useDrawn()
  const [sends, setSends] = useState(0)

  function send(templateId: string, variables: Readonly<Record<string, string>>): void {
    const draft = inbox.drafts.of(open.conversationId)
    const reply = draft.reply.value
    draft.reply.value = null
    // A picker that stays shows the list again.
    setSends(sends + 1)
    onClose?.()
    void inbox.outbox.send(open.conversationId, { kind: 'template', templateId, variables }, reply)
    void open.goToEnd()
  }

  return <TemplateChoice key={sends} numberId={conversation.numberId} onSend={send} onClose={onClose} />
}

interface TemplateChoiceProps {
  readonly numberId: string
  readonly onSend: (templateId: string, variables: Readonly<Record<string, string>>) => void
  /** Null when the templates cannot be closed, because nothing else may be sent. */
  readonly onClose: (() => void) | null
}

/** Chooses a template that a number can send, and fills it in. */
export function TemplateChoice(props: TemplateChoiceProps) {
  return useMoreWords() && <Shown {...props} />
}

function Shown({ numberId, onSend, onClose }: TemplateChoiceProps) {
  const said = useSaid()
  const { words } = useDrawn()
  const [chosen, setChosen] = useState<Template | null>(null)

  function leave(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || (chosen === null && onClose === null)) return
    event.preventDefault()
    event.stopPropagation()
    if (chosen) setChosen(null)
    else onClose?.()
  }

  return (
    <section class="templates" aria-label={said.templates.heading} onKeyDown={leave}>
      <header class="templates-head">
        {chosen && (
          <button type="button" class="plain" aria-label={said.templates.back} onClick={() => setChosen(null)}>
            <Icon of={ArrowLeft} size={18} />
          </button>
        )}
        <h3>{chosen ? chosen.name : said.templates.heading}</h3>
        {onClose && (
          <button type="button" class="plain" data-action="cancel" aria-label={words.close} onClick={onClose}>
            <Icon of={X} size={18} />
          </button>
        )}
      </header>
      {chosen ? (
        <TemplateForm template={chosen} onSend={onSend} />
      ) : (
        <Choice numberId={numberId} onChoose={setChosen} isAsked={onClose !== null} />
      )}
    </section>
  )
}

interface ChoiceProps {
  readonly numberId: string
  readonly onChoose: (template: Template) => void
  /** Whether the person opened the picker; its search field then takes the focus. */
  readonly isAsked: boolean
}

function Choice({ numberId, onChoose, isAsked }: ChoiceProps) {
  const said = useSaid()
  const [wanted, setWanted] = useState('')
  const found = useTemplates(numberId, wanted)
  const search = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isAsked) search.current?.focus()
  }, [])
  return (
    <>
      <input
        ref={search}
        type="text"
        class="templates-search"
        aria-label={said.templates.search}
        placeholder={said.templates.search}
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
        onKeyDown={(event) => enterList(event, '[data-template]')}
      />
      <FoundTemplates found={found} onChoose={onChoose} />
    </>
  )
}

/** Null while the templates are being read. */
type Found = readonly Template[] | 'failed' | null

interface FoundProps {
  readonly found: Found
  readonly onChoose: (template: Template) => void
}

function FoundTemplates({ found, onChoose }: FoundProps) {
  const { words } = useDrawn()
  const said = useSaid()
  if (found === 'failed') return <p class="failure">{words.states.failed}</p>
  if (found === null)
    return (
      <p class="waiting" role="status">
        {words.loading}
      </p>
    )
  if (found.length === 0) return <p class="aside">{said.templates.none}</p>
  return (
    <ul class="templates-list" onKeyDown={(event) => void roam(event, event.currentTarget, 'button')}>
      {found.map((template) => (
        <li key={template.id}>
          <button type="button" data-template={template.id} onClick={() => onChoose(template)}>
            <span class="template-name">
              {template.name} <span class="card-number">{template.language}</span>
            </span>
            <span class="template-text" dir="auto">
              {template.body.body?.text}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The templates whose name matches the typed text. */
function useTemplates(numberId: string, wanted: string): Found {
  const { inbox } = useDrawn()
  const [found, setFound] = useState<Found>(null)
  useEffect(() => {
    const asking = new AbortController()
    const timer = setTimeout(
      () => {
        inbox.requests.templates(numberId, wanted.trim(), asking.signal).then(setFound, (error: unknown) => {
          if (!(error instanceof RequestFailure)) throw error
          if (!asking.signal.aborted) setFound('failed')
        })
      },
      wanted === '' ? 0 : TYPED_MS,
    )
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [numberId, wanted, inbox])
  return found
}
