import { createRecordings, type RecordingCommands } from '../commands/recordings/recordings.ts'
import type { RecordingPorts } from '../commands/recordings/ports.ts'
import type { Core } from './core.ts'
import { PURGES } from './upkeep.ts'

/** Our choice, in ms: how soon after a call its recording is fetched at the latest. */
const COLLECT_EVERY_MS = 1_000

/** Opens the commands of recordings, and the chore that fetches them from the media hosts. */
export function openRecordings(
  { clock, log, upkeep }: Core,
  ports: Omit<RecordingPorts, 'clock' | 'log'>,
): { readonly recordingCommands: RecordingCommands } {
  const recordingCommands = createRecordings({ ...ports, clock, log })
  upkeep.add({
    name: 'collect-recordings',
    due: 'recordings',
    isShared: true,
    everyMs: COLLECT_EVERY_MS,
    run: () => recordingCommands.collect(),
  })
  upkeep.add({ name: 'sweep-recordings', ...PURGES, run: () => recordingCommands.sweep() })
  return { recordingCommands }
}
