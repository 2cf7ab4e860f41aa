import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { RecordingFiles, RecordingSource } from '../../ports/recordings.ts'
import type { CallStore } from '../../ports/stores/call-store.ts'
import type { RecordingStore } from '../../ports/stores/recording-store.ts'

/** The ports of recordings; each command takes all of them. */
export interface RecordingPorts {
  readonly calls: Pick<CallStore, 'find'>
  readonly recordings: RecordingStore
  readonly recordingFiles: RecordingFiles
  readonly recordingSource: RecordingSource
  readonly clock: Clock
  readonly log: Log
}
