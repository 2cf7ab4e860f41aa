import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { Tally } from '../../domain/usage.ts'
import type { UsageRange, UsageStore } from '../../ports/stores/usage-store.ts'
import type { Engine } from '../engine/engine.ts'

interface TallyRow {
  readonly number_id: NumberId
  readonly day: string
  readonly metric: string
  readonly amount: string
}

/** Read from lists' replica where there is one: sums of a year are no small read. */
function readSql(by: UsageRange['by']): string {
  const [day, number] = by === 'day' ? ["to_char(day, 'YYYY-MM-DD')", "''"] : ["''", 'number_id']
  return `select ${day} as day, ${number} as number_id, metric, sum(amount)::text as amount
    from usage_days where tenant_id = $1 and day between $2::date and $3::date group by 1, 2, 3`
}

class SqlUsageStore implements UsageStore {
  readonly #database: Engine['database']

  constructor({ database }: Pick<Engine, 'database'>) {
    this.#database = database
  }

  async read(tenantId: TenantId, { first, last, by }: UsageRange): Promise<Tally[]> {
    const rows = await this.#database.lists.query<TallyRow>(readSql(by), [tenantId, first, last])
    return rows.map(({ number_id: numberId, day, metric, amount }) => ({
      numberId,
      day,
      metric,
      amount: Number(amount),
    }))
  }
}

/** Usage over an open database. */
export function openUsage(engine: Pick<Engine, 'database'>): { readonly usage: UsageStore } {
  return { usage: new SqlUsageStore(engine) }
}
