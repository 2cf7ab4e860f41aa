import { signal } from '@preact/signals'
import { copyText } from '../../ui/clipboard.ts'

/** Our choices, in ms: how long a note shows, and one with a button, which has to be reached. */
const SHOWN_MS = 3_000
const OFFERED_MS = 10_000

/** A button of a note. */
interface Offer {
  readonly label: string
  readonly act: () => void
}

/** A short note over the inbox on what was just done, such as that a text was copied. */
export class Notes {
  readonly text = signal('')
  readonly offer = signal<Offer | null>(null)
  #timer: ReturnType<typeof setTimeout> | undefined

  say(text: string, offer: Offer | null = null): void {
    clearTimeout(this.#timer)
    this.text.value = text
    this.offer.value = offer
    this.#timer = setTimeout(
      () => {
        this.say('')
      },
      offer ? OFFERED_MS : SHOWN_MS,
    )
  }

  /** Copies a text and says whether that succeeded. */
  copy(text: string, words: { readonly copied: string; readonly notCopied: string }): void {
    copyText(text).then(
      () => this.say(words.copied),
      () => this.say(words.notCopied),
    )
  }
}
