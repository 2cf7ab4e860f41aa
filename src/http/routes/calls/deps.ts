import type { Directory } from '../../../../actors/hosting/directory.ts'
import type { OfficialOf } from '../../../ports/official/number.ts'
import type { HoldsDeps } from '../../credentials/holds.ts'
import type { CallerCache } from '../../request/caller-cache.ts'
import type { CallStore } from '../../../ports/stores/call-store.ts'
import type { OfficialStore } from '../../../ports/stores/official-store.ts'

/** What the routes of calls use. */
export interface CallDeps extends HoldsDeps {
  readonly calls: CallStore
  readonly directory: Directory
  readonly callers: Pick<CallerCache, 'revoke'>
  readonly official: OfficialStore
  readonly officialOf: OfficialOf
  /** Resolves once all that upstream's answers said of OFFICIAL numbers so far is stored. */
  readonly marksStored: () => Promise<void>
}
