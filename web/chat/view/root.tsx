import type { ReadonlySignal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { Features } from '../../protocol/messages.ts'
import type { ChatWords } from '../../words/chat-words.ts'
import type { Language } from '../../words/language.ts'
import type { Inbox } from '../state/inbox.ts'
import { Notes } from '../state/notes.ts'
import { App } from './app.tsx'
import { DrawnContext } from './context.ts'
import { formatsOf } from './format.ts'
import { MediaShelf } from './media-shelf.ts'
import { Notice } from './notice.tsx'

interface RootProps {
  readonly inbox: Inbox
  /** The title that the host page gives the inbox; null means the words of the language. */
  readonly title: string | null
  readonly features: Features
  /** Null until the words of the language were read. */
  readonly words: ReadonlySignal<ChatWords | null>
  readonly language: ReadonlySignal<Language>
}

/** The inbox with the context that all its components use. */
export function Root({ inbox, title, features, words, language }: RootProps) {
  const [media] = useState(() => new MediaShelf(inbox.requests))
  const [notes] = useState(() => new Notes())
  const said = words.value
  if (said === null) return <Beginning />
  const drawn = {
    inbox,
    words: said,
    language: language.value,
    formats: formatsOf(language.value, said),
    media,
    notes,
    features,
  }
  return (
    <DrawnContext.Provider value={drawn}>
      <App title={title ?? said.inbox} />
    </DrawnContext.Provider>
  )
}

/** Shown before the host page has handed over a token. */
export function Beginning() {
  return <main class="inbox" data-state="loading" data-connection="connecting" aria-busy="true" />
}

/** Shown when the inbox stands in no frame. */
export function Alone({ words }: { readonly words: ReadonlySignal<ChatWords | null> }) {
  return (
    <main data-state="error" data-connection="offline">
      {words.value && <Notice heading={words.value.states.alone} />}
    </main>
  )
}
