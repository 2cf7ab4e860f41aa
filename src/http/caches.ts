import { createEmbedEndings } from './request/embed-endings.ts'
import type { EmbedEndingDeps, EmbedEndings } from './request/embed-endings.ts'
import { createSessionEndings } from './request/session-endings.ts'
import type { SessionEndingDeps, SessionEndings } from './request/session-endings.ts'
import { createNumberRefs } from './request/number-refs.ts'
import type { NumberRefDeps, NumberRefs } from './request/number-refs.ts'

/** What requests remember for a moment, and what long requests watch. Every node is told when it changes. */
export interface Caches {
  readonly numberRefs: NumberRefs
  readonly embedEndings: EmbedEndings
  readonly sessionEndings: SessionEndings
}

export type CacheDeps = NumberRefDeps & EmbedEndingDeps & SessionEndingDeps

/** Makes the caches; each listens for what changes on other nodes. */
export function createCaches(deps: CacheDeps): Caches {
  return {
    numberRefs: createNumberRefs(deps),
    embedEndings: createEmbedEndings(deps),
    sessionEndings: createSessionEndings(deps),
  }
}
