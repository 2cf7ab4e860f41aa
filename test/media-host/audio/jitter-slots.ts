import type { JitterBuffer, JitterStep } from '../../../media-host/audio/jitter.ts'

/** TOC bytes of SILK wideband packets of one frame of 10, 20, 40 and 60 ms. */
export const TOC = { 10: 8 << 3, 20: 9 << 3, 40: 10 << 3, 60: 11 << 3 } as const
export type PacketMs = keyof typeof TOC

/** Lets one slot of 20 ms pass. Throws unless its steps are just that long, less what was left over before. */
export function playSlot(buffer: JitterBuffer, isQuiet: boolean): readonly JitterStep[] {
  const leadBefore = buffer.lead
  const steps = buffer.next(isQuiet)
  const sum = steps.reduce((total, step) => total + (step.kind === 'drop' ? -step.samples : step.samples), 0)
  const samples = leadBefore + sum - buffer.lead
  if (samples !== 960) throw new Error(`slot of ${samples} samples`)
  return steps
}
