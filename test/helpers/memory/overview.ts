import { isLive } from '../../../src/domain/call.ts'
import type { TenantId } from '../../../src/domain/ids.ts'
import { NUMBER_STATES, type NumberState } from '../../../src/domain/number.ts'
import type { Overview } from '../../../src/domain/overview.ts'
import type { OverviewStore } from '../../../src/ports/stores/overview-store.ts'
import type { MemoryRows } from './rows.ts'

/** Overviews in memory, of numbers and calls alone. */
export class MemoryOverview implements OverviewStore {
  readonly #rows: MemoryRows

  constructor(rows: MemoryRows) {
    this.#rows = rows
  }

  async read(tenantId: TenantId): Promise<Overview> {
    const numbers = [...this.#rows.numbers.values()].filter((number) => number.tenantId === tenantId)
    const calls = [...this.#rows.calls.values()].filter((call) => call.tenantId === tenantId)
    const counts = NUMBER_STATES.map((state) => [state, numbers.filter((number) => number.state === state).length])
    return {
      numbers: Object.fromEntries(counts) as Record<NumberState, number>,
      checklist: {
        numberConnected: numbers.some(({ isPaired }) => isPaired),
        messageSent: false,
        callPlaced: calls.some(({ direction }) => direction === 'OUTBOUND'),
        webhookDelivered: false,
        brandingSet: false,
        embedMinted: false,
      },
      failing: [],
      liveCalls: calls.filter(({ status }) => isLive(status)).length,
    }
  }
}
