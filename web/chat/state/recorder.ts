import { signal } from '@preact/signals'

export type RecorderState =
  | { readonly at: 'off' }
  | { readonly at: 'asking' }
  | { readonly at: 'recording'; readonly sinceMs: number }
  /** `lengthMs` is measured here, because browsers write no length into a recording. */
  | { readonly at: 'recorded'; readonly file: File; readonly url: string; readonly lengthMs: number }
  | { readonly at: 'refused'; readonly why: 'refused' | 'missing' }

/** Types that browsers can record, best first; the service converts each to what its network takes. */
const TYPES = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4']

/** Records a voice note. A cancelled recording is dropped, and the microphone is released at once. */
export class Recorder {
  readonly state = signal<RecorderState>({ at: 'off' })
  #recording: MediaRecorder | null = null

  async start(): Promise<void> {
    this.cancel()
    this.state.value = { at: 'asking' }
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      // The recording was cancelled while the browser asked for permission.
      if (this.state.value.at !== 'asking') return stopTracks(stream)
      this.#record(stream)
    } catch (error) {
      this.state.value = {
        at: 'refused',
        why: error instanceof Error && error.name === 'NotFoundError' ? 'missing' : 'refused',
      }
    }
  }

  /** Ends the recording, so that it can be played and sent. */
  stop(): void {
    this.#recording?.stop()
  }

  /** Drops the recording. */
  cancel(): void {
    const { state } = this
    const recording = this.#recording
    this.#recording = null
    recording?.stop()
    if (state.value.at === 'recorded') URL.revokeObjectURL(state.value.url)
    state.value = { at: 'off' }
  }

  #record(stream: MediaStream): void {
    const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type))
    const recording = new MediaRecorder(stream, mimeType === undefined ? {} : { mimeType })
    const pieces: Blob[] = []
    const sinceMs = performance.now()
    recording.addEventListener('dataavailable', ({ data }) => pieces.push(data))
    recording.addEventListener('stop', () => {
      stopTracks(stream)
      if (this.#recording !== recording) return
      this.#recording = null
      const type = recording.mimeType.split(';')[0] ?? ''
      const file = new File(pieces, `voice.${type === 'audio/mp4' ? 'm4a' : type === 'audio/ogg' ? 'ogg' : 'webm'}`, {
        type,
      })
      this.state.value = { at: 'recorded', file, url: URL.createObjectURL(file), lengthMs: performance.now() - sinceMs }
    })
    this.#recording = recording
    recording.start()
    this.state.value = { at: 'recording', sinceMs }
  }
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
