/**
 * The state machine of the connect page ([pages.states.1] to [pages.states.9]): what is shown, and which request comes
 * next. Pure: `web/connect/follow.ts` sends the requests and sets the timers. All times are ms of one clock that runs
 * evenly; the service tells remaining times, not dates.
 */
import type { Answer, AnsweredCode, LinkEnd } from './answers.ts'
import type { Method, Need, PageEvent, PageState, Phase, Trouble } from './page-state.ts'

/** [pages.states.1]: without a first answer after this many ms the page shows a failure. */
export const LOADING_MS = 10_000
/** [pages.polling.1]: how often a visible page asks for the status, in ms. */
export const POLL_MS = 2_000
/** [pages.states.9]: waits before another try after a failure, in ms; the last one repeats. */
export const RETRY_MS = [2_000, 4_000, 8_000, 15_000] as const
/** [pages.redirect.1]: how long success is shown before the redirect, in ms. */
export const REDIRECT_MS = 3_000
/** [pages.states.9]: this many polls in a row without an answer mean that there is no network. */
const LOST_POLLS = 2
/** Our choice, in ms: two answers about one code may differ in its end by less than this, because of the network. */
const SAME_END_MS = 1_500

/** The state of a page that was just opened. */
export function opened(about: {
  readonly at: number
  readonly method: Method
  readonly isVisible: boolean
  readonly isOnline: boolean
  readonly isFramed: boolean
}): PageState {
  const { at, ...rest } = about
  return {
    phase: 'loading',
    look: null,
    link: null,
    code: null,
    isUnderWay: false,
    hadCode: false,
    wasTypedAsked: false,
    trouble: null,
    failures: 0,
    lost: 0,
    need: 'view',
    dueAt: at,
    loadingSince: at,
    redirectAt: null,
    ...rest,
  }
}

/** The state after an event; the same object when nothing changes. */
export function next(state: PageState, event: PageEvent): PageState {
  switch (event.type) {
    // An answer to an earlier request says nothing about the request that the person started since.
    case 'answered':
      return event.to === state.need
        ? answered(event.to === 'code' ? { ...state, wasTypedAsked: true } : state, event.answer, event.at)
        : state
    case 'looked':
      return looked({ ...state, look: event.look }, event.at)
    case 'visible':
      return shown({ ...state, isVisible: true }, event.at)
    case 'hidden':
      return { ...state, isVisible: false }
    case 'online':
      return state.phase === 'offline' ? { ...state, isOnline: true, dueAt: event.at } : { ...state, isOnline: true }
    case 'offline':
      return wentOffline({ ...state, isOnline: false }, event.at)
    case 'passed':
      return passed(state, event.at)
    case 'asked':
      return asked({ ...state, isVisible: true }, event.at)
    case 'chose':
      return chose({ ...state, method: event.method }, event.at)
    case 'stayed':
      return { ...state, redirectAt: null }
  }
}

/** The value of `data-state`. When the chosen method has no code, it is the other method. */
export function stateName(state: PageState): Exclude<Phase, 'showing'> | Method {
  return state.phase === 'showing' ? methodShown(state) : state.phase
}

/**
 * Which view is drawn: the page or the button; null while either is possible, because whoever created the link with a
 * button does not want the page shown before it. A failure in that time is shown by the page. `wanted` is the view that
 * the address or the host asks for.
 */
export function viewOf({ look, phase }: PageState, wanted: 'page' | 'button' | null): 'page' | 'button' | null {
  return look ?? wanted ?? (phase === 'loading' ? null : 'page')
}

/** The method whose code can be shown. */
export function methodShown({ method, code }: PageState): Method {
  if (code === null) return method
  if (method === 'qr') return code.qr === null ? 'code' : 'qr'
  return code.text === null ? 'qr' : 'code'
}

/**
 * When the machine must act by itself next, in ms of the clock; null when never. A request that awaits its answer is
 * not sent again.
 */
export function wakesAt(state: PageState, isAsking: boolean): number | null {
  const times = [
    state.redirectAt,
    state.code?.endsAt ?? null,
    isWaiting(state) ? state.loadingSince + LOADING_MS : null,
    !isAsking && mayAsk(state) ? state.dueAt : null,
  ]
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** The request to send now; null when there is none. */
export function needNow(state: PageState, at: number): Need | null {
  return mayAsk(state) && state.dueAt <= at ? state.need : null
}

/** Whether the link has reached an end state. */
export function isOver({ phase }: PageState): boolean {
  return (
    phase === 'connected'
    || phase === 'already-connected'
    || phase === 'expired'
    || phase === 'revoked'
    || phase === 'invalid'
  )
}

/**
 * [pages.addresses.8]: reading the link changes nothing, so a hidden page may do it. Only a visible page starts pairing
 * and polls.
 */
function mayAsk(state: PageState): boolean {
  return state.need === 'view' || (state.need !== null && state.isVisible && state.look === 'page')
}

function isWaiting({ phase, look }: PageState): boolean {
  return phase === 'loading' && look !== 'button'
}

function looked(state: PageState, at: number): PageState {
  return state.link === null || isOver(state) ? state : begun(state, at)
}

/**
 * The state once the link was read and can pair: a visible page starts pairing, a hidden page waits until it is seen,
 * and a button waits for a press.
 */
function begun(state: PageState, at: number): PageState {
  if (state.look === 'button') return { ...state, phase: 'ready', need: null }
  if (state.look === null) return { ...state, phase: 'loading', need: null }
  if (!state.isVisible) return { ...state, phase: 'ready', need: startNeed(state), dueAt: at }
  return state.isUnderWay ? { ...started(state, at), need: 'status' } : started(state, at)
}

function started(state: PageState, at: number): PageState {
  return {
    ...state,
    phase: 'loading',
    need: startNeed(state),
    dueAt: at,
    loadingSince: at,
    code: null,
    hadCode: false,
    wasTypedAsked: false,
    trouble: null,
  }
}

/** The request that starts pairing by the chosen method. */
function startNeed({ method }: PageState): 'connect' | 'code' {
  return method === 'code' ? 'code' : 'connect'
}

/** The state after a change of method. The QR code stays until there is a code to type. */
function chose(state: PageState, at: number): PageState {
  return state.phase === 'showing' && lacksTyped(state) ? { ...state, need: 'code', dueAt: at } : state
}

/** Whether a code to type is wanted and was not requested yet. */
function lacksTyped({ method, code, wasTypedAsked }: PageState): boolean {
  return method === 'code' && code !== null && code.text === null && !wasTypedAsked
}

function shown(state: PageState, at: number): PageState {
  if (isOver(state)) return state
  // The link may have been used in the window that the button opened.
  if (state.look === 'button') return state.link === null ? state : { ...state, need: 'view', dueAt: at }
  if (state.phase === 'ready') return begun(state, at)
  return state.trouble === 'BUSY' ? state : { ...state, dueAt: at }
}

function wentOffline(state: PageState, at: number): PageState {
  if (isOver(state) || state.phase === 'ready' || state.phase === 'offline') return state
  return { ...state, phase: 'offline', trouble: null, ...later(state, at) }
}

function passed(state: PageState, at: number): PageState {
  const isCodeOver = state.code?.endsAt !== null && state.code !== null && state.code.endsAt <= at
  const current = isCodeOver
    ? { ...state, code: null, ...(state.phase === 'showing' ? { dueAt: Math.min(state.dueAt, at) } : {}) }
    : state
  if (!isWaiting(current) || at < current.loadingSince + LOADING_MS) return current
  return { ...current, phase: current.isOnline ? 'failed' : 'offline', trouble: current.isOnline ? 'SLOW' : null }
}

function asked(state: PageState, at: number): PageState {
  if (isOver(state)) return state
  const isFresh =
    state.link !== null
    && (state.phase !== 'failed' || state.trouble === 'WRONG_NUMBER' || state.trouble === 'BANNED')
    && state.phase !== 'offline'
  if (isFresh) return started(state, at)
  return state.code === null ? { ...state, phase: 'loading', loadingSince: at, dueAt: at } : { ...state, dueAt: at }
}

function answered(state: PageState, answer: Answer, at: number): PageState {
  switch (answer.kind) {
    case 'refused':
      return failed(state, answer.isBusy ? 'BUSY' : 'SERVER', at, answer.retryAfterMs)
    case 'lost':
      return lost(state, at)
    case 'over':
      return over(state, answer)
    case 'open':
      return ended(state, 'already-connected')
    case 'view':
      return viewed(healthy(state), answer, at)
    // A code request answered with no code means that a phone accepted the code of a pairing under way before this page
    // opened.
    case 'code':
      return coded({ ...healthy(state), hadCode: true }, answer.code, at)
    case 'status':
      return polled(healthy(state), answer, at)
  }
}

/** An answer ends every earlier failure. */
function healthy(state: PageState): PageState {
  return { ...state, failures: 0, lost: 0, isOnline: true }
}

function viewed(
  state: PageState,
  { link, state: numberState }: Extract<Answer, { kind: 'view' }>,
  at: number,
): PageState {
  const known = { ...state, link, trouble: null, isUnderWay: numberState === 'CONNECTING' }
  return numberState === 'OPEN' ? ended(known, 'already-connected') : begun(known, at)
}

function polled(state: PageState, status: Extract<Answer, { kind: 'status' }>, at: number): PageState {
  if (status.state === 'OPEN') return connected(state, status.numberId, at)
  const without: PageState = { ...state, need: 'status', dueAt: at + POLL_MS, code: null, trouble: null }
  switch (status.reason) {
    case 'QR_EXPIRED':
      return { ...without, phase: 'paused', hadCode: false }
    case 'PASSKEY_REQUIRED':
      return { ...without, phase: 'passkey' }
    case 'WRONG_NUMBER':
    case 'BANNED':
      return { ...without, phase: 'failed', hadCode: false, trouble: status.reason }
    case null:
      return status.state === 'CLOSE' ? closed(without, at) : coded(state, status.code, at)
  }
}

/** The session ended without a reason. When no code was shown yet, pairing just starts again. */
function closed(state: PageState, at: number): PageState {
  if (state.phase === 'loading' && !state.hadCode) return started(state, at)
  return failed({ ...state, need: startNeed(state), hadCode: false }, 'ENDED', at, null)
}

/** Shows a code while there is one. Without one, a phone accepted it or the first one is still awaited. */
function coded(state: PageState, { qr, text, expiresInMs }: AnsweredCode, at: number): PageState {
  const polling: PageState = { ...state, need: 'status', dueAt: at + POLL_MS, trouble: null }
  if (qr === null && text === null) {
    if (state.hadCode) return { ...polling, phase: 'linking', code: null }
    return {
      ...polling,
      need: startNeed(state),
      dueAt: at,
      phase: 'loading',
      loadingSince: state.phase === 'loading' ? state.loadingSince : at,
    }
  }
  const endsAt = expiresInMs === null ? null : at + expiresInMs
  const isSame =
    state.code !== null
    && state.code.qr === qr
    && state.code.text === text
    && Math.abs((state.code.endsAt ?? 0) - (endsAt ?? 0)) < SAME_END_MS
  const showing: PageState = {
    ...polling,
    phase: 'showing',
    hadCode: true,
    code: isSame ? state.code : { qr, text, endsAt, lifeMs: expiresInMs },
  }
  return lacksTyped(showing) ? { ...showing, need: 'code', dueAt: at } : showing
}

function connected(state: PageState, numberId: string | null, at: number): PageState {
  const link = state.link && { ...state.link, numberId: numberId ?? state.link.numberId }
  const isTakenOn = link !== null && link.redirectUrl !== null && !state.isFramed
  return { ...ended({ ...state, link }, 'connected'), redirectAt: isTakenOn ? at + REDIRECT_MS : null }
}

const END_OF: Readonly<Record<LinkEnd, Phase>> = {
  EXPIRED: 'expired',
  REVOKED: 'revoked',
  USED: 'already-connected',
  UNKNOWN: 'invalid',
}

function over(
  state: PageState,
  { reason, redirectUrl, numberId, name, number }: Extract<Answer, { kind: 'over' }>,
): PageState {
  const known = { name: name || state.link?.name || '', number: number || state.link?.number || '' }
  return ended(
    {
      ...state,
      link: {
        ...known,
        numberId: numberId ?? state.link?.numberId ?? null,
        redirectUrl: redirectUrl ?? state.link?.redirectUrl ?? null,
      },
    },
    END_OF[reason],
  )
}

function ended(state: PageState, phase: Phase): PageState {
  return { ...state, phase, code: null, trouble: null, need: null }
}

function failed(state: PageState, trouble: Trouble, at: number, retryAfterMs: number | null): PageState {
  const { failures, dueAt } = later(state, at)
  return { ...state, phase: 'failed', trouble, lost: 0, failures, dueAt: Math.max(dueAt, at + (retryAfterMs ?? 0)) }
}

/** One missing answer is ignored: the next request is sent as if it had come. */
function lost(state: PageState, at: number): PageState {
  const counted = { ...state, lost: state.lost + 1 }
  if (counted.lost < LOST_POLLS && state.isOnline) return { ...counted, dueAt: at + POLL_MS }
  return { ...counted, phase: 'offline', trouble: null, ...later(counted, at) }
}

function later({ failures }: PageState, at: number): Pick<PageState, 'failures' | 'dueAt'> {
  const waitMs = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? POLL_MS
  return { failures: failures + 1, dueAt: at + waitMs }
}
