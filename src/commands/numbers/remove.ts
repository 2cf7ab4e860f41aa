import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { OfficialCommands } from '../official/official.ts'

export interface RemoveNumberDeps {
  readonly numbers: Pick<NumberStore, 'remove'>
  readonly officialCommands: Pick<OfficialCommands, 'handOver'>
  /** Ends calls and session for good. */
  readonly askRemove: (numberId: NumberId) => Promise<Outcome<null>>
  /** Forgets on every node whom the keys of the number proved to be. */
  readonly revokeCallers: (numberId: NumberId) => Promise<void>
}

/** Removes a number with its calls, session, key and webhooks (contract 3). */
export async function removeNumber(
  deps: RemoveNumberDeps,
  { id, tenantId, official }: ChannelNumber,
): Promise<Outcome<null>> {
  const ended = await deps.askRemove(id)
  if (!ended.ok) return ended
  await deps.numbers.remove(tenantId, id)
  await deps.revokeCallers(id)
  if (official) await deps.officialCommands.handOver(tenantId, official.accountId)
  return ended
}
