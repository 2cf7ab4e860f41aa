import { isIPv6 } from 'node:net'
import { PeerAddress } from './peer-address.ts'
import type { Source } from './peer-address.ts'

/** Sendings of a check after the first, as the stack has for its own. */
const RESENDINGS = 4

/** A socket of the stack. */
interface StackSocket {
  datagramReceived(datagram: Buffer, from: Source): void
  request(check: unknown, to: Source, key: Buffer, resendings: number): Promise<unknown>
  readonly localCandidate?: unknown
}

/** A way to the peer: our socket and its address. */
interface StackPair {
  readonly protocol: StackSocket
  readonly remoteAddr: Source
  nominated: boolean
  updateState(state: number): void
}

/** A check that the stack has read. */
interface StackCheck {
  readonly attributesKeys: readonly string[]
}

/** Internal fields of the stack's connection. `nominated` is the pair in use; it never changes by itself. */
interface StackConnection {
  nominated?: StackPair | undefined
  readonly checkList: readonly StackPair[]
  readonly iceControlling: boolean
  readonly localUsername: string
  readonly remoteUsername: string
  readonly remotePassword: string
  ensureProtocol(socket: StackSocket): void
  checkIncoming(check: StackCheck, from: Source, socket: StackSocket): void
  addPair(pair: StackPair): void
  buildRequest(parts: Record<string, unknown>): unknown
  queryConsent(): void
}

/** What the stack makes for us. */
export interface PairMaker<Socket> {
  pair(socket: Socket, to: Source, isControlling: boolean): unknown
  /** The state of a pair whose check was answered. */
  readonly succeeded: number
}

/**
 * Has a leg go with its peer to another address, which the stack does not: it sends to the first pair that was chosen
 * for as long as the call lasts. To be made before the connection opens its sockets.
 */
export class Following<Socket> {
  readonly #connection: StackConnection
  readonly #maker: PairMaker<Socket>
  #address: PeerAddress | null = null
  /** Socket and source of the datagram that is being read: the stack reads audio in the turn in which it comes. */
  #socket: StackSocket | null = null
  #from: Source | null = null

  constructor(connection: object, maker: PairMaker<Socket>) {
    this.#connection = connection as StackConnection
    this.#maker = maker
    const ensure = this.#connection.ensureProtocol.bind(connection)
    this.#connection.ensureProtocol = (socket) => {
      this.#watch(socket)
      ensure(socket)
    }
    const check = this.#connection.checkIncoming.bind(connection)
    this.#connection.checkIncoming = (message, from, socket) => {
      check(message, from, socket)
      this.#checked(message, from, socket)
    }
  }

  /** To be called inside the event of a packet that the peer encrypted. */
  heard(): void {
    const [socket, from, nowMs] = [this.#socket, this.#from, performance.now()]
    if (socket && from && this.#at(nowMs)?.audio(from, nowMs)) void this.#ask(socket, from)
  }

  /**
   * Takes the addresses of a further description of the peer, and those of them that are new. False while no way to the
   * peer is chosen.
   */
  announced(all: readonly Source[], added: readonly Source[]): boolean {
    const { nominated } = this.#connection
    const address = this.#at(performance.now())
    if (!nominated || !address) return false
    const { protocol, remoteAddr } = nominated
    const asked = added.filter(([host]) => isIPv6(host) === isIPv6(remoteAddr[0]))
    for (const to of address.announced(all, asked)) void this.#ask(protocol, to)
    return true
  }

  #watch(socket: StackSocket): void {
    const take = socket.datagramReceived.bind(socket)
    socket.datagramReceived = (datagram, from) => {
      this.#socket = socket
      this.#from = from
      take(datagram, from)
      this.#from = null
    }
  }

  #checked({ attributesKeys }: StackCheck, from: Source, socket: StackSocket): void {
    const nowMs = performance.now()
    const isChoice = !this.#connection.iceControlling && attributesKeys.includes('USE-CANDIDATE')
    if (this.#at(nowMs)?.check(from, isChoice, nowMs)) void this.#ask(socket, from)
  }

  #at(nowMs: number): PeerAddress | null {
    const { nominated } = this.#connection
    if (nominated) this.#address ??= new PeerAddress(nominated.remoteAddr, nowMs)
    return this.#address
  }

  async #ask(socket: StackSocket, to: Source): Promise<void> {
    const { iceControlling, localUsername, remoteUsername, remotePassword } = this.#connection
    const check = this.#connection.buildRequest({
      nominate: iceControlling,
      iceControlling,
      localUsername,
      remoteUsername,
      localCandidate: socket.localCandidate,
    })
    try {
      await socket.request(check, to, Buffer.from(remotePassword), RESENDINGS)
    } catch {
      // It gave no answer, or none that the peer signed.
      this.#address?.unanswered(to)
      return
    }
    // A connection that closed meanwhile has no pair any more.
    const from = this.#connection.nominated
    if (this.#address?.answered(to, performance.now()) && from) this.#move(from, this.#pairTo(socket, to))
  }

  #pairTo(socket: StackSocket, to: Source): StackPair {
    const { checkList, iceControlling } = this.#connection
    const known = checkList.find((pair) => pair.protocol === socket && String(pair.remoteAddr) === String(to))
    if (known) return known
    const pair = this.#maker.pair(socket as Socket, to, iceControlling) as StackPair
    this.#connection.addPair(pair)
    return pair
  }

  #move(from: StackPair, to: StackPair): void {
    from.nominated = false
    to.nominated = true
    to.updateState(this.#maker.succeeded)
    this.#connection.nominated = to
    // Consent is counted anew; the answer was the first (RFC 7675 section 5.1).
    this.#connection.queryConsent()
  }
}
