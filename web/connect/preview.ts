/**
 * The preview of the page ([pages.addresses.5]): an example link, drawn as the editor of brands says. It sends no
 * request to the service.
 */
import { DEFAULT_LOOK } from '../../src/domain/branding.ts'
import type { ResolvedBranding } from '../../src/domain/branding.ts'
import {
  BRANDING_FIELDS,
  BUTTON_FIELDS,
  checkButtonField,
  checkField,
  logosUrl,
} from '../../src/domain/branding-fields.ts'
import { themeOf, withReadableButton } from '../../src/domain/contrast.ts'
import { inEnvelope, openEnvelope } from '../protocol/envelope.ts'
import { PREVIEW_STATES, type PreviewState } from '../protocol/preview-states.ts'
import type { ConnectData, PageModel } from './model.ts'
import type { PageState, ShownCode } from './page-state.ts'
import { next } from './state.ts'

/** The number and code of the example: no phone has this number, and no service gave this code. */
const NUMBER = '*********0000'
const CODE = 'ABCD1234'

/**
 * Draws the example, and again whenever the editor sends a change. The editor is a page of the service itself that
 * frames this one; messages from others are ignored ([pages.preview.1]).
 */
export function startPreview(model: PageModel, { baseUrl, exampleQr }: ConnectData): void {
  const {
    page,
    request: { mode },
    serviceName,
  } = model
  const service = new URL(baseUrl).origin
  const code: ShownCode = { qr: exampleQr ?? null, text: CODE, endsAt: null, lifeMs: null }
  const draw = (branding: ResolvedBranding, wanted: 'page' | 'button' | null): void => {
    const theme = themeOf(branding)
    model.look.value = { branding: withReadableButton(branding, theme), theme }
    const { link } = page.value
    page.value = {
      ...page.value,
      link: link && { ...link, redirectUrl: branding.defaultRedirectUrl },
      look: wanted ?? mode ?? (branding.button === null ? 'page' : 'button'),
    }
  }
  page.value = {
    ...page.value,
    phase: 'showing',
    need: null,
    link: { name: serviceName, number: NUMBER, numberId: null, redirectUrl: null },
    code,
  }
  draw(DEFAULT_LOOK, null)
  model.tell.value = (event) => {
    if (event.type === 'chose') page.value = next(page.value, { ...event, at: 0 })
  }
  // The page behind the button is the same example.
  model.openPage.value = () => {
    page.value = { ...page.value, look: 'page' }
  }
  const { parent } = window
  if (parent === window) return
  window.addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== parent || origin !== service) return
    const said = openEnvelope(data)
    if (said?.type !== 'preview') return
    const { state, mode: view, theme } = wishesOf(said.payload)
    if (state !== null) page.value = { ...page.value, ...inState(state, code, page.value) }
    if (theme !== null)
      model.hostTheme.value = { mode: theme, primary: null, background: null, radius: null, density: null }
    draw(brandOf(said.payload, logosUrl(baseUrl)), view)
  })
  parent.postMessage(inEnvelope({ type: 'preview-ready', payload: {} }), service)
}

/** What of the page's state a state of its name differs in. */
function inState(
  state: PreviewState,
  code: ShownCode,
  { method }: PageState,
): Pick<PageState, 'phase' | 'method' | 'code' | 'trouble'> {
  if (state === 'qr' || state === 'code') return { phase: 'showing', method: state, code, trouble: null }
  return { phase: state, method, code: null, trouble: state === 'failed' ? 'SERVER' : null }
}

/** What the editor wants to see beside the brand; null where it asks for nothing that the page knows. */
function wishesOf(said: unknown) {
  const { state, mode, theme } = typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : {}
  return {
    state: PREVIEW_STATES.find((name) => name === state) ?? null,
    mode: mode === 'page' || mode === 'button' ? mode : null,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
  } as const
}

/** A brand from the editor, which may be half typed: each wrong or missing field falls back to its default. */
export function brandOf(said: unknown, logos: string): ResolvedBranding {
  const fields = checked(said, BRANDING_FIELDS, (field, value) => checkField(field, value, logos))
  const button =
    typeof said === 'object' && said !== null && 'button' in said && typeof said.button === 'object'
      ? said.button
      : null
  return {
    ...DEFAULT_LOOK,
    ...fields,
    button: button === null ? null : checked(button, BUTTON_FIELDS, checkButtonField),
  }
}

function checked<F extends string>(
  said: unknown,
  fields: readonly F[],
  check: (field: F, value: unknown) => { readonly ok: true; readonly value: unknown } | { readonly ok: false },
): object {
  const given = typeof said === 'object' && said !== null ? (said as Readonly<Record<string, unknown>>) : {}
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = Object.hasOwn(given, field) ? check(field, given[field]) : null
      return value?.ok ? [[field, value.value]] : []
    }),
  )
}
