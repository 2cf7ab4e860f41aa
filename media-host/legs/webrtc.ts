import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import {
  Candidate,
  CandidatePair,
  CandidatePairState,
  RTCDtlsTransport,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  RtcpRrPacket,
  RtcpSenderInfo,
  RtcpSrPacket,
  RtpHeader,
  RtpPacket,
} from 'werift'
import type { Protocol, RTCPeerConnectionConfig, RTCRtpTransceiver, RtcpPacket, RtcpReceiverInfo } from 'werift'
import { thrownName } from '../../src/domain/thrown.ts'
import { readDescription } from '../../src/domain/sdp/voice-description.ts'
import type { ReadDescription, VoiceCandidate, VoiceDescription } from '../../src/domain/sdp/voice-description.ts'
import { answerText, voiceText } from '../../src/domain/sdp/voice-text.ts'
import type { Log } from '../../src/ports/log.ts'
import type { HandshakeFault } from '../../src/process/handshake-end.ts'
import { endHandshake, mendTransport } from '../../src/process/rtp-stack.ts'
import type { OpusCodec } from '../audio/opus.ts'
import type { RtpOut } from '../audio/outgoing-audio.ts'
import { DirectMedia } from './direct-media.ts'
import { Following } from './following.ts'
import type { PairMaker } from './following.ts'
import { LegAudio } from './leg-audio.ts'
import { UnusableDescription } from './leg.ts'
import type { OpenLeg } from './leg.ts'
import { NamedPeer } from './named-peer.ts'
import type { StackCheck } from './named-peer.ts'
import { changeFault, newCandidates, typesOf } from './redescription.ts'
import { ReportedSources } from './reported-sources.ts'
import type { AgreedTypes, LegTransport, OpenTransport, RtpIn, SenderReport, TransportEvents } from './transport.ts'

export interface WebRtcLegOptions {
  readonly opus: OpusCodec
  readonly log: Log
  /**
   * The one address to offer. A local one is also bound ('127.0.0.1' for the sandbox); any other is announced
   * unchanged, for hosts behind a one-to-one NAT. By default every address of the machine but loopback.
   */
  readonly iceAddress?: string
  /** First and last UDP port to use. By default any. */
  readonly portRange?: readonly [number, number]
}

/** Makes WebRTC legs: all candidates inside the SDP, DTLS-SRTP, Opus mono with telephone events. */
export function createWebRtcLegs(options: WebRtcLegOptions): OpenLeg {
  // The certificate is made once for all legs, and now, so that the first call does not wait for it.
  RTCDtlsTransport.SetupCertificate().catch((error: unknown) =>
    options.log.error({ name: thrownName(error) }, 'the DTLS certificate could not be made'),
  )
  return (events) => new LegAudio(options.opus, events, createWebRtcTransport(options))
}

/** Makes what carries the packets of a WebRTC leg, without the leg. */
export function createWebRtcTransport(options: Omit<WebRtcLegOptions, 'opus'>): OpenTransport {
  return (events) => new WebRtcTransport(options, events)
}

/** Negotiates with the peer, and carries packets over SRTP. */
class WebRtcTransport implements LegTransport {
  readonly #log: Log
  readonly #events: TransportEvents
  readonly #peer: RTCPeerConnection
  readonly #transceiver: RTCRtpTransceiver
  readonly #ssrc: number
  readonly #media: DirectMedia
  readonly #named = new NamedPeer()
  readonly #following: Following<Protocol>
  readonly #reported: ReportedSources<RtpPacket>
  readonly #closing = Promise.withResolvers<never>()
  /** What the peer said last, once it is agreed. */
  #agreed: VoiceDescription | null = null

  constructor(options: Omit<WebRtcLegOptions, 'opus'>, events: TransportEvents) {
    this.#log = options.log
    this.#events = events
    this.#peer = new RTCPeerConnection({
      ...peerConfig(options),
      iceFilterStunResponse: (check) => this.#named.takes(check),
    })
    this.#transceiver = this.#peer.addTransceiver('audio', { direction: 'sendrecv' })
    mendTransport(this.#transceiver.dtlsTransport, (fault, alert) => this.#noteFault(fault, alert))
    this.#following = new Following(this.#transceiver.dtlsTransport.iceTransport.connection, PAIRS)
    // Made after what follows the peer, which looks at datagrams first.
    this.#media = new DirectMedia(this.#transceiver.dtlsTransport, (packet) => this.#hear(packet))
    this.#reported = new ReportedSources(this.#transceiver.receiver, stackPacket)
    this.#ssrc = this.#transceiver.sender.ssrc
    this.#closing.promise.catch(() => {})
    this.#peer.connectionStateChange.subscribe((state) => this.#noteState(state))
    this.#transceiver.dtlsTransport.onStateChange.subscribe((state) => this.#noteState(state))
  }

  get isOpen(): boolean {
    return this.#transceiver.dtlsTransport.state === 'connected'
  }

  offer(): Promise<string> {
    return this.#unlessClosed(async () => this.#local(await this.#peer.createOffer()))
  }

  answer(sdpOffer: string): Promise<string> {
    return this.#unlessClosed(() => this.#answer(sdpOffer))
  }

  async connect(sdpAnswer: string): Promise<void> {
    if (this.#agreed) return
    await this.#unlessClosed(() => this.#remote('answer', sdpAnswer))
    this.#startMedia()
  }

  update(description: string): void {
    if (!this.#agreed) throw new UnusableDescription('comes before the first one is agreed')
    const read = readDescription(description, 'answer')
    if (!read.ok) throw new UnusableDescription(read.fault)
    const { voice } = read.value
    const fault = changeFault(this.#agreed, voice)
    if (fault !== null) throw new UnusableDescription(fault)
    const added = newCandidates(this.#agreed, voice)
    this.#agreed = voice
    this.#events.agreed(typesOf(voice))
    this.#addCandidates(voice.candidates, added)
  }

  send(packet: RtpOut): void {
    this.#media.send(packet, this.#ssrc)
  }

  report({ ntp, rtpTimestamp, packets, octets }: SenderReport): void {
    const senderInfo = new RtcpSenderInfo({ ntpTimestamp: ntp, rtpTimestamp, packetCount: packets, octetCount: octets })
    this.#transceiver.dtlsTransport
      .sendRtcp([new RtcpSrPacket({ ssrc: this.#ssrc, senderInfo })])
      .catch((error: unknown) => this.#log.debug({ name: thrownName(error) }, 'a sender report was not sent'))
  }

  close(): void {
    this.#closing.reject(new Error('the leg was closed while negotiating'))
    this.#peer
      .close()
      .catch((error: unknown) => this.#log.warn({ name: thrownName(error) }, 'an RTP leg did not close cleanly'))
      .finally(() => endHandshake(this.#transceiver.dtlsTransport))
  }

  async #answer(sdpOffer: string): Promise<string> {
    const offer = await this.#remote('offer', sdpOffer)
    // RFC 8842 section 5.3: an active offerer gets the answer passive; werift would answer active to all.
    if (offer.voice.setup === 'active') this.#transceiver.dtlsTransport.role = 'server'
    const sdp = await this.#local(await this.#peer.createAnswer())
    this.#startMedia()
    return answerText(sdp, offer)
  }

  /** werift never settles a negotiation that is under way when it is closed; this one rejects. */
  #unlessClosed<T>(negotiate: () => Promise<T>): Promise<T> {
    return Promise.race([negotiate(), this.#closing.promise])
  }

  async #local(description: { type: 'offer' | 'answer' | 'pranswer' | 'rollback'; sdp: string }): Promise<string> {
    await this.#peer.setLocalDescription(description)
    const sdp = this.#peer.localDescription?.sdp
    if (!sdp) throw new Error('the leg was closed while negotiating')
    return withPacketTime(sdp)
  }

  /**
   * Takes the peer's description. It is first rewritten in one form, so that the peer's own text never reaches the
   * stack.
   */
  async #remote(type: 'offer' | 'answer', text: string): Promise<ReadDescription> {
    const read = readDescription(text, type)
    if (!read.ok) throw new UnusableDescription(read.fault)
    this.#keepTo(read.value.voice.ufrag)
    try {
      await this.#peer.setRemoteDescription({ type, sdp: voiceText(read.value.voice) })
    } catch (error) {
      this.#log.info({ name: thrownName(error), type }, 'a session description was refused')
      throw new UnusableDescription('does not fit', { cause: error })
    }
    const types = agreedTypes(this.#transceiver.codecs, read.value)
    if (!types) throw new UnusableDescription('offers no Opus')
    this.#agreed = read.value.voice
    this.#events.agreed(types)
    return read.value
  }

  /** Names the peer, and drops the checks of others that came before. */
  #keepTo(ufrag: string): void {
    this.#named.name(ufrag)
    const ice = this.#transceiver.dtlsTransport.iceTransport.connection as unknown as EarlyChecks
    ice.earlyChecks = ice.earlyChecks.filter(([check]) => this.#named.takes(check))
  }

  /**
   * While the stack looks for a way to the peer it takes further addresses, but begins no check of them by itself. Once
   * a way is chosen the leg goes there without it.
   */
  #addCandidates(all: readonly VoiceCandidate[], added: readonly VoiceCandidate[]): void {
    const addresses = (candidates: readonly VoiceCandidate[]) => candidates.map(({ ip, port }) => [ip, port] as const)
    if (this.#following.announced(addresses(all), addresses(added))) return
    const { connection } = this.#transceiver.dtlsTransport.iceTransport
    const taken = added.map(({ foundation, priority, ip, port, type }) =>
      connection.addRemoteCandidate(new Candidate(foundation, 1, 'udp', priority, ip, port, type)),
    )
    const checks = connection as unknown as StackChecks
    void Promise.all(taken).then(() => {
      while (checks.schedulingChecks());
    })
  }

  #startMedia(): void {
    this.#transceiver.dtlsTransport.onRtcp.subscribe((packet) => this.#hearReport(packet))
  }

  #hear(packet: RtpIn): void {
    if (!this.#agreed) return
    this.#following.heard()
    this.#reported.count(packet)
    this.#events.packet(packet)
  }

  #hearReport(packet: RtcpPacket): void {
    if (!(packet instanceof RtcpRrPacket || packet instanceof RtcpSrPacket)) return
    if (packet instanceof RtcpSrPacket) this.#reported.repeat(packet)
    const mine = packet.reports.find((report): report is RtcpReceiverInfo => report.ssrc === this.#ssrc)
    if (mine) this.#events.report({ lastReport: mine.lsr, delay: mine.dlsr, lost: mine.fractionLost / 256 })
  }

  #noteFault(fault: HandshakeFault, alert: number | null): void {
    this.#log.info({ fault, alert }, 'the DTLS handshake with a peer failed')
    this.#events.lost(fault)
  }

  /**
   * Notes a state that means loss. werift reports lost consent (RFC 7675, 30 s) for the connection only, a failed
   * handshake for both, and a close by the peer for the transport only.
   */
  #noteState(state: string): void {
    if (state === 'failed' || state === 'closed' || state === 'disconnected') this.#events.lost(state)
  }
}

/** Makes pairs for addresses that the peer did not announce (RFC 8445 section 7.3.1.3). */
const PAIRS: PairMaker<Protocol> = {
  succeeded: CandidatePairState.SUCCEEDED,
  pair: (socket, [host, port], isControlling) =>
    new CandidatePair(socket, new Candidate('moved', 1, 'udp', 0, host, port, 'prflx'), isControlling),
}

/** Internal fields of the stack's connection. */
interface EarlyChecks {
  earlyChecks: (readonly [check: StackCheck, ...rest: unknown[]])[]
}

interface StackChecks {
  /** Begins the check of one more pair; false when there is none that waits for it. */
  schedulingChecks(): boolean
}

function peerConfig(options: Omit<WebRtcLegOptions, 'opus'>): RTCPeerConnectionConfig {
  return {
    codecs: { audio: offeredCodecs(), video: [] },
    headerExtensions: { audio: [], video: [] },
    iceServers: [],
    bundlePolicy: 'max-bundle',
    ...(options.portRange && { icePortRange: [options.portRange[0], options.portRange[1]] }),
    ...(options.iceAddress !== undefined && oneAddress(options.iceAddress)),
  }
}

/**
 * The configuration for one address. werift skips loopback and adds every interface, so naming an address means
 * switching its search off.
 */
function oneAddress(address: string): RTCPeerConnectionConfig {
  const isLocal = Object.values(networkInterfaces()).some((list) => list?.some((entry) => entry.address === address))
  return {
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: [address],
    ...(isLocal && { iceInterfaceAddresses: isIPv6(address) ? { udp6: address } : { udp4: address } }),
  }
}

/**
 * The offered codecs. They are new objects each time, because werift writes into them. Telephone events have both clock
 * rates that peers use (RFC 7587 section 7, RFC 4733).
 */
function offeredCodecs(): RTCRtpCodecParameters[] {
  return [
    new RTCRtpCodecParameters({
      mimeType: 'audio/opus',
      clockRate: 48_000,
      channels: 2,
      payloadType: 111,
      parameters: 'minptime=10;useinbandfec=1',
    }),
    new RTCRtpCodecParameters({
      mimeType: 'audio/telephone-event',
      clockRate: 48_000,
      payloadType: 110,
      parameters: '0-15',
    }),
    new RTCRtpCodecParameters({
      mimeType: 'audio/telephone-event',
      clockRate: 8_000,
      payloadType: 126,
      parameters: '0-15',
    }),
  ]
}

function agreedTypes(codecs: readonly RTCRtpCodecParameters[], { voice }: ReadDescription): AgreedTypes | null {
  const opus = codecs.find((codec) => codec.mimeType.toLowerCase() === 'audio/opus')
  if (!opus) return null
  const events = codecs.filter(isTelephoneEvent)
  const event = events.find((codec) => codec.clockRate === 48_000) ?? events[0]
  return {
    opus: opus.payloadType,
    event: event ? { type: event.payloadType, clockHz: event.clockRate } : null,
    eventClocks: new Map(events.map((codec) => [codec.payloadType, codec.clockRate])),
    isPeerSilent: voice.direction === 'recvonly',
  }
}

function isTelephoneEvent(codec: RTCRtpCodecParameters): boolean {
  return codec.mimeType.toLowerCase() === 'audio/telephone-event'
}

/** Adds the packet time of our packets, which werift does not write (RFC 8866 section 6.4). */
function withPacketTime(sdp: string): string {
  return sdp.includes('a=ptime:') ? sdp : sdp.replace(/^a=rtpmap:/m, 'a=ptime:20\r\na=rtpmap:')
}

function stackPacket({ ssrc, payloadType, sequence, timestamp, payload }: RtpIn): RtpPacket {
  const header = new RtpHeader({ ssrc, payloadType, sequenceNumber: sequence, timestamp })
  return new RtpPacket(header, Buffer.from(payload))
}
