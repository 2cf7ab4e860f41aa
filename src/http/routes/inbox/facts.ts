/**
 * Facts of every route of the inbox ([embeds.inbox-routes.1]): embed tokens of surface chat call it. The document
 * leaves it out, because the inbox of this service alone calls it.
 */
export const INBOX_FACTS = {
  group: 'Embed sessions',
  access: { by: ['embed'], of: 'caller' },
  surface: 'chat',
  isHidden: true,
} as const

/** All routes of the inbox stand below this path. */
export const INBOX_PATH = '/api/public/embed'
