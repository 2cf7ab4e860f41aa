/** Names under which the audio thread knows its processors. */
export const CAPTURE = 'softphone-capture'
export const PLAYBACK = 'softphone-playback'

/** How playing fares, as the audio thread tells it. */
export interface PlaybackReport {
  readonly queuedMs: number
  readonly targetMs: number
  readonly underruns: number
  readonly trimmedMs: number
  readonly lostMs: number
}
