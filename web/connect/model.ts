import { computed, effect, signal } from '@preact/signals'
import type { ReadonlySignal, Signal } from '@preact/signals'
import { themeOf } from '../../src/domain/contrast.ts'
import type { ThemeColors } from '../../src/domain/contrast.ts'
import { DEFAULT_BRANDING } from '../../src/domain/branding.ts'
import type { Theme as HostTheme } from '../protocol/messages.ts'
import { browserClock } from '../ui/clock.ts'
import type { PageClock } from '../ui/clock.ts'
import { colorsDrawn, putColors } from '../ui/theme.ts'
import type { ConnectWords } from '../words/connect/words.ts'
import type { Language } from '../words/language.ts'
import type { Look } from './api.ts'
import type { Happening } from './follow.ts'
import type { PageRequest } from './request.ts'
import type { PageState } from './page-state.ts'

/** What the server says to the connect page. */
export interface ConnectData {
  /** Drawn where no brand says otherwise. */
  readonly serviceName: string
  /** Public base of the service, without a trailing slash. */
  readonly baseUrl: string
  /** By the browser's wish. */
  readonly lang: Language
  /** Who may frame it, where it is an embed's document. */
  readonly allowedOrigins?: readonly string[]
  /** What the preview shows in place of a link's code: a PNG as a data URI. */
  readonly exampleQr?: string
}

/** What the page is drawn from; whatever changes in it is drawn at once. */
export interface PageModel {
  readonly serviceName: string
  readonly request: PageRequest
  readonly clock: PageClock
  readonly page: Signal<PageState>
  /** Null until the service says how the link looks. */
  readonly look: Signal<Look | null>
  readonly language: Signal<Language>
  readonly words: Signal<ConnectWords>
  /** What the host of an embed wants drawn otherwise. */
  readonly hostTheme: Signal<HostTheme | null>
  readonly colors: ReadonlySignal<ThemeColors>
  /**
   * What the address or the host of an embed wants of the link, whatever it was minted with; null where nobody says.
   */
  readonly wanted: Signal<'page' | 'button' | null>
  /** Opens the page that a button leads to, where a host does that; else the button is a link. */
  readonly openPage: Signal<(() => void) | null>
  /** The person did something; nothing is behind it before there is a link. */
  readonly tell: Signal<(event: Happening) => void>
}

/** The language to begin with: the address's, else the browser's. */
export function firstLanguage(data: ConnectData, request: PageRequest): Language {
  return request.language ?? data.lang
}

/** The model of a page that knows nothing but its address yet. */
export function createModel(data: ConnectData, request: PageRequest, words: ConnectWords, first: PageState): PageModel {
  const look = signal<Look | null>(null)
  const hostTheme = signal<HostTheme | null>(null)
  const language = signal<Language>(firstLanguage(data, request))
  const theme = computed(() => {
    const answered = look.value
    const { primary, background } = hostTheme.value ?? { primary: null, background: null }
    if (answered !== null && primary === null && background === null) return answered.theme
    const { primaryColor, backgroundColor } = answered?.branding ?? DEFAULT_BRANDING
    return themeOf({ primaryColor: primary ?? primaryColor, backgroundColor: background ?? backgroundColor })
  })
  const colors = colorsDrawn(
    theme,
    computed(() => hostTheme.value?.mode ?? 'auto'),
  )
  return {
    serviceName: data.serviceName,
    request,
    clock: browserClock,
    look,
    hostTheme,
    language,
    colors,
    wanted: signal(request.mode),
    page: signal(first),
    words: signal(words),
    openPage: signal(null),
    tell: signal(() => undefined),
  }
}

/** Keeps the document itself as the model says: its colours, its language and what a host wishes. */
export function drawDocument({ colors, language, hostTheme, page }: PageModel): void {
  const root = document.documentElement
  effect(() => putColors(colors.value))
  effect(() => {
    root.lang = language.value
  })
  effect(() => {
    const { radius = null, density = null } = hostTheme.value ?? {}
    if (radius === null) root.style.removeProperty('--radius')
    else root.style.setProperty('--radius', `${radius}px`)
    root.dataset['density'] = density ?? 'comfortable'
  })
  root.toggleAttribute('data-framed', page.value.isFramed)
}
