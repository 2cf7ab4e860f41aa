import { isFields } from '../../../src/domain/json-fields.ts'
import { invalid } from '../http/graph-error.ts'
import type { PlatformLead } from './page.ts'

const OPERATORS: Readonly<Record<string, (seconds: number, value: number) => boolean>> = {
  GREATER_THAN: (seconds, value) => seconds > value,
  GREATER_THAN_OR_EQUAL: (seconds, value) => seconds >= value,
  LESS_THAN: (seconds, value) => seconds < value,
}

/**
 * Leads that `filtering` asks for: `[{field: "time_created", operator, value: <unix seconds>}]`. Refuses (100) anything
 * else.
 */
export function filtered(leads: readonly PlatformLead[], filtering: string | null): readonly PlatformLead[] {
  if (filtering === null) return leads
  const filters = read(filtering)
  return leads.filter(({ createdAtMs }) => filters.every((holds) => holds(createdAtMs / 1000)))
}

function read(filtering: string): ((seconds: number) => boolean)[] {
  return listOf(filtering).map((filter) => {
    const { field, operator, value } = isFields(filter) ? filter : {}
    const holds = typeof operator === 'string' && Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined
    const seconds = Number(value)
    if (field !== 'time_created' || !holds || !Number.isInteger(seconds))
      throw invalid(
        'filtering: has to be of time_created, with GREATER_THAN, GREATER_THAN_OR_EQUAL or LESS_THAN and a Unix time',
      )
    return (created) => holds(created, seconds)
  })
}

function listOf(filtering: string): unknown[] {
  try {
    const list: unknown = JSON.parse(filtering)
    if (Array.isArray(list)) return list
  } catch {
    // Falls through to the refusal below.
  }
  throw invalid('filtering: has to be a list in JSON')
}
