import X from 'lucide/dist/esm/icons/x.mjs'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import { loadStartWords } from '../../../words/chat-start-words.ts'
import type { StartWords } from '../../../words/chat-start-words.ts'
import { useDrawn } from '../context.ts'
import type { Chosen } from './chosen.ts'
import { First } from './first.tsx'
import { Whom } from './whom.tsx'
import './start.css'

interface StartDialogProps {
  /** Characters of a text. Given, since what two files of a page import is in the first load of every small page. */
  readonly mostText: number
  readonly onClose: () => void
}

/** Begins a conversation ([inbox.features.15]): whom to, then the first message. One that is there is opened. */
export default function StartDialog(props: StartDialogProps) {
  const { language } = useDrawn()
  const [said, setSaid] = useState<StartWords | null>(null)
  useEffect(() => {
    let isWanted = true
    void loadStartWords(language).then((words) => {
      if (isWanted) setSaid(words)
    })
    return () => {
      isWanted = false
    }
  }, [language])
  return said && <Shown said={said} {...props} />
}

function Shown({ said, mostText, onClose }: StartDialogProps & { readonly said: StartWords }) {
  const { inbox, words } = useDrawn()
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  // Before the effects of what is in it, which take the focus.
  useLayoutEffect(() => dialog.current?.showModal(), [])

  function opened(conversationId: string): void {
    dialog.current?.close()
    void inbox.openConversation(conversationId)
  }

  function choose(one: Chosen): void {
    if (one.reached.conversation) opened(one.reached.conversation.id)
    else setChosen(one)
  }

  return (
    <dialog
      ref={dialog}
      class="start"
      data-start={chosen ? 'first' : 'whom'}
      aria-labelledby="start-heading"
      onClose={onClose}
      // The keys of the inbox behind the dialog are not meant.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header class="start-head">
        <h2 id="start-heading">{words.list.start}</h2>
        <button
          type="button"
          class="plain"
          data-action="cancel"
          aria-label={words.close}
          onClick={() => dialog.current?.close()}
        >
          <Icon of={X} size={18} />
        </button>
      </header>
      {chosen ? (
        <First said={said} mostText={mostText} {...chosen} onBack={() => setChosen(null)} onSent={opened} />
      ) : (
        <Whom said={said} typed={typed} onTyped={setTyped} onChosen={choose} />
      )}
    </dialog>
  )
}
