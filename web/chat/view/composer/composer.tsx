import { lazy, Suspense } from 'preact/compat'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Conversation, Message } from '../../model/message.ts'
import { windowOf } from '../../model/window.ts'
import { endEdit } from '../../state/editing.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import { Recorder } from '../../state/recorder.ts'
import { useDrawn } from '../context.ts'
import { useNow } from '../use-now.ts'
import { AttachedFiles } from './attached-files.tsx'
import { FieldRow } from './field-row.tsx'
import type { Picked } from './more-menu.tsx'
import { ReplyBar } from './reply-bar.tsx'
import type { Attach } from './use-attach.ts'
import { VoiceBar } from './voice-bar.tsx'

/** Each picker is loaded when it is first needed. */
const TemplatePicker = lazy(() => import('./template-picker.tsx'))
const CannedPicker = lazy(() => import('./canned-picker.tsx'))
const SendForm = lazy(() => import('./send-form.tsx'))

interface ComposerProps {
  /** The thread that a send goes to, whichever is open by then. */
  readonly open: OpenThread
  readonly conversation: Conversation
  readonly attach: Attach
}

/** The composer: free text when the server allows it, templates when it does not. */
export function Composer({ open, conversation, attach }: ComposerProps) {
  const { inbox, words, formats } = useDrawn()
  const window = windowOf(conversation, useNow(15_000))
  const isFrozen = inbox.over.value !== null
  return (
    <footer class="composer" data-window={window.at}>
      {window.at === 'closing' && (
        <p class="window-note">
          <span>{words.window.closing(formats.hours(window.leftMs))}</span>
        </p>
      )}
      {window.at === 'closed' && <Closed open={open} conversation={conversation} />}
      {window.at !== 'closed'
        && (conversation.canSend.reason === 'NEWSLETTER' ? (
          <p class="window-note">{words.window.newsletter}</p>
        ) : (
          <Free open={open} conversation={conversation} attach={attach} isFrozen={isFrozen} />
        ))}
    </footer>
  )
}

/** Stands in place of the field when no free text may be sent. */
function Closed({ open, conversation }: Omit<ComposerProps, 'attach'>) {
  const { words } = useDrawn()
  return (
    <>
      <p class="window-note">{words.window.closed}</p>
      <Suspense fallback={null}>
        <TemplatePicker open={open} conversation={conversation} onClose={null} />
      </Suspense>
    </>
  )
}

function Free({ open, conversation, attach, isFrozen }: ComposerProps & { readonly isFrozen: boolean }) {
  const { inbox, notes, words } = useDrawn()
  const draft = inbox.drafts.of(open.conversationId)
  const [recorder] = useState(() => new Recorder())
  const [picking, setPicking] = useState<Picked | null>(null)
  useFocusBack(picking !== null || draft.files.value.length > 0 || recorder.state.value.at !== 'off')
  if (picking !== null)
    return <Replacing picking={picking} onPick={setPicking} open={open} conversation={conversation} />

  async function saveEdit(message: Message, text: string): Promise<void> {
    if (text !== message.content && !(await inbox.change(message, text))) return notes.say(words.list.notMarked)
    if (draft.editing.value?.message === message) endEdit(draft)
  }

  function send(): void {
    const text = draft.text.value.trim()
    if (text === '' || isFrozen) return
    if (draft.editing.value) return void saveEdit(draft.editing.value.message, text)
    const reply = draft.reply.value
    draft.text.value = ''
    draft.reply.value = null
    void inbox.outbox.send(open.conversationId, { kind: 'text', text }, reply)
    void open.goToEnd()
  }

  return (
    <div class="free">
      <ReplyBar draft={draft} />
      {attach.faults.length > 0 && (
        <div class="failures" role="alert">
          {attach.faults.map((fault) => (
            <p key={fault} class="failure">
              {fault}
            </p>
          ))}
        </div>
      )}
      {draft.files.value.length > 0 ? (
        <AttachedFiles draft={draft} open={open} attach={attach} isFrozen={isFrozen} />
      ) : recorder.state.value.at === 'off' ? (
        <FieldRow send={send} open={open} attach={attach} recorder={recorder} onPick={setPicking} isFrozen={isFrozen} />
      ) : (
        <VoiceBar recorder={recorder} open={open} isFrozen={isFrozen} />
      )}
    </div>
  )
}

interface ReplacingProps extends Omit<ComposerProps, 'attach'> {
  readonly picking: Picked
  /** Goes on to something else, null to the field. */
  readonly onPick: (what: Picked | null) => void
}

/** Stands in place of the field while something else is chosen or filled in. */
function Replacing({ picking, onPick, open, conversation }: ReplacingProps) {
  const { inbox, features } = useDrawn()
  const close = () => onPick(null)
  return (
    <Suspense fallback={null}>
      {picking === 'location' || picking === 'contacts' ? (
        <SendForm kind={picking} open={open} onClose={close} />
      ) : picking === 'replies' && features.cannedReplies ? (
        <CannedPicker
          draft={inbox.drafts.of(open.conversationId)}
          onClose={close}
          onTemplates={() => onPick('templates')}
        />
      ) : (
        <TemplatePicker open={open} conversation={conversation} onClose={close} />
      )}
    </Suspense>
  )
}

/** Moves the focus back to the field when what took its place is done. */
function useFocusBack(isReplaced: boolean): void {
  const wasReplaced = useRef(false)
  useEffect(() => {
    if (wasReplaced.current && !isReplaced) document.querySelector<HTMLElement>('[data-composer]')?.focus()
    wasReplaced.current = isReplaced
  }, [isReplaced])
}
