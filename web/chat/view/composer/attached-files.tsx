import FileText from 'lucide/dist/esm/icons/file-text.mjs'
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import SendHorizontal from 'lucide/dist/esm/icons/send-horizontal.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import { typed } from '../../../ui/typed.ts'
import { CAPTION_CHARACTERS, hasCaption, mediaTypeOf } from '../../model/ceilings.ts'
import { detach } from '../../state/drafts.ts'
import type { Draft } from '../../state/drafts.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import { useDrawn } from '../context.ts'
import { FilePicker } from './file-picker.tsx'
import { useOwnHeight } from './own-height.ts'
import type { Attach } from './use-attach.ts'

interface AttachedFilesProps {
  readonly draft: Draft
  readonly open: OpenThread
  readonly attach: Attach
  readonly isFrozen: boolean
}

/** Files about to be sent, each as a message of its own, with previews and one caption. */
export function AttachedFiles({ draft, open, attach, isFrozen }: AttachedFilesProps) {
  const { inbox, words } = useDrawn()
  const files = draft.files.value
  const part = useRef<HTMLDivElement>(null)
  const count = files.length
  useEffect(() => part.current?.querySelector<HTMLElement>('textarea, [data-action=send]')?.focus(), [count])

  function send(): void {
    if (isFrozen) return
    const [captioned, caption, reply] = [files.find(hasCaption), draft.caption.value.trim(), draft.reply.value]
    draft.files.value = []
    draft.caption.value = ''
    draft.reply.value = null
    for (const [at, file] of files.entries()) {
      void inbox.outbox.send(
        open.conversationId,
        { file, mediaType: mediaTypeOf(file.type), caption: file === captioned ? caption : '' },
        at === 0 ? reply : null,
      )
    }
    void open.goToEnd()
  }

  return (
    <div ref={part} class="attached" data-attached>
      <ul class="attached-files" role="list">
        {files.map((file) => (
          <AttachedFile key={keyOf(file)} file={file} onRemove={() => detach(draft, file)} />
        ))}
      </ul>
      <FilePicker attach={attach} isFrozen={isFrozen} icon={Plus} label={words.composer.attachMore} />
      {files.some(hasCaption) ? <Caption draft={draft} attach={attach} onSend={send} /> : <span class="attached-gap" />}
      <button
        type="button"
        class="primary round"
        data-action="send"
        aria-label={words.composer.send}
        disabled={isFrozen}
        onClick={send}
      >
        <Icon of={SendHorizontal} />
      </button>
    </div>
  )
}

function Caption({
  draft,
  attach,
  onSend,
}: Pick<AttachedFilesProps, 'draft' | 'attach'> & { readonly onSend: () => void }) {
  const {
    words: { composer },
  } = useDrawn()
  const field = useRef<HTMLTextAreaElement>(null)
  useOwnHeight(field, draft.caption.value)
  return (
    <textarea
      ref={field}
      class="caption"
      rows={1}
      aria-label={composer.caption}
      placeholder={composer.caption}
      value={draft.caption.value}
      dir="auto"
      onInput={(event) => {
        draft.caption.value = typed(event.currentTarget, CAPTION_CHARACTERS)
      }}
      onPaste={attach.pasted}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
        event.preventDefault()
        onSend()
      }}
    />
  )
}

function AttachedFile({ file, onRemove }: { readonly file: File; readonly onRemove: () => void }) {
  const { words, formats } = useDrawn()
  return (
    <li class="attached-file">
      <Preview file={file} />
      <p class="attached-name">
        <span class="attached-title" dir="auto">
          {file.name}
        </span>
        <span class="card-number">{formats.size(file.size)}</span>
      </p>
      <button
        type="button"
        class="plain"
        data-action="cancel"
        aria-label={words.composer.removeFile(file.name)}
        onClick={onRemove}
      >
        <Icon of={X} size={16} />
      </button>
    </li>
  )
}

const keys = new WeakMap<File, number>()
let lastKey = 0

/** A key for each file object, because two files may share a name. */
function keyOf(file: File): number {
  const key = keys.get(file) ?? ++lastKey
  keys.set(file, key)
  return key
}

function Preview({ file }: { readonly file: File }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file.type.startsWith('image/')) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url === null ? <Icon of={FileText} size={32} /> : <img class="attached-picture" src={url} alt="" />
}
