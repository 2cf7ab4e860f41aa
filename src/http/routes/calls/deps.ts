import type { CallCommands } from '../../../commands/calls/calls.ts'
import type { RecordingCommands } from '../../../commands/recordings/recordings.ts'
import type { HoldsDeps } from '../../credentials/holds.ts'
import type { CallerCache } from '../../request/caller-cache.ts'

/** What the routes of calls use. */
export interface CallDeps extends HoldsDeps {
  readonly callCommands: CallCommands
  readonly recordingCommands: RecordingCommands
  readonly callers: Pick<CallerCache, 'revoke'>
}
