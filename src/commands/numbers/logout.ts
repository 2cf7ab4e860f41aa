import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'

export interface LogoutDeps {
  readonly numbers: Pick<NumberStore, 'find'>
  /** Ends the session and wipes the pairing credentials. */
  readonly askLogout: (numberId: NumberId) => Promise<Outcome<null>>
}

/** Disconnects a number without removing it (contract 3). Answers the number, closed. */
export async function logout(
  { numbers, askLogout }: LogoutDeps,
  { id, tenantId }: ChannelNumber,
): Promise<Outcome<ChannelNumber>> {
  const closed = await askLogout(id)
  if (!closed.ok) return closed
  const number = await numbers.find(tenantId, id)
  return number ? succeed(number) : fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
}
