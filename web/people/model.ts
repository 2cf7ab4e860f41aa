import { signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import type { PeopleWords } from '../words/people/words.ts'
import type { Fault, Grant, Session } from '../ui/session/answers.ts'
import type { Interaction, Invited } from './answers.ts'
import type { PeopleApi } from './api.ts'
import type { PageRequest } from './request.ts'

/** The data that the server writes into the documents of these pages. */
export interface PeopleData {
  readonly serviceName: string
  /** The language that the browser prefers. */
  readonly lang: 'en' | 'pt' | 'es'
  /** Where a signed-in person can go. */
  readonly links: readonly {
    readonly what: 'dashboard' | 'docs' | 'inbox' | 'sandbox' | 'people'
    readonly href: string
  }[]
}

/** The screen that is shown. */
export type Screen =
  | { readonly at: 'loading' }
  | { readonly at: 'sign-in' }
  /**
   * An invited person chooses a password; `invited` is null when the service did not answer whom the invitation is for.
   */
  | { readonly at: 'invite'; readonly token: string; readonly invited: Invited | null }
  | { readonly at: 'consent'; readonly session: Session; readonly interaction: Interaction }
  /** `grants` is null until they were read, or when the person may not read them. */
  | { readonly at: 'account'; readonly session: Session; readonly grants: readonly Grant[] | null }
  /** The invitation or request of the address is over, or never existed. */
  | { readonly at: 'gone'; readonly what: 'invitation' | 'interaction' }
  /** The client has its answer, and the browser is about to go back to it. */
  | { readonly at: 'leaving' }

/** Everything the pages are drawn from; a change in any signal is drawn at once. */
export interface PageModel {
  readonly serviceName: string
  readonly links: PeopleData['links']
  readonly request: PageRequest
  readonly api: PeopleApi
  readonly words: PeopleWords
  readonly screen: Signal<Screen>
  /** Why the last request failed; null when it did not. */
  readonly fault: Signal<Fault | null>
  /** What was done last, in words; empty when nothing. */
  readonly news: Signal<string>
  /** Whether a request is under way; no second one starts meanwhile. */
  readonly isBusy: Signal<boolean>
}

/** Makes the model of a page that has read only its address so far. */
export function createModel(
  { serviceName, links }: PeopleData,
  request: PageRequest,
  api: PeopleApi,
  words: PeopleWords,
): PageModel {
  return {
    serviceName,
    links,
    request,
    api,
    words,
    screen: signal<Screen>({ at: 'loading' }),
    fault: signal<Fault | null>(null),
    news: signal(''),
    isBusy: signal(false),
  }
}
