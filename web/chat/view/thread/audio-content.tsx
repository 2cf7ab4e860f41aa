import Pause from 'lucide/dist/esm/icons/pause.mjs'
import Play from 'lucide/dist/esm/icons/play.mjs'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import type { Message } from '../../model/message.ts'
import { useDrawn } from '../context.ts'
import { clockOf } from '../format.ts'
import { useMedia } from '../use-media.ts'
import { Missing } from './media-contents.tsx'
import { playAlone } from './one-player.ts'
import { Waveform } from './waveform.tsx'

const RATES = [1, 1.5, 2]

/** A voice note or other sound: played, sought in and sped up. It is read when it is first played. */
export function AudioContent({ message: { id, media } }: { readonly message: Message }) {
  const { words } = useDrawn()
  const [isWanted, setWanted] = useState(false)
  const shown = useMedia(id, isWanted)
  const audio = useRef<HTMLAudioElement>(null)
  const [at, setAt] = useState({ seconds: 0, isPlaying: false })
  /** As the file says it once it is read; what the service knows of it comes a moment after a note was sent. */
  const [readLength, setReadLength] = useState<number | null>(null)
  const length = readLength ?? (media?.durationMs ?? 0) / 1_000
  const [rate, setRate] = useState(1)
  useEffect(() => {
    if (shown.at === 'shown') void audio.current?.play()
  }, [shown.at])
  if (shown.at === 'failed') return <Missing isGone={shown.isGone} />

  function toggle(): void {
    if (shown.at !== 'shown') return setWanted(true)
    if (at.isPlaying) audio.current?.pause()
    else void audio.current?.play()
  }

  function seek(seconds: number): void {
    setWanted(true)
    setAt((before) => ({ ...before, seconds }))
    if (audio.current) audio.current.currentTime = seconds
  }

  function speedUp(): void {
    const next = RATES[(RATES.indexOf(rate) + 1) % RATES.length] ?? 1
    setRate(next)
    if (audio.current) audio.current.playbackRate = next
  }

  return (
    <div class="player" data-player role="group" aria-label={words.player.label}>
      <button type="button" class="plain" aria-label={at.isPlaying ? words.player.pause : words.player.play} aria-busy={isWanted && shown.at === 'waiting'} onClick={toggle}><Icon of={at.isPlaying ? Pause : Play} /></button>
      <Waveform peaks={media?.waveform ?? null} seconds={at.seconds} of={length} onSeek={seek} />
      <span class="player-time" aria-hidden="true">{clockOf((at.seconds > 0 ? at.seconds : length) * 1_000)}</span>
      <button type="button" class="rate" aria-label={words.player.speed(`${rate}x`)} onClick={speedUp}>{rate}x</button>
      {shown.at === 'shown' && (
        <audio
          ref={audio} src={shown.url} preload="metadata"
          onPlay={({ currentTarget }) => { playAlone(currentTarget); currentTarget.playbackRate = rate; setAt((before) => ({ ...before, isPlaying: true })) }}
          onPause={() => setAt((before) => ({ ...before, isPlaying: false }))}
          onTimeUpdate={({ currentTarget: { currentTime } }) => setAt((before) => ({ ...before, seconds: currentTime }))}
          onLoadedMetadata={({ currentTarget }) => {
            if (at.seconds > 0) currentTarget.currentTime = at.seconds
            if (Number.isFinite(currentTarget.duration)) setReadLength(currentTarget.duration)
          }}
          onEnded={() => setAt((before) => ({ ...before, seconds: 0, isPlaying: false }))}
        />
      )}
    </div>
  )
}
