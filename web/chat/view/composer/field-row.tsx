import LayoutTemplate from 'lucide/dist/esm/icons/layout-template.mjs'
import Mic from 'lucide/dist/esm/icons/mic.mjs'
import Paperclip from 'lucide/dist/esm/icons/paperclip.mjs'
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import SendHorizontal from 'lucide/dist/esm/icons/send-horizontal.mjs'
import { lazy, Suspense } from 'preact/compat'
import { useRef } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import type { OpenThread } from '../../state/open-thread.ts'
import type { Recorder } from '../../state/recorder.ts'
import { useDrawn } from '../context.ts'
import { useMenu } from '../menu/use-menu.ts'
import { EmojiButton } from './emoji-button.tsx'
import { FilePicker } from './file-picker.tsx'
import type { Picked } from './more-menu.tsx'
import { TextField } from './text-field.tsx'
import type { Attach } from './use-attach.ts'

/** The menu is loaded when somebody first opens it. */
const MoreMenu = lazy(() => import('./more-menu.tsx'))

interface FieldRowProps {
  readonly send: () => void
  readonly open: OpenThread
  readonly attach: Attach
  readonly recorder: Recorder
  readonly onPick: (what: Picked) => void
  readonly isFrozen: boolean
}

/** The text field with the buttons beside it. */
export function FieldRow({ send, open, attach, recorder, onPick, isFrozen }: FieldRowProps) {
  const { inbox, words } = useDrawn()
  const draft = inbox.drafts.of(open.conversationId)
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <div class="field-row">
      <FilePicker attach={attach} isFrozen={isFrozen} icon={Paperclip} label={words.composer.attach} />
      <MoreButton isFrozen={isFrozen} onPick={onPick} />
      <TemplateButton isFrozen={isFrozen} onPick={onPick} />
      <EmojiButton field={field} draft={draft} isFrozen={isFrozen} />
      <TextField
        open={open}
        field={field}
        draft={draft}
        isFrozen={isFrozen}
        onSend={send}
        onPick={onPick}
        onPaste={attach.pasted}
      />
      {draft.text.value.trim() === '' ? (
        <RecordButton recorder={recorder} isFrozen={isFrozen} />
      ) : (
        <SendButton
          isFrozen={isFrozen}
          onSend={() => {
            send()
            field.current?.focus()
          }}
        />
      )}
    </div>
  )
}

function TemplateButton({ isFrozen, onPick }: Pick<FieldRowProps, 'isFrozen' | 'onPick'>) {
  const { words } = useDrawn()
  return (
    <button
      type="button"
      class="plain"
      data-action="template"
      aria-label={words.composer.template}
      disabled={isFrozen}
      onClick={() => onPick('templates')}
    >
      <Icon of={LayoutTemplate} />
    </button>
  )
}

/** Opens the menu of everything else that can be sent. */
function MoreButton({ isFrozen, onPick }: Pick<FieldRowProps, 'isFrozen' | 'onPick'>) {
  const { words } = useDrawn()
  const menu = useMenu()
  return (
    <>
      <button
        type="button"
        class="plain"
        data-action="more"
        aria-label={words.composer.more}
        aria-haspopup="menu"
        aria-expanded={menu.place !== null}
        disabled={isFrozen}
        onClick={({ currentTarget }) => menu.openAt(currentTarget)}
      >
        <Icon of={Plus} />
      </button>
      {menu.place && (
        <Suspense fallback={null}>
          <MoreMenu place={menu.place} onPick={onPick} onClose={menu.close} />
        </Suspense>
      )}
    </>
  )
}

/** Records a voice note; it is shown while the text field is empty. */
function RecordButton({ recorder, isFrozen }: { readonly recorder: Recorder; readonly isFrozen: boolean }) {
  const { words } = useDrawn()
  return (
    <button
      type="button"
      class="plain"
      data-action="record"
      aria-label={words.composer.record}
      disabled={isFrozen}
      onClick={() => void recorder.start()}
    >
      <Icon of={Mic} />
    </button>
  )
}

function SendButton({ onSend, isFrozen }: { readonly onSend: () => void; readonly isFrozen: boolean }) {
  const { words } = useDrawn()
  return (
    <button
      type="button"
      class="primary round"
      data-action="send"
      aria-label={words.composer.send}
      disabled={isFrozen}
      onClick={onSend}
    >
      <Icon of={SendHorizontal} />
    </button>
  )
}
