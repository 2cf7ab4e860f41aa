import type { Answer, Grant, Session } from '../ui/session/answers.ts'
import { answerTo, type Method } from '../ui/session/ask.ts'
import type { Decision, Interaction, Invited, Proof } from './answers.ts'

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

/** Makes the routes; requests carry the session cookie of this browser. */
export function createApi(): PeopleApi {
  let csrfToken: string | null = null
  const ask = <T>(method: Method, path: string, body?: object): Promise<Answer<T>> =>
    answerTo<T>({ method, path, csrfToken, ...(body ? { body } : {}) })
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
