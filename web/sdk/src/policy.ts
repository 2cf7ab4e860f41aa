import { ChannelError } from './error.ts'

/**
 * Our choice, in ms: a browser tells of a refusal in a task of its own, which may come after the request has failed.
 */
const TOLD_WITHIN_MS = 100

/** Of the service, as far as they are known: the line names them all at once. */
const origins = new Set<string>()

interface PolicyWatch {
  /** What the page's policy forbade of the origin so far, or forbids within a moment; null where it forbids nothing. */
  broken(): Promise<ChannelError | null>
  end(): void
}

/**
 * Watches whether the page's own Content-Security-Policy forbids an origin what a directive is about, and names what
 * the policy must have for all that the SDK does.
 */
export function watchPolicy(
  directive: 'frame-src' | 'connect-src',
  origin: string,
  tell?: (error: ChannelError) => void,
): PolicyWatch {
  origins.add(origin)
  let found: ChannelError | null = null

  function hear({ blockedURI, effectiveDirective, disposition }: SecurityPolicyViolationEvent): void {
    if (
      found
      || disposition !== 'enforce'
      || effectiveDirective !== directive
      || (blockedURI !== origin && !blockedURI.startsWith(`${origin}/`))
    )
      return
    const hosts = [...origins].join(' ')
    found = new ChannelError(
      'HOST_CSP',
      `The Content-Security-Policy of this page forbids ${origin}`,
      `Add, for every host of the service: connect-src ${hosts}; frame-src ${hosts}`,
    )
    tell?.(found)
  }

  document.addEventListener('securitypolicyviolation', hear)
  return {
    async broken() {
      if (!found)
        await new Promise((resolve) => {
          setTimeout(resolve, TOLD_WITHIN_MS)
        })
      return found
    },
    end: () => document.removeEventListener('securitypolicyviolation', hear),
  }
}
