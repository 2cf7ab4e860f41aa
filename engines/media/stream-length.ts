/** What is used of an opened file. Times are in units of `timeBase`, in seconds. */
interface PacketFile {
  packetsSync(stream: number): Iterable<{
    readonly timeBase: { readonly num: number; readonly den: number }
    readonly pts: bigint
    readonly duration: bigint
    free(): void
  } | null>
}

/** How long a stream is, in seconds. */
export interface StreamLength {
  /** What its packets add up to. */
  readonly sum: number
  /**
   * From the begin of the first packet to the end of the last. A hole, or a single late packet, makes it longer than
   * the sum.
   */
  readonly span: number
}

/**
 * How long a stream is, by its packets: headers may lie. Without decoding (0.4 ms per second of audio, measured).
 *
 * @param stream Its index in the file.
 * @param isEnough Looks at what was found so far; the rest is not read once it says so.
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
    // A packet without a time has an impossibly small one.
    if (at > -1e9) [first, last] = [Math.min(first, at), Math.max(last, at + seconds)]
    if (isEnough(length())) break
    if (++count % 1_000 === 0) await turn()
  }
  return length()
}

/** Lets the event loop turn, so that the end of the parent is noticed in the middle of a file. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
