import { inEnvelope } from '../../protocol/envelope.ts'
import { readHello, VERSIONS } from '../../protocol/messages.ts'
import type { Init, SentOptions, Theme, ToFrame, ToHost } from '../../protocol/messages.ts'
import { say } from './console.ts'
import { causeOfSilence } from './diagnosis.ts'
import { make } from './element.ts'
import { ChannelError } from './error.ts'
import { watchPolicy } from './policy.ts'
import { openPorts } from './ports.ts'
import { addressOf } from './settings.ts'
import type { Surface } from './settings.ts'
import { wordsOf } from './words.ts'

/** [sdk.errors.4]: a frame without a hello for this many ms is taken for one that cannot load. */
const HELLO_WITHIN_MS = 8_000

/** [sdk.calls.11]: the sandbox of a frame. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads'
const PROPERTIES = { allow: 'microphone; clipboard-write; autoplay', referrerPolicy: 'no-referrer' } as const

export interface FrameSpec {
  readonly surface: Surface
  /** The frame is appended to this element. */
  readonly place: Element
  readonly title: string
  readonly height: string
  readonly locale: string | null
  readonly theme: Theme
  readonly options: SentOptions
  /** The first token. May reject with a ChannelError. */
  readonly firstToken: () => string | Promise<string>
  /** The parameter that names the session or link in the address, `s=...` or `h=...`; it grants nothing. */
  readonly nameOf: (token: string) => string | Promise<string>
  readonly hear: (message: ToHost) => void
  readonly fail: (error: ChannelError) => void
}

/** A frame on the host page that the SDK exchanges messages with. */
export interface Frame {
  readonly iframe: HTMLIFrameElement
  tell<T extends ToFrame['type']>(type: T, payload: Extract<ToFrame, { readonly type: T }>['payload']): void
  setToken(token: string): void
  setTheme(theme: Theme): void
  setLocale(locale: string): void
  destroy(): void
}

/** Adds a frame to the host page at once, and loads its document when everything it needs is known. */
export function openFrame(wanted: FrameSpec): Frame {
  const { surface, place, title, height, options, nameOf } = wanted
  const iframe = make('iframe', `border:0;display:block;width:100%;height:${height}`, { ...PROPERTIES, title })
  const ports = openPorts(hear)
  let { locale, theme } = wanted
  let token: string | null = null
  /** The origin of the embed, the only one that messages go to; null until it is known. */
  let embedOrigin: string | null = null
  let note: Element | null = null
  /** Ends the wait for a hello; undefined while there is no wait. */
  let stopWaiting: (() => void) | undefined
  let isDestroyed = false

  function hear(message: ToHost): void {
    say.debug(`${surface} says ${message.type}`)
    // The token is kept for a later load of the frame; the host is not told.
    if (message.type === 'token-refreshed') token = message.payload.token
    else wanted.hear(message)
  }

  const tell: Frame['tell'] = (type, payload) => {
    say.debug(`${surface} is told ${type}`)
    ports.tell({ type, payload } as ToFrame)
  }

  async function load(tokenOf: () => string | Promise<string>): Promise<void> {
    try {
      const first = await tokenOf()
      token ??= first
      const url = await urlOf(token)
      if (!isDestroyed) show(url)
    } catch (error) {
      fail(error as ChannelError)
    }
  }

  async function urlOf(shown: string): Promise<string> {
    // The document is requested in the host's language, which names it without a region: `pt-BR` is `pt`.
    return new URL(
      `${await addressOf(surface)}/${surface}?${await nameOf(shown)}${locale ? `&lang=${locale.slice(0, 2)}` : ''}`,
    ).href
  }

  function show(url: string): void {
    embedOrigin = new URL(url).origin
    // The sandbox is set only now, because browsers warn of a scriptable frame of the same origin while it has no
    // document.
    iframe.setAttribute('sandbox', SANDBOX)
    note?.replaceWith(iframe)
    note = null
    if (iframe.src !== url) iframe.src = url
    awaitHello(embedOrigin)
  }

  function awaitHello(origin: string): void {
    stopWaiting?.()
    const { end } = watchPolicy('frame-src', origin, fail)
    const waiting = setTimeout(() => void tellCause(), HELLO_WITHIN_MS)
    stopWaiting = () => {
      clearTimeout(waiting)
      end()
      stopWaiting = undefined
    }
  }

  /**
   * Runs when no hello came in time. A frame that was removed from the page is no error; one whose session was replaced
   * meanwhile is loaded again.
   */
  async function tellCause(): Promise<void> {
    if (token === null || !iframe.isConnected) return stopWaiting?.()
    const url = await urlOf(token)
    if (iframe.src !== url) return show(url)
    const cause = await causeOfSilence(await addressOf(surface), await nameOf(token))
    if (stopWaiting) fail(cause)
  }

  /** Reports the error, and puts a readable note in place of the frame. */
  function fail(error: ChannelError): void {
    if (isDestroyed) return
    stopWaiting?.()
    ports.close()
    note = make('div', 'padding:16px;border:1px solid;overflow-wrap:anywhere', {
      role: 'alert',
      textContent: `${wordsOf(locale).failed} ${error.message}. ${error.hint} (${error.code})`,
    })
    iframe.replaceWith(note)
    wanted.fail(error)
  }

  /** Moving a frame on its page loads its document again, so a new hello is expected. */
  function loaded(): void {
    if (embedOrigin !== null && !stopWaiting && !ports.isOpen()) awaitHello(embedOrigin)
  }

  function greeted({ source, origin, data }: MessageEvent<unknown>): void {
    const { contentWindow } = iframe
    if (contentWindow === null || source !== contentWindow || origin !== embedOrigin || token === null) return
    const hello = readHello(data)
    if (hello?.surface !== surface) return
    stopWaiting?.()
    const v = VERSIONS.findLast((version) => hello.versions.includes(version))
    if (v === undefined)
      return fail(
        new ChannelError('VERSION', 'Script and frame speak different versions', 'Load the newest script or package.'),
      )
    const payload: Omit<Init, 'options'> & { readonly options: SentOptions } = { v, token, locale, theme, options }
    contentWindow.postMessage(inEnvelope({ type: 'init', payload }), origin, [ports.open()])
  }

  iframe.addEventListener('load', loaded)
  window.addEventListener('message', greeted)
  place.append(iframe)
  void load(wanted.firstToken)
  return {
    iframe,
    tell,
    setToken(next) {
      token = next
      if (ports.isOpen()) tell('set-token', { token })
      else void load(() => next)
    },
    setTheme(next) {
      theme = next
      if (ports.isOpen()) tell('set-theme', { theme })
    },
    setLocale(next) {
      locale = next
      if (ports.isOpen()) tell('set-locale', { locale })
    },
    destroy() {
      isDestroyed = true
      stopWaiting?.()
      window.removeEventListener('message', greeted)
      if (ports.isOpen()) tell('close', {})
      ports.close()
      note?.remove()
      iframe.remove()
    },
  }
}
