import { z } from 'zod'
import type { RefusalCode } from '../../domain/errors.ts'
import type { ChannelNumber } from '../../domain/number.ts'

/** [leads.paging.2]; our choice: the same for messages and conversations. */
const PAGE_SIZE = 30
const MAX_PAGE_SIZE = 100
/** [leads.paging.3]; our choice: the same for messages and conversations. */
const MAX_ROWS = 10_000

/** Reads a whole number from 1 on; whatever is none is read as the default ([leads.paging.1]). */
function counted(fallback: number, max: number, description: string) {
  return z
    .unknown()
    .transform((value) => {
      const read = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : 0
      return read >= 1 ? Math.min(read, max) : fallback
    })
    .meta({ type: 'integer', minimum: 1, description })
}

/** Query fields of paged lists. */
export const pageFields = {
  page: counted(1, Number.MAX_SAFE_INTEGER, 'From 1, the default').optional(),
  pageSize: counted(
    PAGE_SIZE,
    MAX_PAGE_SIZE,
    `Default ${PAGE_SIZE}; more than ${MAX_PAGE_SIZE} is read as ${MAX_PAGE_SIZE}`,
  ).optional(),
}

export interface PageInput {
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
}

export interface PageNumbers {
  readonly page: number
  readonly pageSize: number
}

export function pageOf({ page, pageSize }: PageInput): PageNumbers {
  return { page: page ?? 1, pageSize: pageSize ?? PAGE_SIZE }
}

/** Whether a page is within the ceiling ([leads.paging.3]), for `refine`. */
export function isWithinReach(input: PageInput): boolean {
  const { page, pageSize } = pageOf(input)
  return page * pageSize <= MAX_ROWS
}

export const OUT_OF_REACH = {
  path: ['page'],
  message: `page x pageSize must be at most ${MAX_ROWS}: narrow the dates instead`,
}

export const PAGE_CODES: Readonly<Record<string, RefusalCode>> = { page: 'INVALID_PAGINATION' }

/** `notice` of answers that may come without their personal data ([leads.privacy.4]). */
export const noticeField = z.enum(['PII_RELAY_ONLY', 'PII_RETENTION_WINDOW']).optional().meta({
  description:
    'Why personal data is withheld: the number stores none, or something of this answer is older than it keeps it',
})

/** Fields of the answers of paged lists. */
export const pagedAnswer = {
  total: z.int(),
  page: z.int(),
  pageSize: z.int(),
  totalPages: z.int(),
  notice: noticeField,
}

/**
 * The answer of a paged list ([rest.paging.1]): its items under their own name. `isWithheld`: some items came without
 * their personal data.
 */
export function presentPaged(
  items: Readonly<Record<string, readonly unknown[]>>,
  total: number,
  { page, pageSize }: PageNumbers,
  number: ChannelNumber,
  isWithheld: boolean,
) {
  const notice = noticeOf(number, isWithheld)
  return {
    ...items,
    total,
    page,
    pageSize,
    totalPages: Math.ceil(total / pageSize),
    ...(notice === null ? {} : { notice }),
  }
}

/**
 * The notice of a list, null when there is none. our choice: lists of messages use the notices of leads
 * ([leads.privacy.4]).
 */
function noticeOf({ piiMode }: ChannelNumber, isWithheld: boolean): 'PII_RELAY_ONLY' | 'PII_RETENTION_WINDOW' | null {
  if (piiMode === 'RELAY_ONLY') return 'PII_RELAY_ONLY'
  return piiMode === 'STORE_X_DAYS' && isWithheld ? 'PII_RETENTION_WINDOW' : null
}
