import { computed, effect, signal } from '@preact/signals'
import type { ReadonlySignal, Signal } from '@preact/signals'
import type { ComponentType } from 'preact'
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

/** The data that the server writes into the connect page's document. */
export interface ConnectData {
  /** Shown when no brand names the service otherwise. */
  readonly serviceName: string
  /** Public base URL of the service, without a trailing slash. */
  readonly baseUrl: string
  /** The language that the browser prefers. */
  readonly lang: Language
  /** Origins that may frame the page; only in the document of an embed. */
  readonly allowedOrigins?: readonly string[]
  /** A QR code for the preview, which has no link: a PNG as a data URI. */
  readonly exampleQr?: string
}

/** Everything the page is drawn from; a change in any signal is drawn at once. */
export interface PageModel {
  readonly serviceName: string
  readonly request: PageRequest
  readonly clock: PageClock
  readonly page: Signal<PageState>
  /** Null until the service answered with the look of the link. */
  readonly look: Signal<Look | null>
  readonly language: Signal<Language>
  readonly words: Signal<ConnectWords>
  /** The theme that the host of an embed asks for; null when it asks for none. */
  readonly hostTheme: Signal<HostTheme | null>
  readonly colors: ReadonlySignal<ThemeColors>
  /** The view that the address or the host asks for, over the link's own; null when neither does. */
  readonly wanted: Signal<'page' | 'button' | null>
  /** Opens the page that the button leads to, when a host shows it in a dialog; null makes the button a link. */
  readonly openPage: Signal<(() => void) | null>
  /** Offers the page for a phone; null until it is loaded, and where it is not wanted. */
  readonly onPhone: Signal<ComponentType<{ readonly model: PageModel; readonly url: string }> | null>
  /** Passes an act of the person to the state machine; it does nothing until a link is followed. */
  readonly tell: Signal<(event: Happening) => void>
}

/** The first language: the one in the address, else the browser's. */
export function firstLanguage(data: ConnectData, request: PageRequest): Language {
  return request.language ?? data.lang
}

/** Makes the model of a page that has read only its address so far. */
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
    onPhone: signal(null),
    tell: signal(() => undefined),
  }
}

/** Keeps the colours, language and theme of the document in step with the model. */
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
