import { readTheme } from '../../protocol/messages.ts'
import type { SentOptions, ToHost } from '../../protocol/messages.ts'
import { handleOf, pairingTokenOf } from '../../protocol/tokens.ts'
import { callHost, say } from './console.ts'
import { unallowable } from './diagnosis.ts'
import { openDialog } from './dialog.ts'
import { openFrame } from './frame.ts'
import type { Frame } from './frame.ts'
import { reporter } from './report.ts'
import { settings } from './settings.ts'
import { mountOnce, readCall, readToken } from './targets.ts'
import type { ConnectHandle, ConnectOptions, Target } from './types.ts'
import { wordsOf } from './words.ts'

/**
 * Our choice: the height of a frame before it tells its own. It is not 0, because browsers do no layout in a frame that
 * shows nothing.
 */
const FIRST_HEIGHT = { page: '560px', button: '48px' }

/** Outcomes of a link; each is told once. */
const OUTCOMES = ['connect:paired', 'connect:expired']

/**
 * Mounts the connect page, or its button, into a target; the height follows what it shows. Throws TARGET_NOT_FOUND,
 * TOKEN_MISSING, TOKEN_INVALID.
 */
export function mountConnect(
  target: Target | (ConnectOptions & { target: Target }),
  options?: ConnectOptions,
): ConnectHandle {
  const call = readCall(target, options)
  checked(call.options.token)
  return mountOnce(call.options, call.place, (forget) => showInline(call.place, call.options, forget))
}

/** Opens the connect page in a modal dialog. Throws TOKEN_MISSING, TOKEN_INVALID. */
export function openConnect(options: ConnectOptions): ConnectHandle {
  checked(options?.token)
  return mountOnce(options, 'dialog', (forget) => {
    const link = linkOf(options)
    return { ...link.handle, ...showModal(link, forget) }
  })
}

/** The pairing token, also when a link was given. */
function checked(token: unknown): string {
  return readToken(token, pairingTokenOf, 'POST /v1/numbers/remote-pairing')
}

/** WebCrypto is missing only on pages that no session can allow. */
function refuseInsecure(): never {
  throw unallowable()
}

interface Link {
  /** Acts on all frames of the link; a dialog adds its own methods. */
  readonly handle: Pick<ConnectHandle, 'setToken' | 'setTheme' | 'setLocale'>
  readonly options: ConnectOptions
  locale(): string | null
  /** Makes a frame that shows the link. `hear` gets every message, for what the frames of one link do differently. */
  frame(
    place: Element,
    height: string,
    options: Pick<SentOptions, 'mode' | 'isModal'>,
    hear: (message: ToHost, frame: Frame) => void,
  ): Frame
}

/** The state that the frames of one call share: a button and its dialog tell one outcome, once. */
function linkOf(options: ConnectOptions): Link {
  const report = reporter(options)
  const frames = new Set<Frame>()
  const told = new Set<string>()
  let token = checked(options.token)
  let locale = options.locale ?? settings.locale ?? null
  let theme = readTheme(options.theme ?? settings.theme, say.warn)

  function hearAny({ type, payload }: ToHost): void {
    if (type === 'connect:error' || type === 'error') report.told(payload)
    if (told.has(type)) return
    if (type === 'ready') callHost(options.onReady)
    else if (type === 'connect:paired') callHost(options.onPaired, payload)
    else if (type === 'connect:expired') callHost(options.onExpired)
    told.add(type)
  }

  return {
    options,
    locale: () => locale,
    frame(place, height, frameOptions, hear) {
      const frame = openFrame({
        surface: 'connect',
        place,
        title: wordsOf(locale).connect,
        height,
        locale,
        theme,
        options: frameOptions,
        firstToken: () => token,
        nameOf: async (shown) => `h=${await handleOf(shown).catch(refuseInsecure)}`,
        hear(message) {
          hearAny(message)
          hear(message, frame)
        },
        fail: report.tell,
      })
      const destroy = (): void => {
        frames.delete(frame)
        frame.destroy()
      }
      frames.add(frame)
      return { ...frame, destroy }
    },
    handle: {
      setToken(next) {
        token = checked(next)
        for (const type of OUTCOMES) told.delete(type)
        report.forget()
        for (const frame of frames) frame.setToken(token)
      },
      setTheme(next) {
        theme = readTheme(next, say.warn)
        for (const frame of frames) frame.setTheme(theme)
      },
      setLocale(next) {
        locale = next
        for (const frame of frames) frame.setLocale(next)
      },
    },
  }
}

/** Shows the page of a link in a dialog; `ended` is called however the dialog closes. */
function showModal(link: Link, ended: () => void): Pick<ConnectHandle, 'iframe' | 'close' | 'destroy'> {
  const words = wordsOf(link.locale())
  let isDestroyed = false
  const { panel, close } = openDialog(words.connect, words.close, () => {
    frame.destroy()
    ended()
    if (!isDestroyed) callHost(link.options.onClose)
  })
  const frame = link.frame(panel, '100%', { mode: 'page', isModal: true }, ({ type }, { iframe, tell }) => {
    if (type === 'connect:close') close()
    if (type !== 'ready') return
    iframe.focus()
    tell('focus', {})
  })
  return {
    iframe: frame.iframe,
    close,
    destroy() {
      isDestroyed = true
      close()
    },
  }
}

function showInline(place: Element, options: ConnectOptions, forget: () => void): ConnectHandle {
  const link = linkOf(options)
  let modal: ReturnType<typeof showModal> | undefined
  const frame = link.frame(
    place,
    FIRST_HEIGHT[options.mode ?? 'page'],
    { mode: options.mode },
    ({ type, payload }, { iframe }) => {
      if (type === 'resize') iframe.style.height = `${payload.height}px`
      if (type === 'connect:open')
        modal ??= showModal(link, () => {
          modal = undefined
        })
    },
  )
  return {
    ...link.handle,
    iframe: frame.iframe,
    close: () => modal?.close(),
    destroy() {
      forget()
      modal?.destroy()
      frame.destroy()
    },
  }
}
