import { signal } from '@preact/signals'

/** Our choice, in ms: how long a note shows. */
const SHOWN_MS = 3_000

/** A short note over the inbox on what was just done, such as that a text was copied. */
export class Notes {
  readonly text = signal('')
  #timer: ReturnType<typeof setTimeout> | undefined

  say(text: string): void {
    clearTimeout(this.#timer)
    this.text.value = text
    this.#timer = setTimeout(() => {
      this.text.value = ''
    }, SHOWN_MS)
  }

  /** Copies a text and says whether that succeeded. */
  copy(text: string, words: { readonly copied: string; readonly notCopied: string }): void {
    // The clipboard rejects in a frame without the permission, and does not exist on plain http.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
    written.then(
      () => this.say(words.copied),
      () => this.say(words.notCopied),
    )
  }
}
