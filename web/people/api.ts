import type { Answer, Decision, Fault, Grant, Interaction, Invited, Proof, Session } from './answers.ts'

/** Our choice, in ms: longer than two password hashes that wait for two others. */
const ANSWER_MS = 20_000

/** The session routes that these pages need. It keeps the CSRF token of the answer that named it. */
export interface PeopleApi {
  session(): Promise<Answer<Session>>
  signIn(proof: Proof): Promise<Answer<Session>>
  signOut(): Promise<Answer<unknown>>
  readInvitation(token: string): Promise<Answer<Invited>>
  acceptInvitation(accepted: {
    readonly token: string
    readonly password: string
    readonly name?: string
  }): Promise<Answer<Session>>
  changePassword(change: { readonly current: string; readonly password: string }): Promise<Answer<unknown>>
  interaction(id: string): Promise<Answer<Interaction>>
  decide(id: string, decision: Decision): Promise<Answer<{ readonly redirectTo: string }>>
  grants(): Promise<Answer<{ readonly grants: readonly Grant[] }>>
  endGrant(id: string): Promise<Answer<unknown>>
}

type Method = 'GET' | 'POST' | 'DELETE'

/** Makes the routes; requests carry the session cookie of this browser. */
export function createApi(): PeopleApi {
  let csrfToken: string | null = null
  const ask = <T>(method: Method, path: string, body?: object): Promise<Answer<T>> =>
    answerOf<T>(method, path, csrfToken, body)
  const opened = async (asked: Promise<Answer<Session>>): Promise<Answer<Session>> => {
    const answer = await asked
    if (answer.body) csrfToken = answer.body.csrfToken
    return answer
  }
  return {
    session: () => opened(ask('GET', '/api/session')),
    signIn: (proof) => opened(ask('POST', '/api/session', proof)),
    signOut: () => ask('DELETE', '/api/session'),
    readInvitation: (token) => ask('POST', '/api/invitations/read', { token }),
    acceptInvitation: (accepted) => opened(ask('POST', '/api/invitations/accept', accepted)),
    changePassword: (change) => ask('POST', '/api/session/password', change),
    interaction: (id) => ask('GET', `/api/oauth/interactions/${encodeURIComponent(id)}`),
    decide: (id, decision) => ask('POST', `/api/oauth/interactions/${encodeURIComponent(id)}`, decision),
    grants: () => ask('GET', '/api/grants'),
    endGrant: (id) => ask('DELETE', `/api/grants/${encodeURIComponent(id)}`),
  }
}

async function answerOf<T>(method: Method, path: string, csrfToken: string | null, body?: object): Promise<Answer<T>> {
  const headers = {
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...(csrfToken !== null && method !== 'GET' ? { 'x-csrf-token': csrfToken } : {}),
  }
  try {
    const response = await fetch(path, {
      method,
      headers,
      cache: 'no-store',
      credentials: 'same-origin',
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (response.ok) return { body: (await response.json()) as T }
    return { fault: faultOf(response, await codeOf(response)) }
  } catch {
    return { fault: { kind: 'LOST' } }
  }
}

async function codeOf(response: Response): Promise<string | null> {
  const body = (await response.json().catch(() => null)) as { readonly code?: string } | null
  return body?.code ?? null
}

function faultOf({ status, headers }: Response, code: string | null): Fault {
  if (code === 'INVALID_CREDENTIALS') return { kind: 'WRONG' }
  if (code === 'HTTPS_REQUIRED') return { kind: 'HTTPS' }
  if (code === 'CSRF_REJECTED') return { kind: 'ELSEWHERE' }
  if (status === 429) return { kind: 'BUSY', retryAfterMs: retryAfterOf(headers) }
  switch (status) {
    case 400:
    case 422:
      return { kind: 'INVALID' }
    case 401:
      return { kind: 'SIGNED_OUT' }
    case 403:
      return { kind: 'DENIED' }
    case 404:
      return code === 'ROUTE_NOT_FOUND' ? { kind: 'OFF' } : { kind: 'GONE' }
    default:
      return { kind: 'SERVER' }
  }
}

/** Ms to wait before another try; null when the answer names none. RFC 9110, 10.2.3: this service sends seconds. */
function retryAfterOf(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1_000 : null
}
