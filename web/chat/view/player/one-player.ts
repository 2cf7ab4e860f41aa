let playing: HTMLAudioElement | null = null

/** Of all sounds of the page one plays: another that played is stopped. */
export function playAlone(audio: HTMLAudioElement): void {
  if (playing !== audio) playing?.pause()
  playing = audio
}
