/** Length of one slot of the media clock; every leg sends and receives one frame a slot. */
export const SLOT_MS = 20

/** Rates that Opus codes directly, so that the live path needs no resampler ([realtime.query.1]). */
export const RATES_HZ = [8_000, 16_000, 24_000, 48_000] as const
export type RateHz = (typeof RATES_HZ)[number]

/** What a leg sends in one slot. */
export type OutgoingFrame =
  /** 20 ms of mono samples at `rateHz`. */
  | { readonly kind: 'pcm'; readonly samples: Int16Array; readonly rateHz: RateHz }
  /** One ready Opus packet of 20, 40 or 60 ms. The slots after its first one are `held`. */
  | { readonly kind: 'opus'; readonly packet: Uint8Array }
  /** The packet of a slot before lasts on. */
  | { readonly kind: 'held' }
  /** Nothing to say; the stream and its timestamps go on. */
  | { readonly kind: 'silence' }

export const SILENCE: OutgoingFrame = { kind: 'silence' }
export const HELD: OutgoingFrame = { kind: 'held' }
