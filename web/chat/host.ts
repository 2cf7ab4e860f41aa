import type { Signal } from '@preact/signals'
import type { Theme } from '../protocol/messages.ts'
import { followEscape } from '../ui/frame/follow.ts'
import type { FrameHost } from '../ui/frame/host.ts'
import { languageOf } from '../words/language.ts'
import type { Language } from '../words/language.ts'
import type { Inbox, InboxHost } from './state/inbox.ts'

/** The drawing settings that the host page may change. */
interface Drawing {
  readonly theme: Signal<Theme>
  readonly language: Signal<Language>
}

/** The messages that the inbox sends to the host page. */
export function tellHost(host: FrameHost): InboxHost {
  return {
    ready: () => host.tell('ready', {}),
    tokenRefreshed: (token, expiresAt) => host.tell('token-refreshed', { token, expiresAt }),
    sessionExpired: (reason) => host.tell('session-expired', { reason }),
    failed: (code, message) => host.tell('error', { code, message }),
    unreadCount: (count) => host.tell('chat:unread-count', { count }),
    conversationOpened: (conversationId, channelNumberId) =>
      host.tell('chat:conversation-opened', { conversationId, channelNumberId }),
  }
}

/** Follows what the host page asks for while the inbox runs. */
export function followHost(host: FrameHost, inbox: Inbox, { theme, language }: Drawing): void {
  followEscape(host)
  host.listen((message) => {
    switch (message.type) {
      case 'set-token':
        return void inbox.take(message.payload.token)
      case 'set-theme':
        return void (theme.value = message.payload.theme)
      case 'set-locale':
        return void (language.value = languageOf(message.payload.locale) ?? language.value)
      case 'chat:open-conversation':
        return void inbox.openConversation(message.payload.conversationId)
      case 'focus':
        return document.querySelector<HTMLElement>('[data-composer], [data-conversation]')?.focus()
      case 'close':
        return inbox.leave()
    }
  })
}
