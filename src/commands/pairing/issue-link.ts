import type { OwnBranding } from '../../domain/branding.ts'
import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { newId } from '../../domain/ids.ts'
import type { PairingToken, TenantId } from '../../domain/ids.ts'
import { kindOf } from '../../domain/kinds/kinds.ts'
import { unofficial } from '../../domain/kinds/unofficial.ts'
import { PAIRING_LINK_MS } from '../../domain/limits.ts'
import { DEFAULT_SETTINGS, mergeSettings } from '../../domain/number.ts'
import type { ChannelNumber, NumberSettings } from '../../domain/number.ts'
import { ALREADY_CONNECTED } from '../../domain/pairing.ts'
import { DEFAULT_RETENTION } from '../../domain/retention.ts'
import type { PairingPorts } from './ports.ts'

export interface IssueLinkInput {
  readonly tenantId: TenantId
  readonly name: string
  /** Digits only, with the country code. */
  readonly number: string
  /** Settings for a number that is created for the link. */
  readonly settings: Partial<NumberSettings>
  readonly branding: OwnBranding | null
  readonly redirectUrl: string | null
}

/**
 * Makes a connect link for a number, which is created when it does not exist ([pairing.create.1]). Refusals:
 * ALREADY_CONNECTED, NUMBER_LIMIT_EXCEEDED, FEATURE_NOT_SUPPORTED.
 */
export async function issueLink(
  ports: PairingPorts,
  input: IssueLinkInput,
): Promise<Outcome<{ readonly number: ChannelNumber; readonly token: PairingToken }>> {
  const found = await findOrCreate(ports, input)
  if (!found.ok) return found
  const number = found.value
  if (!kindOf(number).can.pairing)
    return fail(refuse('FEATURE_NOT_SUPPORTED', `${number.provider} numbers are not paired by link`))
  if (number.state === 'OPEN') return fail(ALREADY_CONNECTED)
  const { tenantId, branding, redirectUrl } = input
  const token = await ports.pairing.issue({
    tenantId,
    numberId: number.id,
    branding,
    redirectUrl,
    expiresAt: new Date(ports.clock.now() + PAIRING_LINK_MS),
  })
  return succeed({ number, token })
}

/** Our choice: a number that exists is used as it is; PATCH changes its name and settings. */
async function findOrCreate(
  { numbers }: PairingPorts,
  { tenantId, name, number: digits, settings }: IssueLinkInput,
): Promise<Outcome<ChannelNumber>> {
  const known = await numbers.findByDigits(tenantId, digits)
  if (known) return succeed(known)
  const created = await numbers.create({
    id: newId('num'),
    tenantId,
    name,
    number: digits,
    provider: unofficial.name,
    settings: mergeSettings(DEFAULT_SETTINGS, settings),
    ...DEFAULT_RETENTION,
  })
  if (created.ok) return succeed(created.value.number)
  // Two links for a new number may be made at once: the loser uses the number that the winner created.
  const winner = created.error.code === 'NUMBER_ALREADY_EXISTS' ? await numbers.findByDigits(tenantId, digits) : null
  return winner ? succeed(winner) : created
}
