import { signal } from '@preact/signals'
import type { Message } from '../model/message.ts'
import type { News } from './news.ts'

/** Our choice, in ms: an older message comes from an import, and is no news. */
const NEWS_MS = 120_000

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
    this.#tell()
    // A frame of another origin may not ask: its permission is denied from the start, and the sound remains.
    if (typeof Notification !== 'undefined' && Notification.permission === 'default')
      await Notification.requestPermission()
  }

  /** Tells of a message that came in and is not on the screen. `nowMs` is the time of the server. */
  tell(
    { conversationId: tag, direction, createdAt }: Message,
    news: Omit<News, 'tag'>,
    nowMs: number,
    onOpen: () => void,
  ): void {
    if (this.isOn.value && direction === 'INBOUND' && nowMs - Date.parse(createdAt) <= NEWS_MS)
      this.#tell({ ...news, tag }, onOpen)
  }

  /** What tells is loaded as it is turned on; where that fails, nobody is told. */
  #tell(news?: News, onOpen: () => void = () => {}): void {
    import('./news.ts').then(
      ({ ring, show }) => {
        if (this.#audio) ring(this.#audio)
        if (news) show(news, onOpen)
      },
      () => {},
    )
  }
}
