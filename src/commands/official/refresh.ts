import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { CallingSettings } from '../../ports/official/calling.ts'
import type { OfficialHealth } from '../../ports/official/health.ts'
import type { OfficialPatch } from '../../ports/stores/official-store.ts'
import type { OfficialPorts } from './ports.ts'
import { tellChange } from './read-limits.ts'

/**
 * Reads upstream now and stores it. Our choice: a token that upstream refuses is what the caller wanted to know, so it
 * is answered as a number that cannot send; any other failure is the answer.
 */
export async function refresh(ports: OfficialPorts, number: ChannelNumber): Promise<Outcome<ChannelNumber>> {
  const { official, officialOf, marksStored } = ports
  const credentials = await official.credentials(number.tenantId, number.id)
  if (!credentials) return gone()
  const upstream = officialOf(credentials)
  const [health, settings] = await Promise.all([upstream.health.read(), upstream.calling.readSettings()])
  await marksStored()
  const known = await official.save(number.tenantId, number.id, {
    ...(health.ok ? { health: health.value, isTokenValid: true, ...liftedBy(health.value, number) } : {}),
    ...(settings.ok ? callingOf(settings.value, number) : {}),
  })
  if (!known) return gone()
  await tellChange(ports, number, known)
  return health.ok || known.official?.isTokenValid === false ? succeed(known) : health
}

/** Our choice: a restriction counts as over once upstream calls the phone connected; the next refusal tells it anew. */
function liftedBy({ officialStatus }: OfficialHealth, { sessionHealth = null }: ChannelNumber): OfficialPatch {
  return sessionHealth !== null && officialStatus === 'CONNECTED' ? { sessionHealth: null } : {}
}

function gone(): Outcome<never> {
  return fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
}

/** Calling may have been switched on or off elsewhere. A number that waits for a limit or a field goes on waiting. */
function callingOf(settings: CallingSettings, { official }: ChannelNumber): OfficialPatch {
  if (settings['status'] === 'ENABLED') return { callingStatus: 'ENABLED', callingRetry: null }
  return official?.callingStatus === 'ENABLED' ? { callingStatus: 'NOT_ENABLED' } : {}
}
