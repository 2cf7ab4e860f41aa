import type { EmbedSession } from '../../domain/embed-session.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { InboxStore } from '../../ports/stores/inbox-store.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import { brandOfSession } from '../pages/brand-of-link.ts'
import type { Brand, BrandDeps } from '../pages/brand-of-link.ts'

export type ShowSessionDeps = Pick<BrandDeps, 'branding'> & {
  readonly numbers: Pick<NumberStore, 'list'>
  readonly inboxReads: Pick<InboxStore, 'unread'>
}

export interface ShownSession extends Brand {
  /** As the session names them; none of a connect session that is of all numbers. */
  readonly numbers: readonly ChannelNumber[]
  /** Unread messages of these numbers; none of surface connect, which may not read them. */
  readonly unreadTotal: number
}

/** What an embed is told of its session. */
export async function showSession(deps: ShowSessionDeps, session: EmbedSession): Promise<ShownSession> {
  const { tenantId, numberIds, surface } = session
  const [owned, brand, unread] = await Promise.all([
    numberIds.length === 0 ? [] : deps.numbers.list(tenantId),
    brandOfSession(deps, session),
    surface === 'chat' ? deps.inboxReads.unread(numberIds) : null,
  ])
  return {
    ...brand,
    numbers: numberIds.flatMap((id) => owned.find((number) => number.id === id) ?? []),
    unreadTotal: [...(unread?.values() ?? [])].reduce((total, count) => total + count, 0),
  }
}
