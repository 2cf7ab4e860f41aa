import { useState } from 'preact/hooks'
import { ceilingOf, mediaTypeOf } from '../../model/ceilings.ts'
import type { Conversation } from '../../model/message.ts'
import type { Draft } from '../../state/drafts.ts'
import { useDrawn } from '../context.ts'

export type Attach = ReturnType<typeof useAttach>

/** Takes a file by button, paste or drop, unless it is too large for what it would be sent as. */
export function useAttach(draft: Draft, { provider, canSend }: Pick<Conversation, 'provider' | 'canSend'>) {
  const { inbox, words, formats } = useDrawn()
  const [fault, setFault] = useState<string | null>(null)
  const [isOver, setOver] = useState(false)
  const canTake = inbox.over.value === null && canSend.free

  function take(file: File | undefined): boolean {
    if (!file || !canTake) return false
    const most = ceilingOf(mediaTypeOf(file.type), provider)
    setFault(file.size > most ? words.composer.tooLarge(formats.size(file.size), formats.size(most)) : null)
    if (file.size <= most) draft.file.value = file
    return true
  }

  return {
    fault,
    /** A file is held over the thread, which would take it. */
    isOver: isOver && canTake,
    picked(input: HTMLInputElement): void {
      take(input.files?.[0])
      input.value = ''
    },
    pasted(event: ClipboardEvent): void {
      if (take(event.clipboardData?.files[0])) event.preventDefault()
    },
    dropProps: {
      onDragEnter: (event: DragEvent) => { if (event.dataTransfer?.types.includes('Files')) setOver(true) },
      onDragLeave: (event: DragEvent) => { if (leaves(event)) setOver(false) },
      onDrop: (event: DragEvent) => {
        setOver(false)
        take(event.dataTransfer?.files[0])
      },
    },
  }
}

/** Whether what is dragged leaves the element that listens, and not just one of its parts. */
function leaves({ currentTarget, relatedTarget }: DragEvent): boolean {
  return !(currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget))
}
