import { inEnvelope } from '../../protocol/envelope.ts'
import { readToFrame } from '../../protocol/messages.ts'
import type { Init, ToFrame, ToHost } from '../../protocol/messages.ts'
import { warn } from './warn.ts'

/** The page that frames this one, after it has handed over. */
export interface FrameHost {
  readonly origin: string
  /** What it handed over. The token lives nowhere but here and in memory. */
  readonly init: Init
  tell<T extends ToHost['type']>(type: T, payload: Extract<ToHost, { readonly type: T }>['payload']): void
  /** Hears the host from now on, first what it said before anybody listened. Call what it gives to hear no more. */
  listen(hear: (message: ToFrame) => void): () => void
}

/** Why this page does not take a new token from this host; null where it does. */
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
 * The host behind a port. A new token is passed on only where it allows the host's origin; else the host is told why
 * not ([inbox.frame.12]).
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
