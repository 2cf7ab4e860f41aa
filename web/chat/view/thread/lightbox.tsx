import Download from 'lucide/dist/esm/icons/download.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import { useDrawn } from '../context.ts'

interface LightboxProps {
  readonly name: string
  readonly url: string
  readonly fileName: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A picture or video over the whole inbox. Esc closes it and returns the focus. */
export function Lightbox({ name, url, fileName, onClose, children }: LightboxProps) {
  const { words } = useDrawn()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      class="lightbox"
      aria-label={name}
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.stopPropagation()
      }}
    >
      {children}
      <p class="lightbox-acts">
        <a class="plain" href={url} download={fileName} aria-label={words.message.download}>
          <Icon of={Download} />
        </a>
        <button type="button" class="plain" aria-label={words.close} onClick={() => dialog.current?.close()}>
          <Icon of={X} />
        </button>
      </p>
    </dialog>
  )
}
