import { inEnvelope } from '../../protocol/envelope.ts'
import { readToFrame } from '../../protocol/messages.ts'
import type { Init, ToFrame, ToHost } from '../../protocol/messages.ts'
import { warn } from './warn.ts'

/** The host page after it has handed over. */
export interface FrameHost {
  readonly origin: string
  /** What the host handed over. The token is stored nowhere but in memory. */
  readonly init: Init
  tell<T extends ToHost['type']>(type: T, payload: Extract<ToHost, { readonly type: T }>['payload']): void
  /**
   * Receives the host's messages, first those that came before anybody listened. Returns the function that stops this.
   */
  listen(hear: (message: ToFrame) => void): () => void
}

/** Why this page must not take a new token from this host; null when it may. */
export type TokenRefusal = (
  token: string,
  hostOrigin: string,
) => Promise<{ readonly code: string; readonly message: string } | null>

interface HandedOver {
  readonly port: MessagePort
  readonly origin: string
  readonly init: Init
  readonly refusalOf: TokenRefusal
}

/**
 * The host at the other end of a port. A new token is passed on only when it allows the host's origin; otherwise the
 * host is told why not ([inbox.frame.12]).
 */
export function hostBehind({ port, origin, init, refusalOf }: HandedOver): FrameHost {
  const waiting: ToFrame[] = []
  const listeners = new Set<(message: ToFrame) => void>()
  let tokensHeard = 0

  function tell(type: string, payload: unknown): void {
    port.postMessage(inEnvelope({ type, payload }))
  }

  function pass(message: ToFrame): void {
    if (listeners.size === 0) waiting.push(message)
    for (const hear of listeners) hear(message)
  }

  async function passToken(message: Extract<ToFrame, { readonly type: 'set-token' }>): Promise<void> {
    const heard = ++tokensHeard
    const refusal = await refusalOf(message.payload.token, origin)
    if (heard !== tokensHeard) return
    if (refusal) tell('error', refusal)
    else pass(message)
  }

  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = readToFrame(data, warn)
    if (message?.type === 'set-token') void passToken(message)
    else if (message) pass(message)
  })
  port.start()
  return {
    origin,
    init,
    tell,
    listen(hear) {
      listeners.add(hear)
      for (const message of waiting.splice(0)) hear(message)
      return () => listeners.delete(hear)
    },
  }
}
