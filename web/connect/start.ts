import { browserClock } from '../ui/clock.ts'
import { loadWords } from '../words/connect/words.ts'
import { languageOf } from '../words/language.ts'
import { linkApi, readLook } from './api.ts'
import { follow } from './follow.ts'
import type { Following } from './follow.ts'
import type { ConnectData, PageModel } from './model.ts'
import { lookQuery } from './request.ts'
import { opened, RETRY_MS } from './state.ts'
import type { PageState } from './page-state.ts'

/** The first state, from what the browser tells of the device. */
export function firstState({ opensAt }: { readonly opensAt: 'qr' | 'code' | null }): PageState {
  return opened({
    at: browserClock.monotonicMs(),
    method: opensAt ?? (isTouched() ? 'code' : 'qr'),
    isVisible: document.visibilityState === 'visible',
    isOnline: navigator.onLine,
    isFramed: window.parent !== window,
  })
}

/** A touch screen is probably the phone itself, which cannot scan its own screen. */
function isTouched(): boolean {
  return matchMedia('(pointer: coarse)').matches
}

/** Starts the page by where its token comes from. */
export async function start(model: PageModel, data: ConnectData, element: Element): Promise<void> {
  const { source } = model.request
  listenToBrowser(model)
  if (source.kind === 'link') {
    openLink(model, source.token)
    return offerPhone(model)
  }
  if (source.kind === 'preview') {
    // The preview is loaded on demand, because only the editor of brands needs it.
    const { startPreview } = await import('./preview.ts')
    return startPreview(model, data)
  }
  if (source.kind !== 'frame') return
  const { startFrame } = await import('./frame.ts')
  return startFrame(model, data, element, {
    open: (token) => openLink(model, token),
    speak: (locale) => void speak(model, locale),
    first: () => firstState(model.request),
  })
}

/** Loads, once there is something to pair, what only the larger screens of a person with a phone need. */
function offerPhone({ page, onPhone }: PageModel): void {
  if (page.value.isFramed || isTouched()) return
  const stop = page.subscribe(async ({ phase }) => {
    if (phase !== 'ready' && phase !== 'showing') return
    queueMicrotask(() => stop())
    onPhone.value = (await import('./on-phone.tsx')).OnPhone
  })
}

/** Changes the language once its words are loaded. A language that the pages do not speak changes nothing. */
async function speak(model: PageModel, locale: string | null): Promise<void> {
  const language = languageOf(locale)
  if (language === null || language === model.language.value) return
  model.language.value = language
  const words = await loadWords(language)
  if (model.language.value === language) model.words.value = words
}

/** Follows a link until it is over or another one takes its place. */
function openLink(model: PageModel, token: string): Following {
  const following = follow(
    {
      clock: model.clock,
      api: linkApi(token),
      show: (state) => {
        model.page.value = state
      },
      leave: (url) => location.assign(url),
    },
    model.page.value,
  )
  let isStopped = false
  model.tell.value = following.tell
  void (async () => {
    const look = await lookOf(model, token, () => isStopped)
    if (look === null) return
    model.look.value = look
    following.tell({ type: 'looked', look: model.wanted.value ?? (look.branding.button === null ? 'page' : 'button') })
  })()
  return {
    tell: following.tell,
    stop() {
      isStopped = true
      following.stop()
    },
  }
}

/** Reads the look of a link, again until it is answered. Null when the link is no longer followed. */
async function lookOf({ request, page, clock }: PageModel, token: string, isStopped: () => boolean) {
  for (let failures = 0; !isStopped(); failures++) {
    const look = await readLook(token, lookQuery(request, page.value.isFramed))
    if (isStopped()) break
    if (look !== null) return look
    await new Promise<void>((resolve) => clock.after(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0, resolve))
  }
  return null
}

function listenToBrowser({ tell }: PageModel): void {
  document.addEventListener('visibilitychange', () =>
    tell.value({ type: document.visibilityState === 'visible' ? 'visible' : 'hidden' }),
  )
  for (const type of ['online', 'offline'] as const) window.addEventListener(type, () => tell.value({ type }))
}
