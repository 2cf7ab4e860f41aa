import type { PageClock } from '../ui/clock.ts'
import type { Answer } from './answers.ts'
import { redirectTo } from './redirect.ts'
import { needNow, next, wakesAt } from './state.ts'
import type { Need, PageEvent, PageState } from './page-state.ts'

type WithoutTime<Event> = Event extends { readonly at: number } ? Omit<Event, 'at'> : Event
/** The questions to the service, by the machine's names. None fails: that no answer came is an answer. */
export type LinkApi = Readonly<Record<Need, () => Promise<Answer>>>

/** An event that happens now. */
export type Happening = WithoutTime<PageEvent>

export interface Following {
  /** Something happened. */
  tell(event: Happening): void
  /** Nothing is asked or shown any more. */
  stop(): void
}

export interface FollowParts {
  readonly clock: PageClock
  readonly api: LinkApi
  /** Draws a state. Called for the first one, too. */
  show(state: PageState): void
  /** Leaves the page for another. */
  leave(url: string): void
}

/**
 * Runs the page's machine: asks the service when the state says so, one question at a time, and wakes when time alone
 * changes something.
 */
export function follow({ clock, api, show, leave }: FollowParts, first: PageState): Following {
  let state = first
  let isAsking = false
  let isStopped = false
  let wake: { cancel(): void } | null = null

  function tell(event: Happening): void {
    if (isStopped) return
    // The types of a union lose what belongs to which member; only the time is added.
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

/** Where the person goes from here; null where there is nowhere to go. */
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
