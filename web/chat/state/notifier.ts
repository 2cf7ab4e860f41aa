import { signal } from '@preact/signals'
import type { Message } from '../model/message.ts'

/** Our choice, in ms: an older message comes from an import, and is no news. */
const NEWS_MS = 120_000
/** Our choice: two short tones, in Hz, and how long each sounds, in seconds. */
const TONES = [660, 880] as const
const TONE_S = 0.12
/** Our choice, of 1: how loud they are. */
const LOUDNESS = 0.08

/** What a desktop notification says. */
export interface News {
  readonly title: string
  readonly text: string
}

/**
 * Tells of messages that come in by a sound and, where the browser lets a frame do that, by a desktop notification. It
 * is off until the person turns it on, asks for permission only then, and is forgotten with the page.
 */
export class Notifier {
  readonly isOn = signal(false)
  #audio: AudioContext | null = null

  /** Turns it on or off. Call it from a click, because a browser plays and asks only then. */
  async toggle(): Promise<void> {
    this.isOn.value = !this.isOn.value
    if (!this.isOn.value) return
    this.#audio ??= typeof AudioContext === 'undefined' ? null : new AudioContext()
    this.#ring()
    // A frame of another origin may not ask: its permission is denied from the start, and the sound remains.
    if (typeof Notification !== 'undefined' && Notification.permission === 'default')
      await Notification.requestPermission()
  }

  /** Tells of a message that came in and is not on the screen. `nowMs` is the time of the server. */
  tell({ conversationId, direction, createdAt }: Message, news: News, nowMs: number, onOpen: () => void): void {
    if (!this.isOn.value || direction !== 'INBOUND' || nowMs - Date.parse(createdAt) > NEWS_MS) return
    this.#ring()
    if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return
    const shown = new Notification(news.title, { body: news.text, tag: conversationId })
    shown.addEventListener('click', () => {
      window.focus()
      shown.close()
      onOpen()
    })
  }

  #ring(): void {
    const audio = this.#audio
    if (audio === null) return
    void audio.resume()
    for (const [at, frequency] of TONES.entries()) {
      const [tone, volume] = [new OscillatorNode(audio, { frequency }), new GainNode(audio, { gain: LOUDNESS })]
      tone.connect(volume).connect(audio.destination)
      tone.start(audio.currentTime + at * TONE_S)
      tone.stop(audio.currentTime + (at + 1) * TONE_S)
    }
  }
}
