import { dayOf } from '../messages/counts.ts'

/** What a list may be narrowed by, in the order in which scopes of counts name them: each with its column. */
export const FILTERS = ['form', 'ad', 'page'] as const
export type Filter = (typeof FILTERS)[number]

/**
 * SQL of the scope of counts of these filters, whose values `valueOf` gives in SQL; empty for the whole number. The filters stand before the values, and ids
 * of leads have no spaces: whatever is asked for, no other scope reads the same.
 */
export function scopeOf(filters: readonly Filter[], valueOf: (filter: Filter) => string): string {
  return [`'${filters.join('+')}'`, ...filters.map(valueOf)].join(` || ' ' || `)
}

/** Every set of filters, the empty one too. */
export const FILTER_SETS: readonly (readonly Filter[])[] = FILTERS.reduce<Filter[][]>((sets, filter) => [...sets, ...sets.map((set) => [...set, filter])], [[]])

const KEY = 'number_id, scope, day'

/**
 * A CTE that counts the rows of CTE `changed` (`number_id, form_id, ad_id, page_id, created_at`) as one more, or one less, for every set of filters they
 * answer to. It comes last in a statement and in one order everywhere, so that nodes do not wait for each other in a circle.
 */
export function countLeadsCte(changed: string, count: 1 | -1): string {
  const scopes = FILTER_SETS.map((set) => `(${scopeOf(set, (filter) => `l.${filter}_id`)})`).join(', ')
  return `counted_leads as (
      insert into lead_counts as c (${KEY}, leads)
      select l.number_id, s.scope, ${dayOf('l.created_at')} as day, sum(${count}) from ${changed} l cross join lateral (values ${scopes}) s (scope)
      where s.scope is not null group by l.number_id, s.scope, day order by l.number_id, s.scope, day
      on conflict (${KEY}) do update set leads = c.leads + excluded.leads
    )`
}
