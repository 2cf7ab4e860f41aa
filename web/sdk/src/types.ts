/** What a host page can ask of the SDK, and what it gets ([sdk.calls.1] to [sdk.calls.5]). */
import type { ChannelError } from './error.ts'

export type ThemeMode = 'light' | 'dark' | 'auto'

/** Wrong values are dropped with a warning on the console. */
export interface ThemeOptions {
  /** Default `auto`, which follows the visitor's system. */
  mode?: ThemeMode | undefined
  /** `#rrggbb`. */
  primary?: string | undefined
  /** `#rrggbb`. */
  background?: string | undefined
  /** The radius of corners, in CSS pixels: 0 to 24. */
  radius?: number | undefined
  density?: 'comfortable' | 'compact' | undefined
}

export type Theme = ThemeMode | ThemeOptions

/** Defaults of every mount. */
export interface InitOptions {
  /**
   * Base URL of the service; default is the origin of the script when the service served it. Required with the package.
   */
  baseUrl?: string | undefined
  /** With both of these the SDK sends no discovery request to the service. */
  chatUrl?: string | undefined
  connectUrl?: string | undefined
  /** `en`, `pt` or `es`, with or without a region; default is the visitor's language. */
  locale?: string | undefined
  theme?: Theme | undefined
  /** Logs the messages between frame and page on the console, without their content. */
  debug?: boolean | undefined
}

export interface FrameOptions {
  locale?: string | undefined
  theme?: Theme | undefined
  onReady?: (() => void) | undefined
  /** Called once for each cause; the console shows the same. */
  onError?: ((error: ChannelError) => void) | undefined
}

/** Parts of the inbox ([sdk.calls.12]). */
export interface ChatFeatures {
  /** Archive conversations, and see those that are archived. */
  archive?: boolean | undefined
  /** Mark a conversation as unread. */
  markUnread?: boolean | undefined
  /** The menu of a message. */
  messageMenu?: boolean | undefined
  /** Who the other person is. */
  personPanel?: boolean | undefined
  /** Search in a conversation. */
  search?: boolean | undefined
  /** Begin a conversation, where the session was minted with `startConversation`. */
  startConversation?: boolean | undefined
  /** Sound and desktop notifications. */
  notifications?: boolean | undefined
  cannedReplies?: boolean | undefined
  /** Assign a conversation to a person. */
  assign?: boolean | undefined
  /** Internal notes. */
  notes?: boolean | undefined
}

/** `token` or `fetchToken` is required. */
export interface ChatOptions extends FrameOptions {
  /** Token of an embed session of surface `chat`. */
  token?: string | undefined
  /** Asks your backend for a new embed token: at the start, unless `token` is given, and when a session is over. */
  fetchToken?: (() => Promise<string>) | undefined
  /** Heading of the inbox, and accessible name of the frame. */
  title?: string | undefined
  /** `fill`, the height of the target, or a number of CSS pixels. */
  height?: 'fill' | number | undefined
  /** Id of the conversation that is opened first. */
  conversationId?: string | undefined
  /** Parts of the inbox that are turned off by `false`; all are on by default. Names that are unknown are ignored. */
  features?: ChatFeatures | undefined
  /** Called first right after `onReady`. */
  onUnreadCount?: ((count: number) => void) | undefined
  onConversationOpened?: ((opened: { conversationId: string; channelNumberId: string }) => void) | undefined
  /** Create a token on your backend and pass it to `setToken`. With `fetchToken` it is called only if that fails. */
  onSessionExpired?: ((expired: { reason: 'EXPIRED' | 'REVOKED' }) => void) | undefined
}

export interface ConnectOptions extends FrameOptions {
  /** The link's `remotePairingToken` or `remotePairingUrl`. */
  token: string
  mode?: 'page' | 'button' | undefined
  /** Also called for a link that was used before. */
  onPaired?: ((paired: { numberId: string; redirectUrl: string | null }) => void) | undefined
  /** Also called for a link that was revoked. */
  onExpired?: (() => void) | undefined
  /** Called when the dialog closes, by anything but `destroy`. */
  onClose?: (() => void) | undefined
}

export interface FrameHandle {
  readonly iframe: HTMLIFrameElement
  /** Removes everything that it put on the page. May be called again. */
  destroy(): void
  /** Continues with another token in place. Throws TOKEN_MISSING or TOKEN_INVALID. */
  setToken(token: string): void
  setTheme(theme: Theme): void
  setLocale(locale: string): void
}

export interface ChatHandle extends FrameHandle {
  openConversation(conversationId: string): void
  focus(): void
}

export interface ConnectHandle extends FrameHandle {
  /** Closes the dialog; does nothing when none is open. */
  close(): void
}

/** An element, or a selector that finds it (`querySelector`). */
export type Target = Element | string
