/** What a host page may ask of the SDK, and what it is given ([sdk.calls.1] to [sdk.calls.5]). */
import type { ChannelError } from './error.ts'

export type ThemeMode = 'light' | 'dark' | 'auto'

/** Wrong values are dropped, with a warning on the console. */
export interface ThemeOptions {
  /** `auto`, which follows the visitor's system, where it is left out. */
  mode?: ThemeMode | undefined
  /** `#rrggbb`. */
  primary?: string | undefined
  /** `#rrggbb`. */
  background?: string | undefined
  /** Of corners, in CSS pixels: 0-24. */
  radius?: number | undefined
  density?: 'comfortable' | 'compact' | undefined
}

export type Theme = ThemeMode | ThemeOptions

/** Of every mount, where the mount says nothing else. */
export interface InitOptions {
  /** Of the service: the origin of the script, where that was loaded from the service. The package needs it. */
  baseUrl?: string | undefined
  /** With both of these the SDK asks the service for nothing. */
  chatUrl?: string | undefined
  connectUrl?: string | undefined
  /** `en`, `pt` or `es`, with or without a region; else the visitor's. */
  locale?: string | undefined
  theme?: Theme | undefined
  /** Tells on the console what frame and page say to each other, without what is in it. */
  debug?: boolean | undefined
}

export interface FrameOptions {
  locale?: string | undefined
  theme?: Theme | undefined
  onReady?: (() => void) | undefined
  /** Told once for each cause; the console is told the same. */
  onError?: ((error: ChannelError) => void) | undefined
}

/** One of `token` and `fetchToken` is needed. */
export interface ChatOptions extends FrameOptions {
  /** Of an embed session of surface `chat`. */
  token?: string | undefined
  /** Asks your backend for a new embed token: at the beginning, unless `token` is given, and when a session is over. */
  fetchToken?: (() => Promise<string>) | undefined
  /** Heading of the inbox, and the frame's accessible name. */
  title?: string | undefined
  /** `fill`, as high as the target is, or CSS pixels. */
  height?: 'fill' | number | undefined
  /** The conversation it begins with. */
  conversationId?: string | undefined
  /** Comes first right after `onReady`. */
  onUnreadCount?: ((count: number) => void) | undefined
  onConversationOpened?: ((opened: { conversationId: string; channelNumberId: string }) => void) | undefined
  /** Mint a token on your backend and give it to `setToken`. With `fetchToken` only if that fails. */
  onSessionExpired?: ((expired: { reason: 'EXPIRED' | 'REVOKED' }) => void) | undefined
}

export interface ConnectOptions extends FrameOptions {
  /** `remotePairingToken` or `remotePairingUrl`. */
  token: string
  mode?: 'page' | 'button' | undefined
  /** Also for a link that was used before. */
  onPaired?: ((paired: { numberId: string; redirectUrl: string | null }) => void) | undefined
  /** Also for a link that was revoked. */
  onExpired?: (() => void) | undefined
  /** The dialog was closed, by whatever but `destroy`. */
  onClose?: (() => void) | undefined
}

export interface FrameHandle {
  readonly iframe: HTMLIFrameElement
  /** Takes all away that was put on the page. May be called again. */
  destroy(): void
  /** Goes on with another token in place. Throws TOKEN_MISSING or TOKEN_INVALID. */
  setToken(token: string): void
  setTheme(theme: Theme): void
  setLocale(locale: string): void
}

export interface ChatHandle extends FrameHandle {
  openConversation(conversationId: string): void
  focus(): void
}

export interface ConnectHandle extends FrameHandle {
  /** Closes the dialog; where none is open nothing happens. */
  close(): void
}

/** An element, or what finds it (`querySelector`). */
export type Target = Element | string
