import type { RefusalCode } from '../../../domain/errors.ts'

/** Facts of every route of Pages. */
export const PAGES = {
  group: 'Leads',
  access: { by: ['key', 'grant', 'session'], of: 'tenant' },
  permission: 'leads:manage',
} as const
/** What upstream may refuse. */
export const UPSTREAM: readonly RefusalCode[] = ['LEAD_PAGE_REJECTED', 'OFFICIAL_ERROR', 'OFFICIAL_THROTTLED']
