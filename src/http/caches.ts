import { createEmbedEndings } from './request/embed-endings.ts'
import type { EmbedEndingDeps, EmbedEndings } from './request/embed-endings.ts'
import { createNumberRefs } from './request/number-refs.ts'
import type { NumberRefDeps, NumberRefs } from './request/number-refs.ts'

/** What requests remember for a moment or go on by, and every node is told of when it changes. */
export interface Caches {
  readonly numberRefs: NumberRefs
  readonly embedEndings: EmbedEndings
}

/** What they stand on. */
export type CacheDeps = NumberRefDeps & EmbedEndingDeps

/** Makes them; each listens for what changes on other nodes. */
export function createCaches(deps: CacheDeps): Caches {
  return {
    numberRefs: createNumberRefs(deps),
    embedEndings: createEmbedEndings(deps),
  }
}
