import { effect } from '@preact/signals'
import type { FrameHost } from '../ui/frame/host.ts'
import type { PageModel } from './model.ts'
import { stateName } from './state.ts'

/** Tells the host of an embed each change of the page's state, and how the link ended ([inbox.frame.11]). */
export function tellHost(host: FrameHost, { page }: Pick<PageModel, 'page'>): void {
  let told: string | null = null
  host.tell('ready', {})
  effect(() => {
    const { link } = page.value
    const state = stateName(page.value)
    if (state === told) return
    told = state
    host.tell('connect:state', { state })
    if (state === 'connected' || state === 'already-connected')
      host.tell('connect:paired', { numberId: link?.numberId ?? '', redirectUrl: link?.redirectUrl ?? null })
    if (state === 'expired' || state === 'revoked') host.tell('connect:expired', {})
    if (state === 'invalid')
      host.tell('connect:error', { code: 'TOKEN_INVALID', message: 'The service knows no link of this token' })
  })
}
