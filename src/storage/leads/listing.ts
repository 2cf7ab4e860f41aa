import { keptStatement, type KeptStatement } from '../engine/database.ts'
import { dayOf } from '../engine/statement.ts'
import { LEAD_COLUMNS, LEAD_JOINS } from './row.ts'

/** Filters of a list, in the order in which scopes of counts name them; each is the start of its column's name. */
export const FILTERS = ['form', 'ad', 'page'] as const
export type Filter = (typeof FILTERS)[number]

/**
 * SQL of the scope of these filters in the counts; `valueOf` gives the SQL of a filter's value. The scope of the whole
 * number is empty. The filters stand before the values, and ids of leads have no spaces, so no two scopes read the
 * same.
 */
function scopeOf(filters: readonly Filter[], valueOf: (filter: Filter) => string): string {
  return [`'${filters.join('+')}'`, ...filters.map(valueOf)].join(` || ' ' || `)
}

/** Every set of filters, with the empty one. */
const FILTER_SETS: readonly (readonly Filter[])[] = FILTERS.reduce<Filter[][]>(
  (sets, filter) => [...sets, ...sets.map((set) => [...set, filter])],
  [[]],
)

const KEY = 'number_id, scope, day'

/**
 * SQL of a CTE that counts the rows of the CTE `changed` (`number_id, form_id, ad_id, page_id, created_at`) as one more
 * or one less, for every set of filters that they match. It comes last in a statement and in one order everywhere, so
 * that nodes do not wait for each other in a circle.
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

/**
 * Filters whose index is walked, those with the fewest leads first. The other filters are compared so that no index is
 * used, because a form, and as a rule an ad, belongs to one Page.
 */
const WALKS: readonly (readonly Filter[])[] = [['form', 'ad'], ['ad'], ['form'], ['page'], []]

/** Parameters of the filters' values, which come after number, start, end, size and offset. */
function valuesOf(filters: readonly Filter[]): (filter: Filter) => string {
  return (filter) => `$${6 + filters.indexOf(filter)}::text`
}

function conditionOf(filters: readonly Filter[]): string {
  const valueOf = valuesOf(filters)
  const walked = WALKS.find((walk) => walk.every((filter) => filters.includes(filter)))
  const conditions = filters.map((filter) =>
    walked?.includes(filter) ? `l.${filter}_id = ${valueOf(filter)}` : `l.${filter}_id || '' = ${valueOf(filter)}`,
  )
  return ['l.number_id = $1', 'l.erased_at is null', ...conditions].join(' and ')
}

/** SQL of the time at which a day of UTC begins. */
function startOf(day: string): string {
  return `(select ${day}::timestamp at time zone 'UTC' from asked)`
}

/**
 * SQL of a page of a number's leads, with the total. Whole days come from their counts, the parts of the first and the
 * last day from the index. The ids of a page are found by one index alone, from values that are known before, no
 * further than the total reaches, and read afterwards.
 */
function listSql(filters: readonly Filter[]): KeptStatement {
  const condition = conditionOf(filters)
  const count = (since: string, until: string) =>
    `(select count(*) from leads l where ${condition} and l.created_at >= ${since} and l.created_at ${until})`
  const [since, until] = ['(select since from asked)', '(select until from asked)']
  return keptStatement(`with given as (
      select coalesce($2::timestamptz, '-infinity') as since, coalesce($3::timestamptz, 'infinity') as until
    ), asked as (
      select *, ${dayOf(`(since + interval '1 day' - interval '1 millisecond')`)} as first_day, ${dayOf(`(until + interval '1 millisecond')`)} as end_day from given
    ), total as materialized (
      select (case when first_day < end_day then
          (select coalesce(sum(leads), 0) from lead_counts c where c.number_id = $1 and c.scope = ${scopeOf(filters, valuesOf(filters))} and c.day >= first_day and c.day < end_day)
          + ${count(since, `< ${startOf('first_day')}`)} + ${count(startOf('end_day'), `<= ${until}`)}
        else ${count(since, `<= ${until}`)} end)::integer as total from asked
    ), found as (
      select l.id from leads l where ${condition} and l.created_at >= ${since} and l.created_at <= ${until}
      order by l.created_at desc, l.id desc limit (select least($4::integer, greatest(0, total - $5::integer)) from total) offset $5::integer
    ), page as (
      select ${LEAD_COLUMNS} from found join leads l on l.id = found.id ${LEAD_JOINS}
    )
    select total.total, page.* from total left join page on true order by page.created_at desc, page.id desc`)
}

const LISTS = new Map(FILTER_SETS.map((filters) => [filters.join(), listSql(filters)]))

/**
 * The statement for these filters, in their order. Its parameters are number, start, end, size, offset, then the value
 * of each filter. Throws when the filters are not in their order.
 */
export function listOf(filters: readonly Filter[]): KeptStatement {
  const statement = LISTS.get(filters.join())
  if (!statement) throw new Error('filters of leads are not in their order')
  return statement
}
