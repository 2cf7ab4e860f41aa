import type { Answer } from './answers.ts'
import { faultOf } from './fault-of.ts'
import type { Refusal } from './fault-of.ts'

/** Our choice, in ms: longer than two password hashes that wait for two others, and than any route's own wait. */
const ANSWER_MS = 20_000

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Asked {
  readonly method: Method
  /** Path and query on the service. */
  readonly path: string
  /** The CSRF token of the session ([sessions.csrf.2]); null when none is known. */
  readonly csrfToken: string | null
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  /** Stops the request; it then counts as lost. */
  readonly signal?: AbortSignal
  /** Goes out even when the page closes meanwhile. */
  readonly isLast?: boolean
}

/** Sends a request with the session cookie of this browser, and reads its JSON. Never rejects. */
export async function answerTo<T>(asked: Asked): Promise<Answer<T>> {
  try {
    const response = await fetch(asked.path, requestOf(asked))
    if (response.ok) return { body: (await response.json()) as T }
    return { fault: faultOf(response, await refusalOf(response)) }
  } catch {
    return { fault: { kind: 'LOST' } }
  }
}

function requestOf({ method, csrfToken, body, headers, signal, isLast = false }: Asked): RequestInit {
  const patience = AbortSignal.timeout(ANSWER_MS)
  return {
    method,
    headers: {
      ...headers,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(csrfToken !== null && method !== 'GET' ? { 'x-csrf-token': csrfToken } : {}),
    },
    cache: 'no-store',
    credentials: 'same-origin',
    keepalive: isLast,
    signal: signal ? AbortSignal.any([signal, patience]) : patience,
    ...(body ? { body: JSON.stringify(body) } : {}),
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  return ((await response.json().catch(() => null)) as Refusal | null) ?? {}
}
