import type { NumberId, TenantId } from '../../domain/ids.ts'

/** Whose rows a unit of work sees. */
export interface RowScope {
  readonly tenantId: TenantId
  /** Of one number alone; null: of all of the tenant's. */
  readonly numberId?: NumberId | null
}

/** Of chores, and of what shows by itself whose it is. */
export const EVERYBODY = 'everybody'

export type Scope = RowScope | typeof EVERYBODY

interface Filter {
  readonly name: string
  readonly default: true
  readonly cond: (given: { readonly scope: Scope }) => object
}

/** Filters of an entity: a query outside of a scope fails. */
export const OF_TENANT: Readonly<Record<'tenant', Filter>> = {
  tenant: {
    name: 'tenant',
    default: true,
    cond: ({ scope }) => (scope === EVERYBODY ? {} : { tenantId: scope.tenantId }),
  },
}

/** The same, for rows of numbers, which a scope may be cut to. */
export const OF_NUMBER: Readonly<Record<'tenant' | 'number', Filter>> = {
  ...OF_TENANT,
  number: {
    name: 'number',
    default: true,
    cond: ({ scope }) => (scope === EVERYBODY || !scope.numberId ? {} : { numberId: scope.numberId }),
  },
}

/** Names of all filters. */
export const FILTERS = ['tenant', 'number'] as const
