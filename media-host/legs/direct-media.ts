import type { RtpOut } from '../audio/outgoing-audio.ts'
import { isRtp } from './rtp-header.ts'
import { SrtpOpener, SrtpSealer } from './srtp.ts'
import type { SrtpContext } from './srtp.ts'
import type { RtpIn } from './transport.ts'

type Address = readonly [host: string, port: number]

/** A socket of the stack. */
interface StackSocket {
  readonly transport: { readonly closed: boolean; send(datagram: Buffer, to: Address): Promise<void> }
  datagramReceived(datagram: Buffer, from: Address): void
}

/** Internal fields of the stack's connection. */
interface StackConnection {
  readonly nominated?: { readonly protocol: StackSocket; readonly remoteAddr: Address } | undefined
  canSendApplicationData(): boolean
  ensureProtocol(socket: StackSocket): void
}

/** Internal fields of the stack's transport. `srtp` is there once the handshake gave the keys. */
interface StackTransport {
  readonly srtp?: { readonly localContext: SrtpContext; readonly remoteContext: SrtpContext }
}

/**
 * Carries RTP between the sockets of the stack and a leg. The stack's own way reads each header twice bit by bit,
 * copies each packet four times and waits for four promises; decision 0071 says what this way saves. Handshake, checks
 * and RTCP stay the stack's.
 */
export class DirectMedia {
  readonly #transport: StackTransport
  readonly #connection: StackConnection
  readonly #hear: (packet: RtpIn) => void
  #opener: SrtpOpener | null = null
  #sealer: SrtpSealer | null = null

  /**
   * To be made before the connection opens its sockets, and after whatever else looks at datagrams first. `hear` is
   * called with each authentic packet.
   */
  constructor(transport: { readonly iceTransport: { readonly connection: object } }, hear: (packet: RtpIn) => void) {
    this.#transport = transport as unknown as StackTransport
    this.#connection = transport.iceTransport.connection as StackConnection
    this.#hear = hear
    const ensure = this.#connection.ensureProtocol.bind(this.#connection)
    this.#connection.ensureProtocol = (socket) => {
      const take = socket.datagramReceived.bind(socket)
      socket.datagramReceived = (datagram, from) => {
        if (isRtp(datagram)) this.#open(datagram)
        else take(datagram, from)
      }
      ensure(socket)
    }
  }

  /** Sends a packet, unless the peer may not be sent to (RFC 7675 section 5.1). The payload has been read on return. */
  send(packet: RtpOut, ssrc: number): void {
    const { srtp } = this.#transport
    const { nominated } = this.#connection
    if (!srtp || !nominated || !this.#connection.canSendApplicationData()) return
    const { transport } = nominated.protocol
    if (transport.closed) return
    this.#sealer ??= new SrtpSealer(srtp.localContext)
    transport.send(this.#sealer.seal(packet, ssrc), nominated.remoteAddr).catch(() => {
      // A socket that closes meanwhile sends no more; the leg ends by its state.
    })
  }

  /** A packet that comes before the keys is dropped, as one that is not authentic. */
  #open(datagram: Buffer): void {
    const { srtp } = this.#transport
    if (!srtp) return
    this.#opener ??= new SrtpOpener(srtp.remoteContext)
    const packet = this.#opener.open(datagram, performance.now())
    if (packet) this.#hear(packet)
  }
}
