import { useState } from 'preact/hooks'
import type { ChatWords } from '../../../words/chat-words.ts'
import { ceilingOf, FILES_AT_ONCE, mediaTypeOf } from '../../model/ceilings.ts'
import type { Conversation, Provider } from '../../model/message.ts'
import { attach } from '../../state/drafts.ts'
import type { Draft } from '../../state/drafts.ts'
import { useDrawn } from '../context.ts'
import type { Formats } from '../format.ts'

export type Attach = ReturnType<typeof useAttach>

/** Takes files by button, paste or drop, and says why it does not take a file. */
export function useAttach(draft: Draft, { provider, canSend }: Pick<Conversation, 'provider' | 'canSend'>) {
  const { inbox, words, formats } = useDrawn()
  const [faults, setFaults] = useState<readonly string[]>([])
  const [isOver, setOver] = useState(false)
  const canTake = inbox.over.value === null && canSend.free

  function take(files: FileList | undefined): boolean {
    if (!files || files.length === 0 || !canTake) return false
    const told = [...files].map((file) => ({ file, fault: faultOf(file, provider, words, formats) }))
    const good = told.filter(({ fault }) => fault === null).map(({ file }) => file)
    const room = FILES_AT_ONCE - draft.files.value.length
    attach(draft, good.slice(0, room))
    setFaults([
      ...told.flatMap(({ fault }) => fault ?? []),
      ...(good.length > room ? [words.composer.tooMany(FILES_AT_ONCE)] : []),
    ])
    return true
  }

  return {
    /** Why files of the last choice were not taken. */
    faults,
    /** Whether files are being dragged over the thread, and it would take them. */
    isOver: isOver && canTake,
    picked(input: HTMLInputElement): void {
      take(input.files ?? undefined)
      input.value = ''
    },
    pasted(event: ClipboardEvent): void {
      if (take(event.clipboardData?.files)) event.preventDefault()
    },
    dropProps: {
      onDragEnter: (event: DragEvent) => {
        if (event.dataTransfer?.types.includes('Files')) setOver(true)
      },
      onDragLeave: (event: DragEvent) => {
        if (leaves(event)) setOver(false)
      },
      onDrop: (event: DragEvent) => {
        setOver(false)
        take(event.dataTransfer?.files)
      },
    },
  }
}

/** Why a file cannot be sent; null when it can. */
function faultOf(
  { name, size, type }: File,
  provider: Provider,
  { composer }: ChatWords,
  formats: Formats,
): string | null {
  const most = ceilingOf(mediaTypeOf(type), provider)
  if (size > most) return composer.tooLarge(name, formats.size(size), formats.size(most))
  return size === 0 ? composer.emptyFile(name) : null
}

/** Whether the dragged files leave the element that listens, not only one of its parts. */
function leaves({ currentTarget, relatedTarget }: DragEvent): boolean {
  return !(currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget))
}
