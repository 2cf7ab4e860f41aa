import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { CallingStatus } from '../../domain/official.ts'
import type { CallingSettings } from '../../ports/official/calling.ts'
import { askOfficial } from '../official/ask.ts'
import type { CallPorts } from './ports.ts'

export interface WriteSettingsInput {
  readonly number: NumberRef
  /** A field that is absent stays as it is upstream. */
  readonly fields: CallingSettings & { readonly status?: 'ENABLED' | 'DISABLED' | undefined }
}

/** NOT_ENABLED: the service does not switch calling on again once the tenant has switched it off. */
const CALLING_AFTER: Readonly<Record<'ENABLED' | 'DISABLED', CallingStatus>> = {
  ENABLED: 'ENABLED',
  DISABLED: 'NOT_ENABLED',
}

/** Changes the calling settings of an OFFICIAL number ([calls.routes.9]). Answers them as upstream has them now. */
export async function writeSettings(
  ports: CallPorts,
  { number, fields }: WriteSettingsInput,
): Promise<Outcome<CallingSettings>> {
  const settings = await askOfficial(ports, number, ({ calling }) => calling.writeSettings(fields))
  if (settings.ok && fields.status) {
    await ports.official.save(number.tenantId, number.id, {
      callingStatus: CALLING_AFTER[fields.status],
      callingRetry: null,
    })
  }
  return settings
}
