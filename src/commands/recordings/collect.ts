import { recordingUrl } from '../../domain/recording.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { CallId } from '../../domain/ids.ts'
import { thrownFields } from '../../domain/thrown.ts'
import { StoreAway } from '../../domain/store-away.ts'
import type { HeldRecording } from '../../ports/recordings.ts'
import type { DueRecording } from '../../ports/stores/recording-store.ts'
import type { RecordingPorts } from './ports.ts'

/** Our choice: recordings of a turn. */
const TAKEN = 20
/** Our choice: a node that takes a recording has this long, in ms, before another may take it. */
const TURN_MS = 300_000
/** Our choice: how soon a recording is looked for again, in ms, while its host still writes, and else. */
const RUNNING_MS = 1_000
const AWAY_MS = 5_000
/** Our choice: a host that is back within a day still gives its recordings; after that they are given up. */
const GIVEN_UP_MS = 24 * 3_600_000

/**
 * Fetches recordings of ended calls from their media hosts and stores each with its event. Answers true when more is
 * due. Throws StoreAway.
 */
export async function collectRecordings(ports: RecordingPorts): Promise<boolean> {
  const due = await ports.recordings.takeDue(TAKEN, ports.clock.now() + TURN_MS)
  for (const one of due) {
    try {
      await collect(ports, one)
    } catch (error) {
      await ports.recordings.defer(one.callId, ports.clock.now() + AWAY_MS)
      if (error instanceof StoreAway) throw error
      ports.log.warn({ callId: one.callId, ...thrownFields(error) }, 'a recording was not fetched; it is tried again')
    }
  }
  return due.length === TAKEN
}

async function collect(ports: RecordingPorts, due: DueRecording): Promise<void> {
  const { recordings, recordingSource, clock } = ports
  const { callId, recording, connectedAt, endedAt, piiMode } = due
  if (connectedAt === null) return recordings.settle(callId)
  const found = await recordingSource.find(callId)
  const nowMs = clock.now()
  if (!found.ok && found.error.code === 'RECORDING_RUNNING') return recordings.defer(callId, nowMs + RUNNING_MS)
  // A number that keeps nothing may have become so during the call.
  if (recording !== 'ASKED' || piiMode === 'RELAY_ONLY') {
    await recordingSource.drop(callId)
    return recordings.settle(callId)
  }
  if (found.ok) return keep(ports, due, found.value)
  if (nowMs - endedAt.getTime() > GIVEN_UP_MS) return recordings.settle(callId)
  return recordings.defer(callId, nowMs + AWAY_MS)
}

async function keep(ports: RecordingPorts, due: DueRecording, held: HeldRecording): Promise<void> {
  const { recordings, recordingFiles } = ports
  const fileId = await recordingFiles.keep(due, held.bytes())
  const { sizeBytes } = held
  const isStored =
    fileId !== null && (await recordings.store(due.callId, { fileId, sizeBytes }, recordedEvent(due.callId, held)))
  // Deleted meanwhile, or another node was faster.
  if (fileId !== null && !isStored) await recordingFiles.release(fileId)
  await held.drop()
}

function recordedEvent(callId: CallId, { durationMs, sizeBytes, cutShort }: HeldRecording): NewEvent {
  return {
    event: 'call.recorded',
    data: {
      callId,
      recordingUrl: recordingUrl(callId),
      durationSeconds: Math.round(durationMs / 1_000),
      channels: 2,
      sizeBytes,
      cutShort,
    },
  }
}
