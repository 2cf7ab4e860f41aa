import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Signal } from '@preact/signals'
import type { Permission } from '../../../src/domain/permissions.ts'
import type { PageClock } from '../../ui/clock.ts'
import type { Session } from '../../ui/session/answers.ts'
import type { DashboardWords } from '../../words/dashboard/words.ts'
import type { Language } from '../../words/language.ts'
import type { Api } from '../api/client.ts'
import type { CallFrame } from '../live/frames.ts'
import type { News } from '../live/news.ts'
import type { Router } from './router.ts'

/** The data that the server writes into the documents of the dashboard. */
export interface DashboardData {
  readonly serviceName: string
  /** Public base URL of the service, without a trailing slash. */
  readonly baseUrl: string
  /** The language that the browser prefers. */
  readonly lang: Language
}

/** What every page of the dashboard works with. */
export interface App {
  readonly data: DashboardData
  readonly language: Language
  /** The words of the frame and of the ground. */
  readonly words: DashboardWords
  readonly session: Session
  readonly api: Api
  readonly news: News
  readonly router: Router
  readonly clock: PageClock
  /** What was done last, in words; empty when nothing. */
  readonly said: Signal<string>
  /** The call that the softphone is to take over from its bot; null when there is none. */
  readonly callToTake: Signal<CallFrame | null>
  /** Whether the session may do something; what it may not is not offered. */
  can(permission: Permission): boolean
  /** Ends the session and leads to the login. */
  signOut(): void
  /** Says in words what was done, to eyes and to screen readers, until something else is said or shown. */
  say(text: string): void
}

export const AppContext = createContext<App | null>(null)

/** The app that the calling component is drawn in. */
export function useApp(): App {
  const app = useContext(AppContext)
  if (app === null) throw new Error('a page of the dashboard is drawn outside of it')
  return app
}
