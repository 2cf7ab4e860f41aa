import { isLive } from '../../domain/call.ts'
import type { Call } from '../../domain/call.ts'
import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { FileId } from '../../domain/ids.ts'
import type { PlacedFile } from '../../ports/file-place.ts'
import { findCall } from '../calls/ask.ts'
import type { CallName } from '../calls/ask.ts'
import { collectRecordings } from './collect.ts'
import type { RecordingPorts } from './ports.ts'

/** The commands of recordings. */
export type RecordingCommands = ReturnType<typeof createRecordings>

/** A recording to be sent. */
export interface RecordingToRead {
  /** Path on this node. */
  readonly path: string
  readonly fileName: string
}

/** A recording to be sent or linked. */
export interface RecordingToLink extends PlacedFile {
  readonly fileName: string
}

/** Makes the commands of recordings. */
export function createRecordings(ports: RecordingPorts) {
  return {
    read: (name: CallName) => readRecording(ports, name),
    locate: (name: CallName) => locateRecording(ports, name),
    remove: (name: CallName) => removeRecording(ports, name),
    /** A turn of the chore. Answers true when more is due. */
    collect: () => collectRecordings(ports),
    /** Has media hosts delete what nobody waits for: of removed numbers, and what was fetched or deleted. */
    sweep: () => ports.recordingSource.sweep((calls) => ports.recordings.awaited(calls)),
  }
}

/** Refusals: CALL_NOT_FOUND, RECORDING_NOT_FOUND, RECORDING_RUNNING. Throws StoreAway. */
async function readRecording(ports: RecordingPorts, name: CallName): Promise<Outcome<RecordingToRead>> {
  const kept = await keptOf(ports, name)
  if (!kept.ok) return kept
  const file = await ports.recordingFiles.open(kept.value.fileId)
  return file ? succeed({ path: file.path, fileName: kept.value.fileName }) : fail(NONE)
}

/** Refusals: as of a read. Throws StoreAway. */
async function locateRecording(ports: RecordingPorts, name: CallName): Promise<Outcome<RecordingToLink>> {
  const kept = await keptOf(ports, name)
  if (!kept.ok) return kept
  const file = await ports.recordingFiles.locate(kept.value.fileId)
  return file ? succeed({ path: file.path, link: file.link, fileName: kept.value.fileName }) : fail(NONE)
}

/** The file of a call's whole recording. */
async function keptOf(
  ports: RecordingPorts,
  name: CallName,
): Promise<Outcome<{ readonly fileId: FileId; readonly fileName: string }>> {
  const found = await findRecorded(ports, name)
  if (!found.ok) return found
  const { numberId, id } = found.value
  const fileId = await ports.recordings.fileOf(numberId, id)
  return fileId ? succeed({ fileId, fileName: `${id}.ogg` }) : fail(NONE)
}

/** Refusals: as of a read; what waits to be fetched is deleted too. */
async function removeRecording(ports: RecordingPorts, name: CallName): Promise<Outcome<null>> {
  const found = await findRecorded(ports, name)
  if (!found.ok && !(found.error === PENDING)) return found
  const call = found.ok ? found : await findCall(ports, name)
  if (!call.ok) return call
  const removed = await ports.recordings.remove(call.value.numberId, call.value.id)
  if (removed === 'none') return fail(NONE)
  if (removed.fileId !== null) await ports.recordingFiles.release(removed.fileId)
  return succeed(null)
}

const NONE = refuse('RECORDING_NOT_FOUND', 'This call has no recording')
const RUNNING = refuse('RECORDING_RUNNING', 'The call is still being recorded')
const PENDING = refuse('RECORDING_RUNNING', 'The recording is not whole yet; event call.recorded tells when it is')

/** Finds a call whose recording is whole. */
async function findRecorded(ports: RecordingPorts, name: CallName): Promise<Outcome<Call>> {
  const found = await findCall(ports, name)
  if (!found.ok) return found
  const { recording, status, connectedAt } = found.value
  if (recording === 'STORED') return found
  if (recording !== 'ASKED') return fail(NONE)
  if (isLive(status)) return fail(RUNNING)
  return fail(connectedAt === null ? NONE : PENDING)
}
