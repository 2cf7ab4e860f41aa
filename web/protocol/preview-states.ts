/**
 * The names of `data-state` that an editor may ask the preview for: those of a link that has a brand, in the order that
 * people see them ([pages.preview.1], [pages.states.1] to [pages.states.9]).
 */
export const PREVIEW_STATES = [
  'qr',
  'code',
  'ready',
  'loading',
  'linking',
  'passkey',
  'connected',
  'already-connected',
  'paused',
  'expired',
  'revoked',
  'offline',
  'failed',
] as const
export type PreviewState = (typeof PREVIEW_STATES)[number]
