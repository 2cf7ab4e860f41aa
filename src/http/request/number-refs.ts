import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { Clock } from '../../ports/clock.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { CallerCache, CallerCacheDeps } from './caller-cache.ts'
import { createRemembered } from '../../domain/remembered.ts'

/**
 * What most routes need of the numbers that grants and sessions name in each request. It never changes, so it is read
 * once for many requests. A removed number is forgotten with the callers that act for it.
 */
export interface NumberRefs {
  /** Finds a number; null when the tenant has no such number. */
  find(tenantId: TenantId, id: NumberId): Promise<NumberRef | null>
}

export interface NumberRefDeps extends Pick<CallerCacheDeps, 'callerCacheMs'> {
  readonly numbers: Pick<NumberStore, 'find'>
  readonly callers: Pick<CallerCache, 'onRevoked'>
  readonly clock: Clock
}

/** Makes it. Numbers are remembered as long as callers are. */
export function createNumberRefs({ numbers, callers, clock, callerCacheMs }: NumberRefDeps): NumberRefs {
  const known = createRemembered<NumberRef>(clock, callerCacheMs)
  callers.onRevoked((gone) => known.forget(({ id, tenantId }) => id === gone || tenantId === gone))
  return {
    find: (tenantId, id) => known.find(`${tenantId} ${id}`, async () => refOf(await numbers.find(tenantId, id))),
  }
}

function refOf(number: NumberRef | null): NumberRef | null {
  return number && { id: number.id, tenantId: number.tenantId, provider: number.provider, number: number.number }
}
