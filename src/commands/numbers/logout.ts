import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { NumberPorts } from './ports.ts'

/**
 * Disconnects a number without removing it ([numbers.life.8]). Answers the number, closed. Refusals: those of its
 * actor; NUMBER_NOT_FOUND.
 */
export async function logout(
  { numbers, askLogout }: NumberPorts,
  { id, tenantId }: ChannelNumber,
): Promise<Outcome<ChannelNumber>> {
  const closed = await askLogout(id)
  if (!closed.ok) return closed
  const number = await numbers.find(tenantId, id)
  return number ? succeed(number) : fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
}
