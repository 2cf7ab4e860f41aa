const KEY = 'tenant_id, day, number_id, metric'

/**
 * SQL of a CTE that adds to what numbers used. `used` is a query of `tenant_id, day, number_id, metric, amount`, of
 * what the same statement stores; so what is stored is counted once, and nothing else is. It stands last in a statement
 * and locks its rows in the order of their keys, so that nodes do not wait for each other in a circle.
 */
export function tallyCte(used: string): string {
  return `tallied as (
      insert into usage_days as u (${KEY}, amount)
      select ${KEY}, sum(amount) from (${used}) used group by ${KEY} order by ${KEY}
      on conflict (${KEY}) do update set amount = u.amount + excluded.amount
    )`
}
