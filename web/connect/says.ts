/** What the page says of a state, in words. Pure. */
import type { ConnectWords } from '../words/connect/words.ts'
import { methodShown } from './state.ts'
import type { PageState } from './page-state.ts'

export interface Said {
  readonly heading: string
  /** Null where the picture says it all. */
  readonly text: string | null
}

/**
 * Whether a code, or its place, is what the page shows: a code that is still valid stays, whatever fails
 * ([pages.states.9]).
 */
export function showsCode({ phase, code }: PageState): boolean {
  return phase === 'showing' || (code !== null && (phase === 'offline' || phase === 'failed'))
}

/** The heading of what is shown, with its text. */
export function headlineOf(state: PageState, { pairing, connect }: ConnectWords): Said {
  if (showsCode(state))
    return { heading: methodShown(state) === 'qr' ? pairing.qrHeading : pairing.codeHeading, text: null }
  switch (state.phase) {
    case 'loading':
    case 'showing':
      return { heading: connect.loading.heading, text: null }
    case 'already-connected':
      return connect.alreadyConnected
    case 'failed':
      return connect.failed[state.trouble ?? 'SERVER']
    default:
      return connect[state.phase]
  }
}

/** What is said above a code that stays while something else is in the way; null where nothing is. */
export function noticeOf(state: PageState, { connect }: ConnectWords): Said | null {
  if (!showsCode(state) || state.phase === 'showing') return null
  return state.phase === 'offline' ? connect.offline : connect.failed[state.trouble ?? 'SERVER']
}
