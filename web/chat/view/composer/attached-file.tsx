import FileText from 'lucide/dist/esm/icons/file-text.mjs'
import SendHorizontal from 'lucide/dist/esm/icons/send-horizontal.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import { typed } from '../../../ui/typed.ts'
import { mediaTypeOf } from '../../model/ceilings.ts'
import type { Draft } from '../../state/drafts.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import { useDrawn } from '../context.ts'

/** contract 4: characters of a caption. */
const CAPTION = 1_024

/** A file about to be sent: how it looks, and what is written below it. */
export function AttachedFile({ draft, open, isFrozen }: { readonly draft: Draft, readonly open: OpenThread, readonly isFrozen: boolean }) {
  const { inbox, words, formats } = useDrawn()
  const file = draft.file.value
  const part = useRef<HTMLDivElement>(null)
  useEffect(() => part.current?.querySelector<HTMLElement>('input, [data-action=send]')?.focus(), [file])
  if (file === null) return null
  const mediaType = mediaTypeOf(file.type)

  function send(): void {
    if (file === null || isFrozen) return
    const [caption, reply] = [draft.caption.value.trim(), draft.reply.value]
    draft.file.value = null
    draft.caption.value = ''
    draft.reply.value = null
    void inbox.outbox.send(open.conversationId, { file, mediaType, caption }, reply)
    void open.goToEnd()
  }

  return (
    <div ref={part} class="attached" data-attached>
      <Preview file={file} />
      <p class="attached-name"><span dir="auto">{file.name}</span><span class="card-number">{formats.size(file.size)}</span></p>
      {mediaType !== 'audio' && (
        <input
          type="text" aria-label={words.composer.caption} placeholder={words.composer.caption} value={draft.caption.value} dir="auto"
          onInput={(event) => { draft.caption.value = typed(event.currentTarget, CAPTION) }} onKeyDown={(event) => { if (event.key === 'Enter' && !event.isComposing) send() }}
        />
      )}
      <button type="button" class="plain" data-action="cancel" aria-label={words.cancel} onClick={() => { draft.file.value = null }}><Icon of={X} /></button>
      <button type="button" class="primary round" data-action="send" aria-label={words.composer.send} disabled={isFrozen} onClick={send}><Icon of={SendHorizontal} /></button>
    </div>
  )
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
