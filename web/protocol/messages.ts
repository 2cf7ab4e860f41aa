/**
 * The closed union of messages between a host page and its frame ([inbox.frame.3] to [inbox.frame.12]), and a reader of
 * each way. A reader gives null for whatever is not of the form: what is null is dropped in silence. What a host may
 * wish is never the reason: what is absent reads as null, and what is wrong is left out with a warning.
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

/** Versions of this protocol that these files speak, oldest first. */
export const VERSIONS: readonly number[] = [1]

const NOTHING = {}
const FAULT = { code: isText, message: isText }

/**
 * How a frame is drawn ([sdk.calls.5]): `mode` where the host says nothing is `auto`; the rest is null where it
 * says nothing.
 */
const THEME = wishes(
  {
    mode: wish(isOneOf('light', 'dark', 'auto'), 'auto' as const),
    primary: wish(isColor, null),
    background: wish(isColor, null),
    /** CSS pixels. */
    radius: wish(isWithin(0, 24), null),
    density: wish(isOneOf('comfortable', 'compact'), null),
  },
  'mode',
)
export type Theme = Read<typeof THEME>

const OPTIONS = wishes({
  /** Of the connect page: what `?mode=` says of a link. */
  mode: wish(isOneOf('page', 'button'), null),
  /** The frame stands in the host's dialog: Esc closes it. */
  isModal: wish(isFlag, false),
  /** Of the inbox: its heading, and the conversation it begins with. */
  title: wish(isText, null),
  conversationId: wish(isText, null),
})
export type Options = Read<typeof OPTIONS>

const LOCALE = wish(isText, null)

/** Frame's window to the parent's. */
const HELLO = { hello: { surface: isOneOf('chat', 'connect'), versions: isVersions } }
/**
 * Parent's window to the frame's, with a MessagePort. `v`: the version of this protocol that both speak from here on.
 */
const INIT = { init: { v: isCount, token: isText, locale: LOCALE, theme: THEME, options: OPTIONS } }

/** Through the port, to the host. */
const TO_HOST = {
  ready: NOTHING,
  /** Of all that is drawn, CSS pixels. */
  resize: { height: isCount },
  /** For a reload of the frame; `expiresAt` is an ISO date. */
  'token-refreshed': { token: isText, expiresAt: isText },
  'session-expired': { reason: isOneOf('EXPIRED', 'REVOKED') },
  error: FAULT,
  'chat:unread-count': { count: isCount },
  'chat:conversation-opened': { conversationId: isText, channelNumberId: isText },
  /** `data-state` of the page. */
  'connect:state': { state: isText },
  /** The button was pressed: the host shows the page in a dialog. */
  'connect:open': NOTHING,
  /** Esc was pressed in the frame. */
  'connect:close': NOTHING,
  'connect:paired': { numberId: isText, redirectUrl: isTextOrNull },
  'connect:expired': NOTHING,
  'connect:error': FAULT,
}

/** Through the port, to the frame. */
const TO_FRAME = {
  'set-token': { token: isText },
  'set-theme': { theme: THEME },
  'set-locale': { locale: LOCALE },
  'chat:open-conversation': { conversationId: isText },
  focus: NOTHING,
  /** The host takes the frame away: it ends its work. */
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

/** What a host's window heard, if it is a hello. Whose it is the caller looks at. */
export function readHello(data: unknown): Hello | null {
  return read(HELLO, data)?.payload ?? null
}

/**
 * What a frame's window heard, if it is an init. Whose it is the caller looks at. What is left out of it `warn` hears.
 */
export function readInit(data: unknown, warn?: Warn): Init | null {
  return read(INIT, data, warn)?.payload ?? null
}

/** What the host's port heard. */
export function readToHost(data: unknown): ToHost | null {
  return read(TO_HOST, data)
}

/** What the frame's port heard. What is left out of it `warn` hears. */
export function readToFrame(data: unknown, warn?: Warn): ToFrame | null {
  return read(TO_FRAME, data, warn)
}

/** A theme as a host page writes it. */
export function readTheme(sent: unknown, warn: Warn): Theme {
  return THEME.read(sent, 'theme', warn)
}
