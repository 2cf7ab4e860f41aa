/** The part of an opened file that is used here. Times are in units of `timeBase`, which is in seconds. */
interface PacketFile {
  packetsSync(stream: number): Iterable<{
    readonly timeBase: { readonly num: number; readonly den: number }
    readonly pts: bigint
    readonly duration: bigint
    free(): void
  } | null>
}

/** The length of a stream, in seconds. */
export interface StreamLength {
  /** The sum of its packets. */
  readonly sum: number
  /**
   * From the start of the first packet to the end of the last. A gap, or a single late packet, makes it longer than the
   * sum.
   */
  readonly span: number
}

/**
 * Measures a stream by its packets, because headers may lie. It decodes nothing (0.4 ms per second of audio, measured).
 *
 * @param stream Index of the stream in the file.
 * @param isEnough Called with the length so far; reading stops when it returns true.
 */
export async function lengthOf(
  file: PacketFile,
  stream: number,
  isEnough: (length: StreamLength) => boolean,
): Promise<StreamLength> {
  let [sum, first, last, count] = [0, Infinity, -Infinity, 0]
  const length = (): StreamLength => ({ sum, span: Math.max(0, last - first) })
  for (const packet of file.packetsSync(stream)) {
    if (!packet) break
    const unit = packet.timeBase.num / packet.timeBase.den
    const at = Number(packet.pts) * unit
    const seconds = Math.max(0, Number(packet.duration) * unit)
    packet.free()
    sum += seconds
    // A packet without a time has the lowest possible number instead.
    if (at > -1e9) [first, last] = [Math.min(first, at), Math.max(last, at + seconds)]
    if (isEnough(length())) break
    if (++count % 1_000 === 0) await turn()
  }
  return length()
}

/** Lets the event loop turn, so that the end of the parent is noticed within a file. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
