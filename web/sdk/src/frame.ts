import { inEnvelope } from '../../protocol/envelope.ts'
import { readHello, VERSIONS } from '../../protocol/messages.ts'
import type { Init, Options, Theme, ToFrame, ToHost } from '../../protocol/messages.ts'
import { say } from './console.ts'
import { causeOfSilence } from './diagnosis.ts'
import { make } from './element.ts'
import { ChannelError } from './error.ts'
import { watchPolicy } from './policy.ts'
import { openPorts } from './ports.ts'
import { addressOf } from './settings.ts'
import type { Surface } from './settings.ts'
import { wordsOf } from './words.ts'

/** [sdk.errors.4]: without a hello for so long a frame is taken for one that cannot load, in ms. */
const HELLO_WITHIN_MS = 8_000

/** [sdk.calls.11] */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads'
const PROPERTIES = { allow: 'microphone; clipboard-write; autoplay', referrerPolicy: 'no-referrer' } as const

export interface FrameSpec {
  readonly surface: Surface
  /** The frame is put at its end. */
  readonly place: Element
  readonly title: string
  readonly height: string
  readonly locale: string | null
  readonly theme: Theme
  readonly options: Options
  /** The token to begin with. May reject with a ChannelError. */
  readonly firstToken: () => string | Promise<string>
  /** What names session or link in the address, without power: `s=...` or `h=...`. */
  readonly nameOf: (token: string) => string | Promise<string>
  readonly hear: (message: ToHost) => void
  readonly fail: (error: ChannelError) => void
}

/** A frame on the host page that is spoken with. */
export interface Frame {
  readonly iframe: HTMLIFrameElement
  tell<T extends ToFrame['type']>(type: T, payload: Extract<ToFrame, { readonly type: T }>['payload']): void
  setToken(token: string): void
  setTheme(theme: Theme): void
  setLocale(locale: string): void
  destroy(): void
}

/** Puts a frame on the host page at once, and loads it when all that it needs is known. */
export function openFrame(spec: FrameSpec): Frame {
  const { surface, place, title, height, options, nameOf } = spec
  const iframe = make('iframe', `border:0;display:block;width:100%;height:${height}`, { ...PROPERTIES, title })
  const ports = openPorts(hear)
  let { locale, theme } = spec
  let token: string | null = null
  /** Of the embed: the only origin that is spoken with. */
  let embedOrigin: string | null = null
  let note: Element | null = null
  /** Ends the wait for a hello; absent while none is waited for. */
  let stopWaiting: (() => void) | undefined
  let isDestroyed = false

  function hear(message: ToHost): void {
    say.debug(`${surface} says ${message.type}`)
    // Kept for a load of the frame to come; nobody else sees it.
    if (message.type === 'token-refreshed') token = message.payload.token
    else spec.hear(message)
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
    // The document comes in its host's language, and with the words of that: `pt-BR` is `pt`.
    return new URL(
      `${await addressOf(surface)}/${surface}?${await nameOf(shown)}${locale ? `&lang=${locale.slice(0, 2)}` : ''}`,
    ).href
  }

  function show(url: string): void {
    embedOrigin = new URL(url).origin
    // Not before: browsers warn of a frame without a document that may run scripts as its page.
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
   * Nobody spoke in time. A frame that is on no page says nothing, and is no error; one of a session that is replaced
   * meanwhile is loaded anew.
   */
  async function tellCause(): Promise<void> {
    if (token === null || !iframe.isConnected) return stopWaiting?.()
    const url = await urlOf(token)
    if (iframe.src !== url) return show(url)
    const cause = await causeOfSilence(await addressOf(surface), await nameOf(token))
    if (stopWaiting) fail(cause)
  }

  /** Says what is wrong, and puts a readable note where the frame was. */
  function fail(error: ChannelError): void {
    if (isDestroyed) return
    stopWaiting?.()
    ports.close()
    note = make('div', 'padding:16px;border:1px solid;overflow-wrap:anywhere', {
      role: 'alert',
      textContent: `${wordsOf(locale).failed} ${error.message}. ${error.hint} (${error.code})`,
    })
    iframe.replaceWith(note)
    spec.fail(error)
  }

  /** A document that came in the place of another: to move a frame on its page loads it anew. */
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
    const payload: Init = { v, token, locale, theme, options }
    contentWindow.postMessage(inEnvelope({ type: 'init', payload }), origin, [ports.open()])
  }

  iframe.addEventListener('load', loaded)
  window.addEventListener('message', greeted)
  place.append(iframe)
  void load(spec.firstToken)
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
