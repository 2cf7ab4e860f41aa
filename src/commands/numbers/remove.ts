import type { Outcome } from '../../domain/errors.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { NumberPorts } from './ports.ts'

/** Removes a number with its calls, session, key and webhooks ([numbers.life.9]). Refusals: those of its actor. */
export async function removeNumber(
  ports: NumberPorts,
  { id, tenantId, official }: ChannelNumber,
): Promise<Outcome<null>> {
  const ended = await ports.askRemove(id)
  if (!ended.ok) return ended
  await ports.numbers.remove(tenantId, id)
  await ports.revokeCallers(id)
  if (official) await ports.officialCommands.handOver(tenantId, official.accountId)
  return ended
}
