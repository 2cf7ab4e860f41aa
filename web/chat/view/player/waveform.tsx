import { useDrawn } from '../context.ts'
import { clockOf } from '../format.ts'

/** The number of bars, and the size of the drawing in its own units. */
const BARS = 64
const WIDTH = 192
const HEIGHT = 32
/** Our choice: the height of the quietest bar, of 100, so that it stays visible. */
const LEAST = 8
/** Our choice, in s: how far one press of an arrow key seeks. */
const STEP = 5

interface WaveformProps {
  /** 64 peaks, 0 to 100; null draws a plain line. */
  readonly peaks: readonly number[] | null
  readonly seconds: number
  readonly of: number
  readonly onSeek: (seconds: number) => void
}

/** The loudness of an audio file over time, and the play position. A press or an arrow key seeks. */
export function Waveform({ peaks, seconds, of, onSeek }: WaveformProps) {
  const { words } = useDrawn()
  const bars = peaks && peaks.length === BARS ? peaks : Array.from({ length: BARS }, () => LEAST)
  const part = of > 0 ? seconds / of : 0

  function press(event: PointerEvent & { readonly currentTarget: SVGSVGElement }): void {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    onSeek(Math.min(Math.max((event.clientX - left) / width, 0), 1) * of)
  }

  function key(event: KeyboardEvent): void {
    const to = seekedBy(event.key, seconds, of)
    if (to === null) return
    event.preventDefault()
    event.stopPropagation()
    onSeek(to)
  }

  return (
    <svg
      class="waveform"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="slider"
      tabIndex={0}
      aria-label={words.player.seek}
      aria-valuemin={0}
      aria-valuemax={Math.round(of)}
      aria-valuenow={Math.round(seconds)}
      aria-valuetext={words.player.position(clockOf(seconds * 1_000), clockOf(of * 1_000))}
      onPointerDown={press}
      onKeyDown={key}
    >
      {bars.map((peak, at) => {
        const height = (Math.max(LEAST, peak) / 100) * HEIGHT
        return (
          <rect
            key={at}
            class={at / BARS < part ? 'played' : ''}
            x={(at * WIDTH) / BARS}
            y={(HEIGHT - height) / 2}
            width={WIDTH / BARS - 1}
            height={height}
            rx="1"
          />
        )
      })}
    </svg>
  )
}

function seekedBy(key: string, seconds: number, of: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return Math.min(of, seconds + STEP)
    case 'ArrowLeft':
      return Math.max(0, seconds - STEP)
    case 'Home':
      return 0
    case 'End':
      return of
    default:
      return null
  }
}
