import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Features } from '../../protocol/messages.ts'
import type { ChatWords } from '../../words/chat-words.ts'
import type { Language } from '../../words/language.ts'
import type { Inbox } from '../state/inbox.ts'
import type { Notes } from '../state/notes.ts'
import type { Formats } from './format.ts'
import type { MediaShelf } from './media-shelf.ts'

/** What every component of the inbox can use. */
export interface Drawn {
  readonly inbox: Inbox
  readonly words: ChatWords
  readonly language: Language
  readonly formats: Formats
  readonly media: MediaShelf
  readonly notes: Notes
  /** The parts of the inbox that the host page left on. */
  readonly features: Features
}

export const DrawnContext = createContext<Drawn | null>(null)

/** The context of the inbox. Throws outside of it. */
export function useDrawn(): Drawn {
  const drawn = useContext(DrawnContext)
  if (drawn === null) throw new Error('drawn outside of the inbox')
  return drawn
}
