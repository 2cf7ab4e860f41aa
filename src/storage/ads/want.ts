/** contract 13, Names: names are cached for 24 h; a refusal for one hour. */
const CACHED = `interval '24 hours'`
const REFUSED = `interval '1 hour'`

/**
 * A CTE `wanted_ads` that has the ads asked for which the query `clicks` lists, `number_id, ad_id, page_id` (of a lead, else null), unless their names are
 * known well enough, or are being asked for. `now` is the time parameter. What is resolved stays resolved meanwhile.
 */
export function wantAdsCte(clicks: string, now: string): string {
  return `wanted_ads as (
      insert into ads as a (number_id, ad_id, page_id, clicked_at, due_at)
      select number_id, ad_id, max(page_id), ${now}::timestamptz, ${now}::timestamptz from (${clicks}) clicks where ad_id is not null group by number_id, ad_id order by number_id, ad_id
      on conflict (number_id, ad_id) do update set clicked_at = excluded.clicked_at, page_id = coalesce(excluded.page_id, a.page_id),
        tries = case when a.due_at is null then 0 else a.tries end,
        due_at = case when a.due_at is not null then a.due_at
          when a.asked_at is null or a.asked_at < ${now}::timestamptz - case when a.is_refused then ${REFUSED} else ${CACHED} end then ${now}::timestamptz end
    )`
}
