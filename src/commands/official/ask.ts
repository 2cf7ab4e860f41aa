import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { OfficialCredentials } from '../../ports/official/credentials.ts'
import type { OfficialNumber } from '../../ports/official/number.ts'
import type { OfficialPorts } from './ports.ts'

/** The port of upstream, with the number's own credentials. */
export interface NumberUpstream {
  readonly upstream: OfficialNumber
  readonly credentials: OfficialCredentials
}

/**
 * Finds the port of upstream for a number. Refusal: NUMBER_NOT_FOUND when it has no credentials, because it was
 * removed.
 */
export async function upstreamOfNumber(
  { official, officialOf }: Pick<OfficialPorts, 'official' | 'officialOf'>,
  { id, tenantId }: Pick<NumberRef, 'id' | 'tenantId'>,
): Promise<Outcome<NumberUpstream>> {
  const credentials = await official.credentials(tenantId, id)
  return credentials
    ? succeed({ upstream: officialOf(credentials), credentials })
    : fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
}

/**
 * Asks upstream with the credentials of the number. Refusals: NUMBER_NOT_FOUND when it has no credentials, because it
 * was removed; those of `ask`.
 */
export async function askOfficial<T>(
  ports: Pick<OfficialPorts, 'official' | 'officialOf' | 'marksStored'>,
  number: Pick<NumberRef, 'id' | 'tenantId'>,
  ask: (upstream: OfficialNumber) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const found = await upstreamOfNumber(ports, number)
  return found.ok ? onceMarked(ports, await ask(found.value.upstream)) : found
}

/**
 * Passes on an answer of upstream. A refusal is passed on once what it says of the number itself is stored, so that the
 * next read shows it.
 */
export async function onceMarked<T>(
  { marksStored }: Pick<OfficialPorts, 'marksStored'>,
  outcome: Outcome<T>,
): Promise<Outcome<T>> {
  if (!outcome.ok) await marksStored()
  return outcome
}
