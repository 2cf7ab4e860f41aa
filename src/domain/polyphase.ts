/**
 * Input samples on either side of an output sample, before widening for a lower rate. Our choice: -80 dB outside of the
 * band, 1 ms of delay at 16 kHz.
 */
const HALF_TAPS = 16
/**
 * Our choice: the band ends a little below the lower of both Nyquist frequencies, so that the filter's slope lies
 * inside it.
 */
const BAND = 0.92

/** The filter of one pair of rates: `up` phases with `taps` weights each. It is read-only and shared by all streams. */
export interface PolyphaseFilter {
  /** Output samples for every `down` input samples. */
  readonly up: number
  readonly down: number
  readonly taps: number
  readonly phases: readonly Float32Array[]
}

const filters = new Map<string, PolyphaseFilter>()

/** The band-limiting filter that converts mono samples from one rate to another; rates are whole samples a second. */
export function polyphaseFilter(fromHz: number, toHz: number): PolyphaseFilter {
  const key = `${fromHz}-${toHz}`
  const known = filters.get(key)
  if (known) return known
  const divisor = divisorOf(fromHz, toHz)
  const [up, down] = [toHz / divisor, fromHz / divisor]
  const half = Math.ceil(HALF_TAPS * Math.max(1, down / up))
  const cutoff = BAND * Math.min(1, up / down)
  const filter = {
    up,
    down,
    taps: 2 * half,
    phases: Array.from({ length: up }, (_, phase) => phaseOf(phase / up, half, cutoff)),
  }
  filters.set(key, filter)
  return filter
}

/**
 * The weights for an output that lies `offset` of an input sample after one. They add up to 1, so that the level stays.
 */
function phaseOf(offset: number, half: number, cutoff: number): Float32Array {
  const weights = Float32Array.from({ length: 2 * half }, (_, tap) => {
    const time = tap - half + 1 - offset
    return cutoff * sinc(cutoff * time) * blackman(time / half)
  })
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
}

/** The Blackman window from -1 to 1; 0 outside. */
function blackman(x: number): number {
  return Math.abs(x) >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x)
}

function divisorOf(a: number, b: number): number {
  return b === 0 ? a : divisorOf(b, a % b)
}
