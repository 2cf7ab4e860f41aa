import { isAccountField, type AccountField } from '../../../domain/upstream-fields.ts'
import type { OfficialAccountEvent } from '../../../ports/official/changes.ts'

/** Whatever it says of limits: what is possible now is asked for, not read from it. */
function limitsOf(): OfficialAccountEvent[] {
  return [{ type: 'limitsMayHaveRisen' }]
}

/** Field -> what its value (JSON text) says of the account. */
const READERS: Readonly<Record<AccountField, (value: string) => OfficialAccountEvent[]>> = {
  business_capability_update: limitsOf,
  phone_number_quality_update: limitsOf,
}

/** Reads what a change says of its account. Other fields say nothing. Never throws. */
export function readAccountEvents(field: string, value: string): readonly OfficialAccountEvent[] {
  return isAccountField(field) ? READERS[field](value) : []
}
