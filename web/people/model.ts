import { signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import type { PeopleWords } from '../words/people/words.ts'
import type { Fault, Grant, Interaction, Invited, Session } from './answers.ts'
import type { PeopleApi } from './api.ts'
import type { PageRequest } from './request.ts'

/** What the server says to the pages of people. */
export interface PeopleData {
  readonly serviceName: string
  /** By the browser's wish. */
  readonly lang: 'en' | 'pt' | 'es'
  /** Where whoever is signed in can go. */
  readonly links: readonly { readonly what: 'docs' | 'inbox' | 'sandbox' | 'people'; readonly href: string }[]
}

/** What is shown. */
export type Screen =
  | { readonly at: 'loading' }
  | { readonly at: 'sign-in' }
  /** The person is invited and chooses a password; `invited` null: the service could not be asked whom it is for. */
  | { readonly at: 'invite'; readonly token: string; readonly invited: Invited | null }
  | { readonly at: 'consent'; readonly session: Session; readonly interaction: Interaction }
  /** Grants null: not read yet, or nobody may. */
  | { readonly at: 'account'; readonly session: Session; readonly grants: readonly Grant[] | null }
  /** What the address led to is over, or never was. */
  | { readonly at: 'gone'; readonly what: 'invitation' | 'interaction' }
  /** The client has its answer; the browser is on its way there. */
  | { readonly at: 'leaving' }

/** What the pages are drawn from; whatever changes in it is drawn at once. */
export interface PageModel {
  readonly serviceName: string
  readonly links: PeopleData['links']
  readonly request: PageRequest
  readonly api: PeopleApi
  readonly words: PeopleWords
  readonly screen: Signal<Screen>
  /** Why the last thing that was asked for was not done. */
  readonly fault: Signal<Fault | null>
  /** What was done last, in words. */
  readonly news: Signal<string>
  /** Something is under way, and is not begun twice. */
  readonly isBusy: Signal<boolean>
}

/** A page that knows nothing but its address yet. */
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
