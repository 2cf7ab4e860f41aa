import type { RefusalCode } from '../../../domain/errors.ts'

/** Facts of every route of Pages. */
export const PAGES = {
  group: 'Leads',
  access: { by: ['key', 'grant', 'session'], of: 'tenant' },
  permission: 'leads:manage',
} as const
/** What a request to upstream may be refused with. */
export const UPSTREAM: readonly RefusalCode[] = ['LEAD_PAGE_REJECTED', 'OFFICIAL_ERROR', 'OFFICIAL_THROTTLED']
