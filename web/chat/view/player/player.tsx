import Pause from 'lucide/dist/esm/icons/pause.mjs'
import Play from 'lucide/dist/esm/icons/play.mjs'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import { useDrawn } from '../context.ts'
import { clockOf } from '../format.ts'
import { playAlone } from './one-player.ts'
import { Waveform } from './waveform.tsx'

const RATES = [1, 1.5, 2]

interface PlayerProps {
  /** Null until the file was read. */
  readonly src: string | null
  /** The length that the service knows, in ms; 0 when it knows none. The file's own length takes its place. */
  readonly lengthMs: number
  readonly peaks: readonly number[] | null
  /** Called when the person presses play before the file was read. */
  readonly onWanted?: () => void
}

/** An audio player with seeking and three speeds. */
export function Player(props: PlayerProps) {
  const { words } = useDrawn()
  const { src, peaks } = props
  const playing = usePlaying(props)
  const { at, length, rate } = playing
  return (
    <div class="player" data-player role="group" aria-label={words.player.label}>
      <button
        type="button"
        class="plain"
        aria-label={at.isPlaying ? words.player.pause : words.player.play}
        aria-busy={playing.isWanted && src === null}
        onClick={playing.toggle}
      >
        <Icon of={at.isPlaying ? Pause : Play} />
      </button>
      <Waveform peaks={peaks} seconds={at.seconds} of={length} onSeek={playing.seek} />
      <span class="player-time" aria-hidden="true">
        {clockOf((at.seconds > 0 ? at.seconds : length) * 1_000)}
      </span>
      <button type="button" class="rate" aria-label={words.player.speed(`${rate}x`)} onClick={playing.speedUp}>
        {rate}x
      </button>
      {src !== null && <Sound src={src} playing={playing} />}
    </div>
  )
}

type Playing = ReturnType<typeof usePlaying>

/** The state of playback and the actions on it. */
function usePlaying({ src, lengthMs, onWanted }: PlayerProps) {
  const [isWanted, setWanted] = useState(false)
  const audio = useRef<HTMLAudioElement>(null)
  const [at, setAt] = useState({ seconds: 0, isPlaying: false })
  /** The length in the file; null until its metadata was read. */
  const [readLength, setReadLength] = useState<number | null>(null)
  const [rate, setRate] = useState(1)
  useEffect(() => {
    if (src !== null && isWanted) void audio.current?.play()
  }, [src])

  function want(): void {
    setWanted(true)
    onWanted?.()
  }

  function toggle(): void {
    if (src === null) want()
    else if (at.isPlaying) audio.current?.pause()
    else void audio.current?.play()
  }

  function seek(seconds: number): void {
    if (src === null) want()
    setAt((before) => ({ ...before, seconds }))
    if (audio.current) audio.current.currentTime = seconds
  }

  function speedUp(): void {
    const next = RATES[(RATES.indexOf(rate) + 1) % RATES.length] ?? 1
    setRate(next)
    if (audio.current) audio.current.playbackRate = next
  }

  const length = readLength ?? lengthMs / 1_000
  return { audio, at, setAt, length, setReadLength, rate, isWanted, toggle, seek, speedUp }
}

/** The audio element and its events. */
function Sound({ src, playing }: { readonly src: string; readonly playing: Playing }) {
  const { audio, at, setAt, setReadLength, rate } = playing
  return (
    <audio
      ref={audio}
      src={src}
      preload="metadata"
      onPlay={({ currentTarget }) => {
        playAlone(currentTarget)
        currentTarget.playbackRate = rate
        setAt((before) => ({ ...before, isPlaying: true }))
      }}
      onPause={() => setAt((before) => ({ ...before, isPlaying: false }))}
      onTimeUpdate={({ currentTarget: { currentTime } }) => setAt((before) => ({ ...before, seconds: currentTime }))}
      onLoadedMetadata={({ currentTarget }) => {
        if (at.seconds > 0) currentTarget.currentTime = at.seconds
        if (Number.isFinite(currentTarget.duration)) setReadLength(currentTarget.duration)
      }}
      onEnded={() => setAt((before) => ({ ...before, seconds: 0, isPlaying: false }))}
    />
  )
}
