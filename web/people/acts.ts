import type { Answer, Session } from '../ui/session/answers.ts'
import { wayOn } from '../ui/session/way-on.ts'
import type { Decision, Proof } from './answers.ts'
import type { PageModel } from './model.ts'

/** Starts the page that the address names. */
export async function start(model: PageModel): Promise<void> {
  const { request, api, screen, fault } = model
  switch (request.page) {
    case 'invite':
      return invite(model, request.invitation)
    case 'login':
      if (request.loginToken !== null && (await signIn(model, { loginToken: request.loginToken }))) return
  }
  const { body, fault: refused } = await api.session()
  if (body) return request.page === 'login' && request.next !== null ? goOn(model, request.next) : enter(model, body)
  if (refused.kind !== 'SIGNED_OUT') fault.value = refused
  screen.value = { at: 'sign-in' }
}

/** Reads whom the invitation is for first, so that nobody chooses a password for one that is over. */
async function invite({ api, screen, fault }: PageModel, token: string | null): Promise<void> {
  const { body, fault: refused } =
    token === null ? { body: undefined, fault: { kind: 'GONE' } as const } : await api.readInvitation(token)
  if (token === null || refused?.kind === 'GONE') {
    screen.value = { at: 'gone', what: 'invitation' }
    return
  }
  if (refused?.kind === 'HTTPS' || refused?.kind === 'ELSEWHERE' || refused?.kind === 'BUSY') fault.value = refused
  screen.value = { at: 'invite', token, invited: body ?? null }
}

/** Signs in; resolves to whether that succeeded. */
export function signIn(model: PageModel, proof: Proof): Promise<boolean> {
  // The service answers a wrong key or link like a session that is over; here it means wrong credentials.
  return entering(model, async () => {
    const answer = await model.api.signIn(proof)
    return answer.fault?.kind === 'SIGNED_OUT' ? { fault: { kind: 'loginToken' in proof ? 'GONE' : 'WRONG' } } : answer
  })
}

/** Accepts an invitation, which ends it. */
export async function accept(
  model: PageModel,
  accepted: { readonly token: string; readonly password: string; readonly name?: string },
): Promise<void> {
  await entering(model, () => model.api.acceptInvitation(accepted))
  if (model.fault.value?.kind === 'GONE') model.screen.value = { at: 'gone', what: 'invitation' }
}

/** Answers the client's request and sends the browser back to the client. */
export async function decide(model: PageModel, id: string, decision: Decision): Promise<void> {
  const body = await once(model, () => model.api.decide(id, decision))
  if (body === null) return
  model.screen.value = { at: 'leaving' }
  location.assign(body.redirectTo)
}

/** Ends the grant of a client. */
export async function endGrant(model: PageModel, id: string): Promise<void> {
  if ((await once(model, () => model.api.endGrant(id))) === null) return
  model.news.value = model.words.account.ended
  await readGrants(model)
}

/** Changes the password of the signed-in person; resolves to whether that succeeded. */
export async function changePassword(
  model: PageModel,
  change: { readonly current: string; readonly password: string },
): Promise<boolean> {
  const isDone = (await once(model, () => model.api.changePassword(change))) !== null
  if (isDone) model.news.value = model.words.account.passwordChanged
  return isDone
}

export async function signOut(model: PageModel): Promise<void> {
  if ((await once(model, () => model.api.signOut())) === null) return
  model.screen.value = { at: 'sign-in' }
  model.news.value = model.words.account.signedOut
}

async function entering(model: PageModel, ask: () => Promise<Answer<Session>>): Promise<boolean> {
  const session = await once(model, ask)
  if (session === null) return false
  if (model.request.page === 'login') goOn(model, model.request.next)
  else await enter(model, session)
  return true
}

/** Leads a signed-in person to the dashboard, and the login out of the history. */
function goOn({ screen }: PageModel, next: string | null): void {
  screen.value = { at: 'loading' }
  location.replace(wayOn(next, location.origin))
}

/** Shows a signed-in person the page that they came for. */
async function enter(model: PageModel, session: Session): Promise<void> {
  const { request, screen, api, fault } = model
  if (request.page !== 'consent') {
    screen.value = { at: 'account', session, grants: null }
    // The link of the address is used up, so the address becomes that of the account, which survives a reload and a
    // bookmark.
    history.replaceState(null, '', `/login${location.search}`)
    return readGrants(model)
  }
  const { body, fault: refused } = await api.interaction(request.interactionId)
  if (body) screen.value = { at: 'consent', session, interaction: body }
  else if (refused.kind === 'GONE') screen.value = { at: 'gone', what: 'interaction' }
  else fault.value = refused
}

async function readGrants({ api, screen }: PageModel): Promise<void> {
  const { body } = await api.grants()
  if (screen.value.at === 'account') screen.value = { ...screen.value, grants: body?.grants ?? null }
}

/**
 * Sends a request unless another one is under way, and shows why it was refused. A session that is over leads back to
 * signing in. Null when nothing was done.
 */
async function once<T>({ isBusy, fault, news, screen }: PageModel, ask: () => Promise<Answer<T>>): Promise<T | null> {
  if (isBusy.value) return null
  isBusy.value = true
  fault.value = null
  news.value = ''
  const { body, fault: refused } = await ask()
  isBusy.value = false
  if (body) return body
  fault.value = refused ?? null
  if (refused?.kind === 'SIGNED_OUT') screen.value = { at: 'sign-in' }
  return null
}
