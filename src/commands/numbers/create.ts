import { succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { newId } from '../../domain/ids.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import { unofficial } from '../../domain/kinds/unofficial.ts'
import { PAIRING_CREATE_WAIT_MS } from '../../domain/limits.ts'
import { DEFAULT_SETTINGS, mergeSettings } from '../../domain/number.ts'
import type { ChannelNumber, NumberSettings } from '../../domain/number.ts'
import { NO_CODE } from '../../domain/pairing.ts'
import type { PairingCode } from '../../domain/pairing.ts'
import { DEFAULT_RETENTION, mergeRetention } from '../../domain/retention.ts'
import type { RetentionInput } from '../../domain/retention.ts'
import type { IssuedKey } from '../../ports/stores/key-store.ts'
import type { NumberPorts } from './ports.ts'

export interface CreateNumberInput {
  readonly tenantId: TenantId
  readonly name: string
  /** Digits only, with the country code. */
  readonly number: string
  /** The settings that differ from the defaults. */
  readonly settings: Partial<NumberSettings>
  readonly retention: RetentionInput
}

export interface CreatedNumber {
  readonly number: ChannelNumber
  readonly key: IssuedKey
  readonly code: PairingCode
}

/**
 * Creates a QR-paired number and starts pairing it ([numbers.routes.1]). Refusals: NUMBER_ALREADY_EXISTS,
 * NUMBER_LIMIT_EXCEEDED, VALIDATION.
 */
export async function createNumber(
  ports: NumberPorts,
  { tenantId, name, number: digits, settings, retention }: CreateNumberInput,
): Promise<Outcome<CreatedNumber>> {
  const merged = mergeRetention(DEFAULT_RETENTION, retention)
  if (!merged.ok) return merged
  const created = await ports.numbers.create({
    id: newId('num'),
    tenantId,
    name,
    number: digits,
    provider: unofficial.name,
    settings: mergeSettings(DEFAULT_SETTINGS, settings),
    ...merged.value,
  })
  if (!created.ok) return created
  const { number, key } = created.value
  const code = await firstCode(ports, number.id)
  return succeed({ number: (await ports.numbers.find(tenantId, number.id)) ?? number, key, code })
}

/**
 * The first code. A late or failed one is nulls, to be asked for by `connect`: the number exists whatever the device
 * network does.
 */
async function firstCode({ askPair, log }: NumberPorts, numberId: NumberId): Promise<PairingCode> {
  const outcome = await askPair(numberId, { waitMs: PAIRING_CREATE_WAIT_MS })
  if (outcome.ok) return outcome.value
  log.info({ numberId, code: outcome.error.code }, 'no pairing code yet for a new number')
  return NO_CODE
}
