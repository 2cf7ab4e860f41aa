/**
 * The entry of the dashboard: reads who is signed in, and leads to the login whoever is not. Pages and their words are
 * loaded when they are shown.
 */
import { computed, effect, signal } from '@preact/signals'
import { render } from 'preact'
import { DEFAULT_BRANDING } from '../../src/domain/branding.ts'
import { themeOf } from '../../src/domain/contrast.ts'
import { browserClock } from '../ui/clock.ts'
import { pageData } from '../ui/page-data.ts'
import type { Session } from '../ui/session/answers.ts'
import { answerTo } from '../ui/session/ask.ts'
import { loginAddress } from '../ui/session/way-on.ts'
import { colorsDrawn, putColors } from '../ui/theme.ts'
import { loadDashboardWords } from '../words/dashboard/words.ts'
import { languageOf } from '../words/language.ts'
import { createApi } from './api/client.ts'
import { News } from './live/news.ts'
import type { App, DashboardData } from './shell/app.ts'
import { Dashboard } from './shell/dashboard.tsx'
import { Waiting } from './shell/waiting.tsx'
import { Router } from './shell/router.ts'
import './dashboard.css'

const data = pageData<DashboardData>()
const named = new URLSearchParams(location.search).get('lang')
const language = languageOf(named) ?? data.lang
document.documentElement.lang = language
const colors = colorsDrawn(
  signal(themeOf(DEFAULT_BRANDING)),
  computed(() => 'auto' as const),
)
effect(() => putColors(colors.value))

const WHO = { method: 'GET', path: '/api/session', csrfToken: null } as const

/**
 * Set while a person signs out, and while this page leads to the login: its other answers, which say so too, lead
 * nowhere then.
 */
let isSigningOut = false
let isLeaving = false

/** Leads to the login, and from there back to this page ([dashboard.pages.3]). */
function signIn(): void {
  if (isSigningOut || isLeaving) return
  isLeaving = true
  location.replace(loginAddress(location.pathname + location.search, named))
}

/** Ends the session, and leads to the login alone: nobody who signs out wants to come back to this page. */
async function signOut(csrfToken: string): Promise<void> {
  isSigningOut = true
  const { fault } = await answerTo({ method: 'DELETE', path: WHO.path, csrfToken })
  isSigningOut = false
  isLeaving = fault === undefined || fault.kind === 'SIGNED_OUT'
  if (isLeaving) location.assign('/login')
}

/**
 * Called when an answer says that nobody is signed in: asks once more whether that is so, because the login would lead
 * straight back here otherwise.
 */
async function signedOut(): Promise<void> {
  const { fault } = await answerTo<Session>(WHO)
  if (fault?.kind === 'SIGNED_OUT') signIn()
}

function appOf(session: Session, words: App['words']): App {
  const said = signal('')
  const permissions = new Set(session.permissions)
  return {
    data,
    language,
    words,
    session,
    said,
    callToTake: signal(null),
    api: createApi(session.csrfToken, () => void signedOut()),
    news: new News(),
    router: new Router(),
    clock: browserClock,
    can: (permission) => permissions.has(permission),
    signOut: () => void signOut(session.csrfToken),
    say(text) {
      said.value = text
    },
  }
}

async function begin(): Promise<void> {
  const root = document.getElementById('page') ?? document.body
  const [words, { body: session, fault }] = await Promise.all([loadDashboardWords(language), answerTo<Session>(WHO)])
  if (fault?.kind === 'SIGNED_OUT') return signIn()
  if (session === undefined) {
    render(<Waiting words={words} fault={fault} serviceName={data.serviceName} again={() => void begin()} />, root)
    return
  }
  const app = appOf(session, words)
  const pathname = computed(() => app.router.place.value.pathname)
  // What was said is of the page that it was said on.
  effect(() => {
    if (pathname.value !== '') app.said.value = ''
  })
  app.router.followLinks()
  app.news.start(() => void signedOut())
  render(<Dashboard app={app} />, root)
}

// A browser may show a page of its history as it was, after it led to the login.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  isLeaving = false
  void signedOut()
})
void begin()
