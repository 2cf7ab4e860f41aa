/**
 * The closed union of messages between a host page and its frame (contract 17, Frame), and a reader of each way. A reader gives null for
 * whatever is not of the form: what is null is dropped in silence.
 */
import { isCount, isFlag, isNumberOrNull, isOf, isOneOf, isText, isTextOrNull, isVersions, readPayload } from './checks.ts'
import type { Form, Payload } from './checks.ts'
import { openEnvelope } from './envelope.ts'

/** Versions of this protocol that these files speak, oldest first. */
export const VERSIONS: readonly number[] = [1]

const NOTHING = {}
const FAULT = { code: isText, message: isText }

/** How a frame is drawn: `mode` where the host says nothing is `auto`; the rest is null where it says nothing. */
const THEME = {
  mode: isOneOf('light', 'dark', 'auto'),
  /** `#rrggbb`. */
  primary: isTextOrNull,
  background: isTextOrNull,
  /** CSS pixels, 0-24. */
  radius: isNumberOrNull,
  density: isOneOf('comfortable', 'compact', null),
}
export type Theme = Payload<typeof THEME>

const OPTIONS = {
  /** Of the connect page: what `?mode=` says of a link. */
  mode: isOneOf('page', 'button', null),
  /** The frame stands in the host's dialog: Esc closes it. */
  isModal: isFlag,
  /** Of the inbox: its heading, and the conversation it begins with. */
  title: isTextOrNull,
  conversationId: isTextOrNull,
}
export type Options = Payload<typeof OPTIONS>

/** Frame's window to the parent's. */
const HELLO = { hello: { surface: isOneOf('chat', 'connect'), versions: isVersions } }
/** Parent's window to the frame's, with a MessagePort. `v`: the version of this protocol that both speak from here on. */
const INIT = { init: { v: isCount, token: isText, locale: isTextOrNull, theme: isOf(THEME), options: isOf(OPTIONS) } }

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
  'set-theme': { theme: isOf(THEME) },
  'set-locale': { locale: isTextOrNull },
  'chat:open-conversation': { conversationId: isText },
  focus: NOTHING,
  /** The host takes the frame away: it ends its work. */
  close: NOTHING,
}

type Forms = Readonly<Record<string, Form>>
type Union<F extends Forms> = { readonly [K in keyof F]: { readonly type: K, readonly payload: Payload<F[K]> } }[keyof F]

export type Hello = Payload<typeof HELLO.hello>
export type Init = Payload<typeof INIT.init>
export type ToHost = Union<typeof TO_HOST>
export type ToFrame = Union<typeof TO_FRAME>
export type AnyMessage = Union<typeof HELLO> | Union<typeof INIT> | ToHost | ToFrame

function read<F extends Forms>(forms: F, data: unknown): Union<F> | null {
  const opened = openEnvelope(data)
  const form = opened && Object.hasOwn(forms, opened.type) ? forms[opened.type] : undefined
  const payload = form && readPayload(form, opened?.payload)
  return payload ? { type: opened?.type, payload } as Union<F> : null
}

/** What a host's window heard, if it is a hello. Whose it is the caller looks at. */
export function readHello(data: unknown): Hello | null {
  return read(HELLO, data)?.payload ?? null
}

/** What a frame's window heard, if it is an init. Whose it is the caller looks at. */
export function readInit(data: unknown): Init | null {
  return read(INIT, data)?.payload ?? null
}

/** What the host's port heard. */
export function readToHost(data: unknown): ToHost | null {
  return read(TO_HOST, data)
}

/** What the frame's port heard. */
export function readToFrame(data: unknown): ToFrame | null {
  return read(TO_FRAME, data)
}
