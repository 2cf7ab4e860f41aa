import { inEnvelope, openEnvelope } from '../../protocol/envelope.ts'
import { readInit, VERSIONS } from '../../protocol/messages.ts'
import type { Hello } from '../../protocol/messages.ts'
import { hostBehind } from './host.ts'
import type { FrameHost, TokenRefusal } from './host.ts'
import { warn } from './warn.ts'

/** [inbox.frame.3]: how often a frame repeats its hello until it is answered, in ms. */
const HELLO_EVERY_MS = 500

interface Meeting {
  readonly surface: Hello['surface']
  /** The exact origins that may frame the page, from the document's data. */
  readonly allowedOrigins: readonly string[]
  readonly refusalOf: TokenRefusal
}

/** Whether this page stands in a frame. */
export function isFramed(): boolean {
  return window.parent !== window
}

/**
 * Waits for the host page to hand over: sends a hello to every origin that may frame this page, by exact target origin,
 * until one answers. Never settles when none does, because a page that may not frame this one must learn nothing.
 * Window messages are ignored after that.
 */
export function meetHost({ surface, allowedOrigins, refusalOf }: Meeting): Promise<FrameHost> {
  const hello = inEnvelope({ type: 'hello', payload: { surface, versions: VERSIONS } })
  const parent = knownParent()
  const targets = parent === null ? allowedOrigins : allowedOrigins.filter((origin) => origin === parent)
  return new Promise((resolve) => {
    const greet = (): void => targets.forEach((origin) => window.parent.postMessage(hello, origin))
    const greeting = setInterval(greet, HELLO_EVERY_MS)

    function hear({ source, origin, data, ports: [port] }: MessageEvent<unknown>): void {
      if (source !== window.parent || !allowedOrigins.includes(origin)) return
      const init = readInit(data, warn)
      if (init === null || port === undefined || !VERSIONS.includes(init.v)) {
        if (openEnvelope(data)?.type === 'init')
          warn(`init is not taken: it needs a token, a MessagePort, and v, one of ${VERSIONS.join(', ')}`)
        return
      }
      clearInterval(greeting)
      window.removeEventListener('message', hear)
      resolve(hostBehind({ port, origin, init, refusalOf }))
    }

    window.addEventListener('message', hear)
    greet()
  })
}

/** The origin of the parent, when the browser tells it; null otherwise. Firefox added this late. */
function knownParent(): string | null {
  return (location as { readonly ancestorOrigins?: DOMStringList }).ancestorOrigins?.[0] ?? null
}
