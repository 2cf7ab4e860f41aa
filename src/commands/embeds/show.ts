import type { EmbedSession } from '../../domain/embed-session.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import { brandOfSession } from '../pages/brand-of-link.ts'
import type { Brand } from '../pages/brand-of-link.ts'
import type { EmbedPorts } from './ports.ts'

export interface ShownSession extends Brand {
  /** In the order that the session names them; empty for a connect session of all numbers. */
  readonly numbers: readonly ChannelNumber[]
  /** Unread messages of these numbers; 0 for surface connect, which may not read them. */
  readonly unreadTotal: number
}

/** Answers what an embed is told of its session. */
export async function showSession(ports: EmbedPorts, session: EmbedSession): Promise<ShownSession> {
  const { tenantId, numberIds, surface } = session
  const [owned, brand, unread] = await Promise.all([
    numberIds.length === 0 ? [] : ports.numbers.list(tenantId),
    brandOfSession(ports, session),
    surface === 'chat' ? ports.inboxReads.unread(numberIds) : null,
  ])
  return {
    ...brand,
    numbers: numberIds.flatMap((id) => owned.find((number) => number.id === id) ?? []),
    unreadTotal: [...(unread?.values() ?? [])].reduce((total, count) => total + count, 0),
  }
}
