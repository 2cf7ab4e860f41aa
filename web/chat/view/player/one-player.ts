let playing: HTMLAudioElement | null = null

/** Pauses any other audio of the page before this one plays. */
export function playAlone(audio: HTMLAudioElement): void {
  if (playing !== audio) playing?.pause()
  playing = audio
}
