/**
 * The closed union of messages between a host page and its frame ([inbox.frame.3] to [inbox.frame.12]), with a reader
 * for each direction. A reader returns null for a message of another form, and the caller drops it silently. An
 * optional field never makes a message invalid: an absent one reads as null, and a wrong one is left out with a
 * warning.
 */
import {
  isColor,
  isCount,
  isFlag,
  isOneOf,
  isText,
  isTextOrNull,
  isVersions,
  isWithin,
  readPayload,
  wish,
  wishes,
} from './checks.ts'
import type { Form, Payload, Warn, Wish } from './checks.ts'
import { openEnvelope } from './envelope.ts'

/** Versions of this protocol that this code speaks, oldest first. */
export const VERSIONS: readonly number[] = [1]

const NOTHING = {}
const FAULT = { code: isText, message: isText }

/**
 * The theme of a frame ([sdk.calls.5]). `mode` defaults to `auto`; every other field is null when the host names none.
 */
const THEME = wishes(
  {
    mode: wish(isOneOf('light', 'dark', 'auto'), 'auto' as const),
    primary: wish(isColor, null),
    background: wish(isColor, null),
    /** The radius of corners, in CSS pixels. */
    radius: wish(isWithin(0, 24), null),
    density: wish(isOneOf('comfortable', 'compact'), null),
  },
  'mode',
)
export type Theme = Read<typeof THEME>

const ON = wish(isFlag, true)

/** Parts of the inbox that a host may turn off by `false` ([sdk.calls.12]). */
const FEATURES = wishes({
  archive: ON,
  markUnread: ON,
  messageMenu: ON,
  personPanel: ON,
  search: ON,
  startConversation: ON,
  notifications: ON,
  cannedReplies: ON,
  assign: ON,
  notes: ON,
})
export type Features = Read<typeof FEATURES>

const OPTIONS = wishes({
  /** For the connect page: the view of a link, as `?mode=` says it. */
  mode: wish(isOneOf('page', 'button'), null),
  /** Whether the frame is in the host's dialog, which Esc closes. */
  isModal: wish(isFlag, false),
  /** For the inbox: its heading, and the conversation it opens first. */
  title: wish(isText, null),
  conversationId: wish(isText, null),
  features: FEATURES,
})
export type Options = Read<typeof OPTIONS>
/** Options as a host sends them: what it does not name is left out. */
export type SentOptions = { readonly [K in Exclude<keyof Options, 'features'>]?: Options[K] | undefined } & {
  readonly features?: { readonly [K in keyof Features]?: boolean | undefined } | undefined
}

const LOCALE = wish(isText, null)

/** Sent from the frame's window to the parent's. */
const HELLO = { hello: { surface: isOneOf('chat', 'connect'), versions: isVersions } }
/**
 * Sent from the parent's window to the frame's, with a MessagePort. `v` is the protocol version that both sides speak
 * from then on.
 */
const INIT = { init: { v: isCount, token: isText, locale: LOCALE, theme: THEME, options: OPTIONS } }

/** Sent to the host through the port. */
const TO_HOST = {
  ready: NOTHING,
  /** The height of everything that is drawn, in CSS pixels. */
  resize: { height: isCount },
  /** The token for a reload of the frame; `expiresAt` is an ISO date. */
  'token-refreshed': { token: isText, expiresAt: isText },
  'session-expired': { reason: isOneOf('EXPIRED', 'REVOKED') },
  error: FAULT,
  'chat:unread-count': { count: isCount },
  'chat:conversation-opened': { conversationId: isText, channelNumberId: isText },
  /** The `data-state` of the page. */
  'connect:state': { state: isText },
  /** The button was pressed; the host shows the page in a dialog. */
  'connect:open': NOTHING,
  /** Esc was pressed in the frame. */
  'connect:close': NOTHING,
  'connect:paired': { numberId: isText, redirectUrl: isTextOrNull },
  'connect:expired': NOTHING,
  'connect:error': FAULT,
}

/** Sent to the frame through the port. */
const TO_FRAME = {
  'set-token': { token: isText },
  'set-theme': { theme: THEME },
  'set-locale': { locale: LOCALE },
  'chat:open-conversation': { conversationId: isText },
  focus: NOTHING,
  /** The host removes the frame, so the frame ends its work. */
  close: NOTHING,
}

type Read<W> = W extends Wish<infer T> ? T : never
type Forms = Readonly<Record<string, Form>>
type Union<F extends Forms> = {
  readonly [K in keyof F]: { readonly type: K; readonly payload: Payload<F[K]> }
}[keyof F]

export type Hello = Payload<typeof HELLO.hello>
export type Init = Payload<typeof INIT.init>
export type ToHost = Union<typeof TO_HOST>
export type ToFrame = Union<typeof TO_FRAME>
export type AnyMessage = Union<typeof HELLO> | Union<typeof INIT> | ToHost | ToFrame

function read<F extends Forms>(forms: F, data: unknown, warn: Warn = () => {}): Union<F> | null {
  const opened = openEnvelope(data)
  const form = opened && Object.hasOwn(forms, opened.type) ? forms[opened.type] : undefined
  const payload = form && readPayload(form, opened?.payload, warn)
  return payload ? ({ type: opened?.type, payload } as Union<F>) : null
}

/** Reads a hello that a host's window received; null when it is none. The caller checks who sent it. */
export function readHello(data: unknown): Hello | null {
  return read(HELLO, data)?.payload ?? null
}

/**
 * Reads an init that a frame's window received; null when it is none. The caller checks who sent it. `warn` is called
 * for each field that is left out.
 */
export function readInit(data: unknown, warn?: Warn): Init | null {
  return read(INIT, data, warn)?.payload ?? null
}

/** Reads a message that the host's port received; null when it has no valid form. */
export function readToHost(data: unknown): ToHost | null {
  return read(TO_HOST, data)
}

/**
 * Reads a message that the frame's port received; null when it has no valid form. `warn` is called for each field that
 * is left out.
 */
export function readToFrame(data: unknown, warn?: Warn): ToFrame | null {
  return read(TO_FRAME, data, warn)
}

/** Reads a theme that a host page wrote. */
export function readTheme(sent: unknown, warn: Warn): Theme {
  return THEME.read(sent, 'theme', warn)
}
