// oxlint-disable-next-line import/default -- the bundler makes the default export: the address of the module's file
import captureModule from './capture-worklet.ts?worker&url'
import { openMicrophone, type MicrophoneFault, type MicrophoneWish } from './microphone.ts'
// oxlint-disable-next-line import/default -- the bundler makes the default export: the address of the module's file
import playbackModule from './playback-worklet.ts?worker&url'
import { CAPTURE, PLAYBACK, type PlaybackReport } from './worklets.ts'

export interface AudioListener {
  /** A frame of the microphone. */
  said(frame: Int16Array<ArrayBuffer>): void
  /** How playing fares, some times a second. */
  reported(report: PlaybackReport): void
}

/**
 * Loudspeaker and microphone of one call. The context runs at the device's own rate, because not every browser joins
 * others ([dashboard.softphone.3]).
 */
export class CallAudio {
  readonly #context: AudioContext
  readonly #playback: AudioWorkletNode
  readonly #listener: AudioListener
  #microphone: MediaStream | null = null
  /** Counts what was asked for, because the person may choose again while the browser asks. */
  #asked = 0
  #isMuted = false

  private constructor(context: AudioContext, listener: AudioListener) {
    this.#context = context
    this.#listener = listener
    this.#playback = new AudioWorkletNode(context, PLAYBACK, { numberOfInputs: 0, outputChannelCount: [1] })
    this.#playback.port.addEventListener('message', ({ data }: MessageEvent<PlaybackReport>) => listener.reported(data))
    this.#playback.port.start()
    this.#playback.connect(context.destination)
  }

  /** Opens the loudspeaker. Browsers start it only after the person did something on the page. */
  static async open(listener: AudioListener): Promise<CallAudio> {
    const context = new AudioContext({ latencyHint: 'interactive' })
    await Promise.all([captureModule, playbackModule].map((url) => context.audioWorklet.addModule(url)))
    await context.resume()
    return new CallAudio(context, listener)
  }

  /** Takes the microphone in place of the one before. Answers why there is none, else null. */
  async listenTo(wish: MicrophoneWish): Promise<MicrophoneFault | null> {
    const own = ++this.#asked
    this.#letGo()
    const opened = await openMicrophone(wish)
    if (typeof opened === 'string') return opened
    if (own === this.#asked) this.#capture(opened)
    else stopTracks(opened)
    return null
  }

  #capture(opened: MediaStream): void {
    const capture = new AudioWorkletNode(this.#context, CAPTURE, {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: 'explicit',
    })
    capture.port.addEventListener('message', ({ data }: MessageEvent<Int16Array<ArrayBuffer>>) => {
      // What was on its way when the microphone was muted must not be heard either.
      if (!this.#isMuted && this.#microphone === opened) this.#listener.said(data)
    })
    capture.port.start()
    this.#context.createMediaStreamSource(opened).connect(capture)
    this.#microphone = opened
  }

  /** Plays a frame; its buffer goes to the audio thread. */
  play(frame: Int16Array<ArrayBuffer>): void {
    this.#playback.port.postMessage(frame, [frame.buffer])
  }

  mute(isMuted: boolean): void {
    this.#isMuted = isMuted
    for (const track of this.#microphone?.getTracks() ?? []) track.enabled = !isMuted
  }

  async close(): Promise<void> {
    this.#asked++
    this.#letGo()
    await this.#context.close()
  }

  #letGo(): void {
    if (this.#microphone) stopTracks(this.#microphone)
    this.#microphone = null
  }
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
