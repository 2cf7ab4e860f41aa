import type { Language, Like } from '../language.ts'
import type * as english from './en.ts'

export type PairingWords = Like<typeof english.pairing>

/** The words of the connect page. */
export interface ConnectWords {
  readonly pairing: PairingWords
  readonly connect: Like<typeof english.connect>
}

/** Loads the words of a language on demand. */
export function loadWords(language: Language): Promise<ConnectWords> {
  switch (language) {
    case 'en':
      return import('./en.ts')
    case 'pt':
      return import('./pt.ts')
    case 'es':
      return import('./es.ts')
  }
}
