import { ChannelError } from './error.ts'

/**
 * Our choice, in ms: a browser reports a policy violation in a task of its own, which may come after the request
 * failed.
 */
const TOLD_WITHIN_MS = 100

/** Known origins of the service; the suggested policy names them all at once. */
const origins = new Set<string>()

interface PolicyWatch {
  /** The violation of the page's policy for this origin so far, or within a moment; null when there is none. */
  broken(): Promise<ChannelError | null>
  end(): void
}

/**
 * Watches whether the page's own Content-Security-Policy blocks an origin for a directive. The error names what the
 * policy needs for everything the SDK does.
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
