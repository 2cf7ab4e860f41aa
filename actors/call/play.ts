import type { Playback, PlaybackStatus } from '../../src/domain/call.ts'
import { fail } from '../../src/domain/errors.ts'
import type { MediaEvent } from '../../src/ports/media.ts'
import { end } from './ending.ts'
import type { AskedCallCommand, CallMessage } from './messages.ts'
import type { CallState, Step, WaitingAsk } from './state.ts'
import { step } from './state.ts'
import { beginWrite } from './writing.ts'

/** Order of a file's life: progress that arrives late never moves it back. */
const RANK: Readonly<Record<PlaybackStatus, number>> = { QUEUED: 0, PLAYING: 1, FINISHED: 2, FAILED: 2 }

/** Hands a file to the media host, even before the answer ([calls.play.2]). */
export function play(state: CallState, command: AskedCallCommand & { type: 'Play' }): Step {
  const { askId, playbackId, mediaUrl, hangupAfterPlay } = command
  return step(state, [{ type: 'mediaPlay', askId, playbackId, mediaUrl, hangupAfterPlay }])
}

/** Adds progress to the list; null when it says nothing new. */
function progressed(list: readonly Playback[], file: Playback): readonly Playback[] | null {
  const known = list.find(({ id }) => id === file.id)
  if (!known) return [...list, file]
  if (RANK[file.status] <= RANK[known.status]) return null
  return list.map((entry) => (entry.id === file.id ? file : entry))
}

function save(state: CallState, playback: readonly Playback[], asks: readonly WaitingAsk[]): Step {
  return beginWrite({ ...state, playback }, { kind: 'playback', next: state.phase, asks, effects: [] }, (attempt) => ({
    type: 'savePlayback',
    attempt,
    playback,
  }))
}

/** The media host took the file, or refused it. */
export function playQueued(state: CallState, message: CallMessage & { type: 'PlayQueued' }): Step {
  const { askId, outcome, playbackId, mediaUrl, hangupAfterPlay } = message
  if (!outcome.ok) return step(state, [], [{ askId, outcome: fail(outcome.error) }])
  const playback = progressed(state.playback, { id: playbackId, mediaUrl, hangupAfterPlay, status: 'QUEUED' })
  // The file's progress may have come first. The row is written again anyway, so that the answer follows a write.
  return save(state, playback ?? state.playback, [{ askId, command: 'Play' }])
}

/**
 * Handles progress of a file, including those that a realtime socket queued. A finished file may end the call
 * ([calls.states.7]).
 */
export function playbackProgressed(state: CallState, event: MediaEvent & { type: 'playback' }, nowMs: number): Step {
  const { playbackId, mediaUrl, hangupAfterPlay, status, error } = event
  const playback = progressed(state.playback, {
    id: playbackId,
    mediaUrl,
    hangupAfterPlay,
    status,
    ...(error === undefined ? {} : { error }),
  })
  if (!playback) return step(state)
  if (status === 'FINISHED' && hangupAfterPlay && state.phase.at === 'ACCEPTED') {
    return end({ ...state, playback }, { status: 'COMPLETED', patch: { playback } }, nowMs)
  }
  return save(state, playback, [])
}
