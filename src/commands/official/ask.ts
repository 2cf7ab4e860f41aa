import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { OfficialCredentials } from '../../ports/official/credentials.ts'
import type { OfficialNumber } from '../../ports/official/number.ts'
import type { OfficialPorts } from './ports.ts'

/** Upstream as the number may ask it. */
export interface NumberUpstream {
  readonly upstream: OfficialNumber
  readonly credentials: OfficialCredentials
}

/** Upstream with the credentials of the number; it is gone when it has none (NUMBER_NOT_FOUND). */
export async function upstreamOfNumber(
  { official, officialOf }: Pick<OfficialPorts, 'official' | 'officialOf'>,
  { id, tenantId }: Pick<NumberRef, 'id' | 'tenantId'>,
): Promise<Outcome<NumberUpstream>> {
  const credentials = await official.credentials(tenantId, id)
  return credentials
    ? succeed({ upstream: officialOf(credentials), credentials })
    : fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
}

/** Asks upstream with the credentials of the number; it is gone when it has none (NUMBER_NOT_FOUND). */
export async function askOfficial<T>(
  ports: Pick<OfficialPorts, 'official' | 'officialOf' | 'marksStored'>,
  number: Pick<NumberRef, 'id' | 'tenantId'>,
  ask: (upstream: OfficialNumber) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const found = await upstreamOfNumber(ports, number)
  return found.ok ? onceMarked(ports, await ask(found.value.upstream)) : found
}

/**
 * An answer of upstream. A refusal is given once what it says of the number itself is stored, for the next read to
 * show.
 */
export async function onceMarked<T>(
  { marksStored }: Pick<OfficialPorts, 'marksStored'>,
  outcome: Outcome<T>,
): Promise<Outcome<T>> {
  if (!outcome.ok) await marksStored()
  return outcome
}
