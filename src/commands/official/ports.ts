import type { Outcome } from '../../domain/errors.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { NumberSettings } from '../../domain/number.ts'
import type { OfficialLimits } from '../../domain/official.ts'
import type { Broadcast } from '../../ports/broadcast.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { OfficialAccountEvent, ReadAccountEvents } from '../../ports/official/changes.ts'
import type { OfficialOf } from '../../ports/official/number.ts'
import type { MarketingAccount } from '../../ports/stores/marketing-store.ts'
import type { AccountChangeStore } from '../../ports/stores/account-change-store.ts'
import type { InboundStore } from '../../ports/stores/inbound-store.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { OfficialStore } from '../../ports/stores/official-store.ts'
import type { SendQueue } from '../../ports/stores/send-queue.ts'
import type { SetAsideStore } from '../../ports/stores/set-aside-store.ts'

/** The fields of everything that is told of an account. */
interface Told {
  /** The tenant that it was told; other tenants may have the account, too. */
  readonly tenantId: TenantId
  readonly accountId: string
  /** When upstream told it; when it came, if upstream does not say or names a future day. */
  readonly at: Date
}

/** What upstream told of a template of an account. */
export interface TemplateTold
  extends Told, Omit<Extract<OfficialAccountEvent, { readonly type: 'templateTold' }>, 'type'> {}

/** What upstream told of a Flow of an account. */
export interface FlowTold extends Told, Omit<Extract<OfficialAccountEvent, { readonly type: 'flowTold' }>, 'type'> {}

/** The ports of accounts of the official platform and their numbers; each command takes all of them. */
export interface OfficialPorts {
  readonly official: OfficialStore
  readonly numbers: NumberStore
  /** Holds the verify tokens. */
  readonly inbound: InboundStore
  readonly accountChanges: AccountChangeStore
  readonly setAside: Pick<SetAsideStore, 'accountChange'>
  readonly officialOf: OfficialOf
  readonly readEvents: ReadAccountEvents
  /** Resolves once everything that upstream's answers have said of numbers so far is stored. */
  readonly marksStored: () => Promise<void>
  /** Starts a number, so that its session sees what changed. */
  readonly receive: (numberId: NumberId) => Promise<void>
  /** Makes the number's session start anew with what is stored. */
  readonly askReopen: (numberId: NumberId) => Promise<Outcome<null>>
  /** Tells the number's owner of new settings and limits. */
  readonly askApplySettings: (
    numberId: NumberId,
    fields: { readonly settings: NumberSettings; readonly limits: OfficialLimits | null },
  ) => Promise<Outcome<null>>
  /** Lets go what limits hold. */
  readonly queue: Pick<SendQueue, 'letGo'>
  /** Wakes the number's owner for messages. */
  readonly sendsQueued: (numberId: NumberId) => void
  /** Reaches the nodes that remember what webhooks are verified with. */
  readonly broadcast: Broadcast
  /** Makes the due tries to enable calling start now. */
  readonly wakeTries: () => void
  /** Applies what upstream told of a template in every tenant that has the account; resolves once it is stored. */
  readonly templateTold: (told: TemplateTold) => Promise<void>
  /** Applies what upstream told of a Flow in every tenant that has the account; resolves once it is stored. */
  readonly flowTold: (told: FlowTold) => Promise<void>
  /** Has upstream asked anew whether it lets the account in; resolves once that is stored. */
  readonly marketingSigned: (account: MarketingAccount) => Promise<void>
  /** Public base address of the REST API, which upstream delivers to. */
  readonly baseUrl: string
  readonly clock: Clock
  readonly log: Log
}
