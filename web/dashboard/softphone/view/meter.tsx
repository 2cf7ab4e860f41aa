import { useEffect, useRef } from 'preact/hooks'
import { FLOOR_DB, type LevelMeter } from '../audio/level.ts'

/** Our choice, in ms: 15 readings a second. */
const READ_MS = 1_000 / 15

interface MeterProps {
  readonly which: 'mic' | 'peer'
  readonly label: string
  readonly meter: LevelMeter
  readonly decibels: (level: number) => string
}

/** Shows a level. It draws past the framework, which would compare the whole page 15 times a second. */
export function Meter({ which, label, meter, decibels }: MeterProps) {
  const drawn = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const timer = setInterval(() => {
      const { rmsDb, peakDb } = meter.read()
      const bar = drawn.current
      if (!bar) return
      const level = Math.round(rmsDb)
      bar.setAttribute('aria-valuenow', String(level))
      bar.setAttribute('aria-valuetext', decibels(level))
      bar.style.setProperty('--level', String(1 - rmsDb / FLOOR_DB))
      bar.style.setProperty('--peak', String(1 - peakDb / FLOOR_DB))
    }, READ_MS)
    return () => clearInterval(timer)
  }, [meter])
  return (
    <div class="level">
      <span>{label}</span>
      <div
        ref={drawn}
        class="meter"
        role="meter"
        aria-label={label}
        aria-valuemin={FLOOR_DB}
        aria-valuemax={0}
        aria-valuenow={FLOOR_DB}
        data-meter={which}
      />
    </div>
  )
}
