import type { NumberId, TenantId } from '../../domain/ids.ts'

/** The owner of the rows that a unit of work sees. */
export interface RowScope {
  readonly tenantId: TenantId
  /** Only rows of this number; null when all of the tenant's are seen. */
  readonly numberId?: NumberId | null
}

/** The scope of chores, and of rows that show by themselves whose they are. */
export const EVERYBODY = 'everybody'

export type Scope = RowScope | typeof EVERYBODY

interface Filter {
  readonly name: string
  readonly default: true
  readonly cond: (given: { readonly scope: Scope }) => object
}

/** Filters of an entity whose rows belong to a tenant: a query outside of a scope fails. */
export const OF_TENANT: Readonly<Record<'tenant', Filter>> = {
  tenant: {
    name: 'tenant',
    default: true,
    cond: ({ scope }) => (scope === EVERYBODY ? {} : { tenantId: scope.tenantId }),
  },
}

/** Filters for rows of numbers, to which a scope may be narrowed. */
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
