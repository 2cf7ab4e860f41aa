import type { Outcome } from '../../domain/errors.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { Broadcast } from '../../ports/broadcast.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { OfficialAccountEvent, ReadAccountEvents } from '../../ports/official/changes.ts'
import type { OfficialOf } from '../../ports/official/number.ts'
import type { AccountChangeStore } from '../../ports/stores/account-change-store.ts'
import type { InboundStore } from '../../ports/stores/inbound-store.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { OfficialStore } from '../../ports/stores/official-store.ts'
import type { SetAsideStore } from '../../ports/stores/set-aside-store.ts'

/** Of what is told of an account. */
interface Told {
  /** Whom it was told; the account may be of others too. */
  readonly tenantId: TenantId
  readonly accountId: string
  /** When upstream told it; when it came, where upstream does not say, or says a day to come. */
  readonly at: Date
}

/** What upstream told of a template of an account. */
export interface TemplateTold
  extends Told, Omit<Extract<OfficialAccountEvent, { readonly type: 'templateTold' }>, 'type'> {}

/** What upstream told of a Flow of an account. */
export interface FlowTold extends Told, Omit<Extract<OfficialAccountEvent, { readonly type: 'flowTold' }>, 'type'> {}

/** All that accounts of the official platform and their numbers stand on: each verb takes it whole. */
export interface OfficialPorts {
  readonly official: OfficialStore
  readonly numbers: NumberStore
  /** Knows the verify tokens. */
  readonly inbound: InboundStore
  readonly accountChanges: AccountChangeStore
  readonly setAside: Pick<SetAsideStore, 'accountChange'>
  readonly officialOf: OfficialOf
  readonly readEvents: ReadAccountEvents
  /** Resolves once all that upstream's answers said of numbers so far is stored. */
  readonly marksStored: () => Promise<void>
  /** Starts a number, so that its session sees what changed. */
  readonly receive: (numberId: NumberId) => Promise<void>
  /** Has the session of the number begin anew with what is stored. */
  readonly askReopen: (numberId: NumberId) => Promise<Outcome<null>>
  /** To the nodes that remember what verifies webhooks. */
  readonly broadcast: Broadcast
  /** Has the due tries to enable calling made now. */
  readonly wakeTries: () => void
  /** Applies what upstream told of a template, in every tenant that has the account. Once it answers, it is stored. */
  readonly templateTold: (told: TemplateTold) => Promise<void>
  /** The same of a Flow. */
  readonly flowTold: (told: FlowTold) => Promise<void>
  /** Public base of REST, where upstream delivers. */
  readonly baseUrl: string
  readonly clock: Clock
  readonly log: Log
}
