/**
 * The connect page as a machine ([pages.states.1] to [pages.states.9]): what is shown, and what is asked of the
 * service next. Pure: `web/connect/follow.ts` asks and waits. All times are ms of one clock that only has to run
 * evenly; the service says how long is left.
 */
import type { Answer, AnsweredCode, LinkEnd } from './answers.ts'
import type { Method, Need, PageEvent, PageState, Phase, Trouble } from './page-state.ts'

/** [pages.states.1]: a first answer that takes longer, in ms, is a failure. */
export const LOADING_MS = 10_000
/** [pages.polling.1]: how often a visible page asks for the status, in ms. */
export const POLL_MS = 2_000
/** [pages.states.9]: waits before what failed is tried again, in ms; the last one from then on. */
export const RETRY_MS = [2_000, 4_000, 8_000, 15_000] as const
/** [pages.redirect.1]: how long success shows before the person is taken on, in ms. */
export const REDIRECT_MS = 3_000
/** [pages.states.9]: as many polls that are lost in a row mean that there is no network. */
const LOST_POLLS = 2
/** Our choice, in ms: ends of one code that differ by less are the same, told over a network. */
const SAME_END_MS = 1_500

/** A page that was just opened. */
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

/** The page's state after something happened. The same object where nothing changes. */
export function next(state: PageState, event: PageEvent): PageState {
  switch (event.type) {
    // What was asked before the person asked for something else tells nothing of it.
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

/** The value of `data-state`. A method that the service has no code for gives way to the other. */
export function stateName(state: PageState): Exclude<Phase, 'showing'> | Method {
  return state.phase === 'showing' ? methodShown(state) : state.phase
}

/**
 * What of the link is drawn. Null while it may still turn out to be either: whoever minted it with a button does not
 * want the page seen before it. What goes wrong by then is told by the page. `wanted`: what the address or the host
 * says.
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
 * When something is to be done next by itself, in ms of the clock; null where nothing is. An answer that is awaited is
 * not asked for again.
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

/** What is to be asked of the service now; null where nothing is. */
export function needNow(state: PageState, at: number): Need | null {
  return mayAsk(state) && state.dueAt <= at ? state.need : null
}

/** Nothing more happens to the link. */
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
 * [pages.addresses.8]: reading changes nothing and may be done unseen; pairing is started, and polled for, by a page
 * that is seen.
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

/** The link is read, and can pair: the page starts once it is seen, a button waits to be pressed. */
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

/** What starts pairing, by the method that the page shows. */
function startNeed({ method }: PageState): 'connect' | 'code' {
  return method === 'code' ? 'code' : 'connect'
}

/** The other method is looked at. What is there to scan stays until there is something to type. */
function chose(state: PageState, at: number): PageState {
  return state.phase === 'showing' && lacksTyped(state) ? { ...state, need: 'code', dueAt: at } : state
}

/** The page shall show a code to type, and nobody asked for one yet. */
function lacksTyped({ method, code, wasTypedAsked }: PageState): boolean {
  return method === 'code' && code !== null && code.text === null && !wasTypedAsked
}

function shown(state: PageState, at: number): PageState {
  if (isOver(state)) return state
  // A button's link may have been used in the window that the button opened.
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
    // A pairing under way whose code is withdrawn already: a phone accepted it before this page was there.
    case 'code':
      return coded({ ...healthy(state), hadCode: true }, answer.code, at)
    case 'status':
      return polled(healthy(state), answer, at)
  }
}

/** An answer came: whatever failed before is over. */
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

/** The session ended without a word. Nothing is lost by that where none was waited for yet. */
function closed(state: PageState, at: number): PageState {
  if (state.phase === 'loading' && !state.hadCode) return started(state, at)
  return failed({ ...state, need: startNeed(state), hadCode: false }, 'ENDED', at, null)
}

/** A code is shown as long as there is one: without, the phone accepted it, or the first is still awaited. */
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

/** One answer that does not come is nothing: the next is asked for as if it had come. */
function lost(state: PageState, at: number): PageState {
  const counted = { ...state, lost: state.lost + 1 }
  if (counted.lost < LOST_POLLS && state.isOnline) return { ...counted, dueAt: at + POLL_MS }
  return { ...counted, phase: 'offline', trouble: null, ...later(counted, at) }
}

function later({ failures }: PageState, at: number): Pick<PageState, 'failures' | 'dueAt'> {
  const waitMs = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? POLL_MS
  return { failures: failures + 1, dueAt: at + waitMs }
}
