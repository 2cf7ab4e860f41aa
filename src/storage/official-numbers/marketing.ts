import type { NumberId } from '../../domain/ids.ts'
import type { MarketingAccount, MarketingFacts, MarketingStore } from '../../ports/stores/marketing-store.ts'
import type { Engine } from '../engine/engine.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { OfficialAccountEntity } from '../official-accounts/entity.ts'

/** Whether accounts are let in, on the rows of accounts. */
class SqlMarketingStore implements MarketingStore {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async read(numberId: NumberId): Promise<MarketingFacts | null> {
    const number = await this.#database.entities('everybody').readOne(ChannelNumberEntity, { id: numberId })
    const { tenantId, officialAccountId: accountId, marketing } = number ?? {}
    if (tenantId === undefined || typeof accountId !== 'string') return null
    const account = await this.#database.entities().readOne(OfficialAccountEntity, { accountId, tenantId })
    return (
      account && {
        account: { tenantId, accountId },
        way: marketing ?? 'auto',
        isOpen: account.isMarketingOpen,
        askAt: account.marketingAskAt ?? null,
      }
    )
  }

  async take({ tenantId, accountId }: MarketingAccount, leaseMs: number): Promise<Date | null> {
    const now = new Date(this.#clock.now())
    const lease = new Date(now.getTime() + leaseMs)
    const taken = await this.#database
      .entities()
      .changed(
        OfficialAccountEntity,
        { accountId, tenantId, $or: [{ marketingAskAt: null }, { marketingAskAt: { $lte: now } }] },
        { marketingAskAt: lease },
      )
    return taken > 0 ? lease : null
  }

  async answered(
    { tenantId, accountId }: MarketingAccount,
    lease: Date,
    isOpen: boolean,
    nextMs: number,
  ): Promise<void> {
    await this.#database
      .entities()
      .changed(
        OfficialAccountEntity,
        { accountId, tenantId, marketingAskAt: lease },
        { isMarketingOpen: isOpen, marketingAskAt: new Date(this.#clock.now() + nextMs) },
      )
  }

  async shut({ tenantId, accountId }: MarketingAccount): Promise<void> {
    await this.#database.entities().changed(OfficialAccountEntity, { accountId, tenantId }, { isMarketingOpen: false })
  }

  async askAnew({ tenantId, accountId }: MarketingAccount): Promise<void> {
    await this.#database.entities().changed(OfficialAccountEntity, { accountId, tenantId }, { marketingAskAt: null })
  }
}

/** What is known of accounts and their MARKETING templates, over an open database. */
export function openMarketing(engine: Pick<Engine, 'database' | 'clock'>): { readonly marketing: MarketingStore } {
  return { marketing: new SqlMarketingStore(engine) }
}
