import type { PageClock } from '../ui/clock.ts'
import type { Answer } from './answers.ts'
import { redirectTo } from './redirect.ts'
import { needNow, next, wakesAt } from './state.ts'
import type { Need, PageEvent, PageState } from './page-state.ts'

type WithoutTime<Event> = Event extends { readonly at: number } ? Omit<Event, 'at'> : Event
/** The requests of the state machine, by name. None rejects: a missing answer is an answer too. */
export type LinkApi = Readonly<Record<Need, () => Promise<Answer>>>

/** An event without its time, which is the current time. */
export type Happening = WithoutTime<PageEvent>

export interface Following {
  /** Passes an event to the state machine. */
  tell(event: Happening): void
  /** Ends all requests and drawing. */
  stop(): void
}

export interface FollowParts {
  readonly clock: PageClock
  readonly api: LinkApi
  /** Draws a state; the first one too. */
  show(state: PageState): void
  /** Navigates to another page. */
  leave(url: string): void
}

/**
 * Runs the state machine of the page: asks the service when the state needs it, one request at a time, and sets a timer
 * for when time alone changes the state.
 */
export function follow({ clock, api, show, leave }: FollowParts, first: PageState): Following {
  let state = first
  let isAsking = false
  let isStopped = false
  let wake: { cancel(): void } | null = null

  function tell(event: Happening): void {
    if (isStopped) return
    // `Omit` over a union loses which field belongs to which member; only the time is added here.
    const after = next(state, { at: clock.monotonicMs(), ...event } as PageEvent)
    if (after !== state) show(after)
    state = after
    work()
  }

  function work(): void {
    wake?.cancel()
    wake = null
    const at = clock.monotonicMs()
    if (state.redirectAt !== null && state.redirectAt <= at) return takeOn()
    if (!isAsking) void ask(at)
    const wakeAt = wakesAt(state, isAsking)
    if (wakeAt !== null) wake = clock.after(wakeAt - at, () => tell({ type: 'passed' }))
  }

  async function ask(at: number): Promise<void> {
    const need = needNow(state, at)
    if (need === null) return
    isAsking = true
    const answer = await api[need]()
    isAsking = false
    tell({ type: 'answered', to: need, answer })
  }

  function takeOn(): void {
    const url = outcomeUrl(state)
    tell({ type: 'stayed' })
    if (url !== null) leave(url)
  }

  show(state)
  work()
  return {
    tell,
    stop() {
      isStopped = true
      wake?.cancel()
    },
  }
}

/** The redirect address with the outcome of the link; null when there is none to go to. */
export function outcomeUrl({ phase, link }: PageState): string | null {
  if (link === null || link.redirectUrl === null) return null
  switch (phase) {
    case 'connected':
    case 'already-connected':
      return redirectTo(link.redirectUrl, { status: 'connected', numberId: link.numberId })
    case 'expired':
    case 'revoked':
      return redirectTo(link.redirectUrl, { status: phase, numberId: null })
    default:
      return null
  }
}
