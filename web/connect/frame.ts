/** The connect page in a frame of an embed; it is loaded on demand, because only frames need it. */
import type { FrameHost } from '../ui/frame/host.ts'
import { connectHost } from '../ui/frame/connect-host.ts'
import type { Following } from './follow.ts'
import { tellHost } from './host-news.ts'
import type { ConnectData, PageModel } from './model.ts'
import type { PageState } from './page-state.ts'
import { next } from './state.ts'

/** What the page does with a link, wherever its token came from. */
interface Acts {
  /** Follows a link until it is over or another one takes its place. */
  open(token: string): Following
  speak(locale: string | null): void
  /** The state of a page that has just opened. */
  first(): PageState
}

/** Follows the tokens that the host hands over; without a host that may frame the page it is of no use. */
export async function startFrame(model: PageModel, data: ConnectData, element: Element, acts: Acts): Promise<void> {
  const host = await connectHost(data.allowedOrigins, element)
  if (host === null) model.page.value = unusable(model.page.value)
  else openFrame(model, host, acts)
}

function openFrame(model: PageModel, host: FrameHost, { open, speak, first }: Acts): void {
  const { token, locale, theme, options } = host.init
  speak(locale)
  model.hostTheme.value = theme
  model.openPage.value = () => host.tell('connect:open', {})
  document.documentElement.toggleAttribute('data-modal', options.isModal)
  model.wanted.value = options.isModal ? 'page' : (options.mode ?? model.request.mode)
  let following = open(token)
  tellHost(host, model)
  host.listen((message) => {
    switch (message.type) {
      case 'set-theme':
        return void (model.hostTheme.value = message.payload.theme)
      case 'set-locale':
        return speak(message.payload.locale)
      case 'focus':
        return document.querySelector<HTMLElement>('h1, [data-action=connect]')?.focus()
      case 'close':
        return following.stop()
      case 'set-token':
        following.stop()
        model.page.value = first()
        following = open(message.payload.token)
    }
  })
}

/** The state of a page with a frame's address outside of a frame: it never gets a token. */
function unusable(state: PageState): PageState {
  return next(state, {
    type: 'answered',
    at: 0,
    to: 'view',
    answer: { kind: 'over', reason: 'UNKNOWN', redirectUrl: null, numberId: null },
  })
}
