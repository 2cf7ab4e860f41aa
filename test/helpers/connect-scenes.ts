import { overFor, refusalOf, statusOf } from './scripted-link.ts'
import type { LinkScript } from './scripted-link.ts'

/** The script that leads to each state, and an addition to the address. */
export const STATES: readonly (readonly [state: string, script: Partial<LinkScript>, address?: string])[] = [
  ['loading', { connect: 'never' }],
  ['qr', {}],
  ['code', {}, '/code'],
  ['linking', { status: statusOf({}) }],
  ['passkey', { status: statusOf({ reason: 'PASSKEY_REQUIRED' }) }],
  ['connected', { status: statusOf({ state: 'OPEN' }) }],
  ['already-connected', { connect: refusalOf(409) }],
  ['paused', { status: statusOf({ state: 'CLOSE', reason: 'QR_EXPIRED' }) }],
  ['expired', { view: overFor('EXPIRED') }],
  ['revoked', { view: overFor('REVOKED') }],
  ['invalid', { view: overFor('UNKNOWN') }],
  ['offline', { status: 'cut' }],
  ['failed', { connect: refusalOf(503) }],
  ['failed', { status: refusalOf(429, { 'retry-after': '30' }) }],
  ['failed', { status: statusOf({ state: 'CLOSE', reason: 'WRONG_NUMBER' }) }],
  ['failed', { status: statusOf({ state: 'CLOSE', reason: 'BANNED' }) }],
  ['ready', { branding: { button: {} } }],
]

/** Scenes of a brand's colours: the page at work, at success, at its end, and the button alone. */
export const BRANDED: readonly (readonly [script: Partial<LinkScript>, shown: string])[] = [
  [{}, 'main[data-state=qr]'],
  [{ status: statusOf({ state: 'OPEN' }) }, 'main[data-state=connected]'],
  [{ view: overFor('EXPIRED') }, 'main[data-state=expired]'],
]

/** Runs in the page: whether a touch in the middle of an element hits it. */
export function isHit(element: any): boolean {
  const { left, top, width, height } = element.getClientRects()[0]
  return element.contains(element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2))
}

/** Runs in the page: the tops of its parts and the height of its tile, in CSS pixels. */
export function placesOfParts(): number[] {
  const box = (what: string): { readonly top: number; readonly height: number } =>
    (globalThis as any).document.querySelector(what).getBoundingClientRect()
  return [
    ...['h1', '.identity', '.pairing-code', '.steps', '.other', '.foot'].map((what) => box(what).top),
    box('.qr-tile, .code-tile').height,
  ]
}
