import { useEffect, useRef } from 'preact/hooks'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { useApp } from '../../shell/app.ts'
import type { PeopleWords } from './people-words.ts'

/** The link of an invitation, and whom it is for. */
export interface Invitation {
  readonly userId: string
  readonly called: string
  readonly url: string
}

interface InviteLinkProps {
  readonly words: PeopleWords['link']
  readonly invitation: Invitation
  close(): void
}

/** The link of an invitation, for the only time. It takes the focus, since it has to be copied and handed on. */
export function InviteLink({ words, invitation: { called, url }, close }: InviteLinkProps) {
  const { words: ground, clock } = useApp()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [url])
  return (
    <section class="secret" aria-labelledby="invitation">
      <h2 id="invitation" ref={heading} tabIndex={-1} dir="auto">
        {words.heading(called)}
      </h2>
      <p>{words.text}</p>
      <div class="copied">
        <code data-secret dir="ltr">
          {url}
        </code>
        <CopyButton text={url} words={ground.copy} clock={clock} />
      </div>
      <div class="actions">
        <button type="button" class="button quiet small" data-action="hide" onClick={close}>
          {words.done}
        </button>
      </div>
    </section>
  )
}
