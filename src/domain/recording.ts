import type { CallId } from './ids.ts'

/** Why a recording ended before its call: its disk, a bound of length or size, or the end of its media host. */
export const RECORDING_CUTS = ['DISK_FULL', 'TOO_LONG', 'HOST_LOST'] as const
export type RecordingCut = (typeof RECORDING_CUTS)[number]

/**
 * How the recording of a call stands; null where none was asked for. ASKED until it is whole; GONE when it was deleted,
 * or never came.
 */
export const RECORDING_STATES = ['ASKED', 'STORED', 'GONE'] as const
export type RecordingState = (typeof RECORDING_STATES)[number]

/** Where a recording is read ([voice.recordings.4]); it needs the key. */
export function recordingUrl(callId: CallId): string {
  return `/v1/calls/${callId}/recording`
}
