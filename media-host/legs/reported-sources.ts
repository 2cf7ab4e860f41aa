/** Our choice: the stack reports on so many sources of a peer, as many as are decoded. */
const MOST_SOURCES = 3

interface Packet {
  readonly header: { readonly ssrc: number }
}

/** Internal fields of the stack's receiver, which sends receiver reports once it has heard a source. */
interface StackReceiver<P> {
  readonly remoteStreams: Readonly<Record<number, { add(packet: P): void }>>
  handleRtpBySsrc(packet: P, extensions: Record<string, unknown>): void
  handleRtcpPacket(report: { readonly ssrc: number }): void
}

/**
 * Counts what a peer sends for the receiver reports that the stack sends it, by which it learns how much is lost. The
 * stack's own way there finds only sources that the peer's description names, and costs 5 % of a call (measured).
 */
export class ReportedSources<P extends Packet> {
  readonly #receiver: StackReceiver<P>

  constructor(receiver: object) {
    this.#receiver = receiver as StackReceiver<P>
  }

  count(packet: P): void {
    const { remoteStreams } = this.#receiver
    const known = remoteStreams[packet.header.ssrc]
    if (known) known.add(packet)
    else if (Object.keys(remoteStreams).length < MOST_SOURCES) this.#receiver.handleRtpBySsrc(packet, {})
  }

  /** Takes a sender report, whose time the next receiver report repeats (RFC 3550 section 6.4.1). */
  repeat(report: { readonly ssrc: number }): void {
    if (this.#receiver.remoteStreams[report.ssrc]) this.#receiver.handleRtcpPacket(report)
  }
}
