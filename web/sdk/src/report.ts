import { callHost, say } from './console.ts'
import { ChannelError } from './error.ts'
import type { FrameOptions } from './types.ts'

interface Reporter {
  tell(error: ChannelError): void
  /** Reports an error that a frame told, with the frame's own text. */
  told(fault: { readonly code: string; readonly message: string }): void
  /** Forgets reported causes, for a new start with another token. */
  forget(): void
}

/** Reports errors to the host page, each cause once, through `onError` and on the console. */
export function reporter({ onError }: Pick<FrameOptions, 'onError'>): Reporter {
  const known = new Set<string>()

  function tell(error: ChannelError): void {
    if (known.has(error.code)) return
    known.add(error.code)
    say.error(`${error.code}: ${error.message}. ${error.hint}`)
    callHost(onError, error)
  }

  return {
    tell,
    told: ({ code, message }) => tell(new ChannelError(code, message, message)),
    forget: () => known.clear(),
  }
}
