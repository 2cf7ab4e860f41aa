/** What both programs that speak RTP mend of the stack they use, by the shapes they need of it. */

/** RFC 6347 section 4.3.2: the type of HelloVerifyRequest. */
const HELLO_VERIFY_REQUEST = 3
/** The client's flight that answers a HelloVerifyRequest (RFC 6347 section 4.2.4). */
const ANSWERED_FLIGHT = 3

interface Handshake<Message> {
  readonly dtls: { flight: number }
  onHandleHandshakes: (messages: Message[]) => Promise<void>
}

interface SecureTransport<Message> {
  dtls?: Handshake<Message> | undefined
  readonly iceTransport: { readonly connection: { stunServer?: unknown } }
  readonly onStateChange: { subscribe(listener: (state: string) => void): unknown }
}

/**
 * To be called before a transport gathers its candidates. It then asks no public STUN server for its address, which the stack does of its own accord. And a client
 * whose hello was sent twice, because the answer took over half a second, passes over the second HelloVerifyRequest instead of failing its handshake.
 */
export function mendTransport<Message extends { readonly msg_type: number }>(transport: SecureTransport<Message>): void {
  delete transport.iceTransport.connection.stunServer
  transport.onStateChange.subscribe((state) => {
    // The handshake is made right after this is told.
    if (state === 'connecting') queueMicrotask(() => transport.dtls && passOverRepeated(transport.dtls))
  })
}

function passOverRepeated<Message extends { readonly msg_type: number }>(handshake: Handshake<Message>): void {
  const handle = handshake.onHandleHandshakes
  handshake.onHandleHandshakes = (messages) => {
    const isAnswered = handshake.dtls.flight >= ANSWERED_FLIGHT
    return handle(isAnswered ? messages.filter(({ msg_type: type }) => type !== HELLO_VERIFY_REQUEST) : messages)
  }
}

/** To be called when a transport was closed: the stack would send its last flight again for half a minute. It stops where a later one was reached. */
export function endHandshake({ dtls: handshake }: Pick<SecureTransport<never>, 'dtls'>): void {
  if (handshake) Object.defineProperty(handshake.dtls, 'flight', { get: () => Infinity, set: () => {} })
}
