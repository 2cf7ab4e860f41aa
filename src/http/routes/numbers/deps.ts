import type { Directory } from '../../../../actors/hosting/directory.ts'
import type { OfficialCommands } from '../../../commands/official/official.ts'
import type { Log } from '../../../ports/log.ts'
import type { OfficialOf } from '../../../ports/official/number.ts'
import type { FlowKeyStore } from '../../../ports/stores/flow-key-store.ts'
import type { NumberStore } from '../../../ports/stores/number-store.ts'
import type { OfficialStore } from '../../../ports/stores/official-store.ts'
import type { CallerCache } from '../../request/caller-cache.ts'

/** What the routes of numbers use. */
export interface NumberDeps {
  readonly numbers: NumberStore
  readonly directory: Directory
  readonly official: OfficialStore
  readonly officialOf: OfficialOf
  readonly officialCommands: OfficialCommands
  readonly flowKeys: Pick<FlowKeyStore, 'current'>
  /** The templates and Flows of a new account are wanted: they come by themselves. */
  readonly templatesWanted: () => void
  readonly flowsWanted: () => void
  readonly callers: CallerCache
  /** Public base of REST, without a trailing slash: where upstream delivers. */
  readonly baseUrl: string
  readonly log: Log
}
