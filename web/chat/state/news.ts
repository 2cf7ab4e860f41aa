/** Our choice: two short tones, in Hz, and how long each sounds, in seconds. */
const TONES = [660, 880] as const
const TONE_S = 0.12
/** Our choice, of 1: how loud they are. */
const LOUDNESS = 0.08

/** What a desktop notification says. */
export interface News {
  readonly title: string
  readonly text: string
  /** A later notification with the same tag takes its place. */
  readonly tag: string
}

/** Plays the sound of a new message. */
export function ring(audio: AudioContext): void {
  void audio.resume()
  for (const [at, frequency] of TONES.entries()) {
    const [tone, volume] = [new OscillatorNode(audio, { frequency }), new GainNode(audio, { gain: LOUDNESS })]
    tone.connect(volume).connect(audio.destination)
    tone.start(audio.currentTime + at * TONE_S)
    tone.stop(audio.currentTime + (at + 1) * TONE_S)
  }
}

/** Shows a desktop notification where the person allowed it. */
export function show({ title, text, tag }: News, onOpen: () => void): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  const shown = new Notification(title, { body: text, tag })
  shown.addEventListener('click', () => {
    window.focus()
    shown.close()
    onOpen()
  })
}
