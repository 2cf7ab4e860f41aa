/**
 * What every route of the inbox is: for embed tokens of surface chat, and part of no document, because the browser SDK
 * alone calls it (contract 17).
 */
export const INBOX_FACTS = {
  group: 'Embed sessions',
  access: { by: ['embed'], of: 'caller' },
  surface: 'chat',
  isHidden: true,
} as const

/** Below this address. */
export const INBOX_PATH = '/api/public/embed'
