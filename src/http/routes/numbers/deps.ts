import type { Directory } from '../../../../actors/hosting/directory.ts'
import type { Log } from '../../../ports/log.ts'
import type { OfficialOf } from '../../../ports/official/number.ts'
import type { FlowKeyStore } from '../../../ports/stores/flow-key-store.ts'
import type { InboundStore } from '../../../ports/stores/inbound-store.ts'
import type { NumberStore } from '../../../ports/stores/number-store.ts'
import type { OfficialStore } from '../../../ports/stores/official-store.ts'
import type { CallerCache } from '../../request/caller-cache.ts'
import type { TargetCache } from '../official-webhooks/target-cache.ts'

/** What the routes of numbers use. */
export interface NumberDeps {
  readonly numbers: NumberStore
  readonly directory: Directory
  readonly official: OfficialStore
  readonly officialOf: OfficialOf
  readonly inbound: InboundStore
  readonly flowKeys: Pick<FlowKeyStore, 'current'>
  /** Resolves once all that upstream's answers said of OFFICIAL numbers so far is stored. */
  readonly marksStored: () => Promise<void>
  /** The templates and Flows of a new account are wanted: they come by themselves. */
  readonly templatesWanted: () => void
  readonly flowsWanted: () => void
  readonly callers: CallerCache
  /** What verifies the webhooks of OFFICIAL numbers. */
  readonly targets: TargetCache
  /** Public base of REST, without a trailing slash: where upstream delivers. */
  readonly baseUrl: string
  readonly log: Log
}
