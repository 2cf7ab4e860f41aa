/** The words of the page for a state. Pure. */
import type { ConnectWords } from '../words/connect/words.ts'
import { methodShown } from './state.ts'
import type { PageState } from './page-state.ts'

export interface Said {
  readonly heading: string
  /** Null when the picture says it all. */
  readonly text: string | null
}

/** Whether the page shows a code, or a placeholder for one. A valid code stays whatever fails ([pages.states.9]). */
export function showsCode({ phase, code }: PageState): boolean {
  return phase === 'showing' || (code !== null && (phase === 'offline' || phase === 'failed'))
}

/** The heading and text of a state. */
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

/** The notice above a code that stays while something fails; null when nothing does. */
export function noticeOf(state: PageState, { connect }: ConnectWords): Said | null {
  if (!showsCode(state) || state.phase === 'showing') return null
  return state.phase === 'offline' ? connect.offline : connect.failed[state.trouble ?? 'SERVER']
}
