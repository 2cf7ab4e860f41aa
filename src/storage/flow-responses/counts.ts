import { dayOf } from '../messages/counts.ts'

const KEY = 'flow_id, number_id, day'

/**
 * A CTE that adds to the counts what `changes` lists: `flow_id, number_id, day, responses`. It comes last in a statement and in one order everywhere, so
 * that nodes do not wait for each other in a circle.
 */
export function countResponsesCte(changes: string): string {
  return `counted_responses as (
      insert into flow_response_counts as c (${KEY}, responses)
      select ${KEY}, sum(responses) from (${changes}) changes group by ${KEY} order by ${KEY}
      on conflict (${KEY}) do update set responses = c.responses + excluded.responses
    )`
}

/** Each row of CTE `responses` (rows of `flow_responses`) as one more, or one less, where it has a Flow. */
export function eachResponse(responses: string, count: 1 | -1): string {
  return `select flow_id, number_id, ${dayOf('submitted_at')} as day, ${count} as responses from ${responses} where flow_id is not null`
}
