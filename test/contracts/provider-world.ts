import type { ExecutionContext } from 'ava'
import type { ProviderDriver, ProviderEvent, ProviderSession, SessionSpec } from '../../src/ports/provider.ts'
import { until } from '../helpers/until.ts'

/** What the suite needs of an upstream beside the driver: the hands that act on its far side. */
export interface ProviderWorld {
  readonly driver: ProviderDriver
  /** A number not used before, without credentials. */
  freshSpec(): SessionSpec
  /** The phone reads the code on show. */
  scan(spec: SessionSpec): Promise<void>
  /** Cuts the link to the engine. */
  dropLink(spec: SessionSpec): Promise<void>
  /** The phone unlinks the device. */
  unlink(spec: SessionSpec): Promise<void>
  /** Digits of a peer that rings, of one that declines and of one that is not reachable. */
  readonly ringingPeer: string
  readonly decliningPeer: string
  readonly unreachablePeer: string
  /** Digits of a peer that reads what it gets, and of one that writes it back. */
  readonly readingPeer: string
  readonly echoingPeer: string
  /** A peer writes to the number. */
  writeIn(
    spec: SessionSpec,
    from: string,
    message: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly externalMessageId: string }>
  /** The number's owner writes to somebody on the phone. */
  writeElsewhere(
    spec: SessionSpec,
    to: string,
    message: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly externalMessageId: string }>
  /** The network says how it thinks of the number. */
  tellHealth(spec: SessionSpec, health: Readonly<Record<string, unknown>>): Promise<void>
  /** What reached a peer, oldest first: the content as the engine was told it. */
  inbox(peer: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Where the engine can fetch an image. */
  readonly imageUrl: string
  /** A peer calls the number. */
  callIn(spec: SessionSpec): Promise<{ readonly externalCallId: string; readonly from: string }>
  /** The peer of a call hangs up. */
  hangUp(externalCallId: string): Promise<void>
  /** An offer and an answer the upstream can read. */
  offerSdp(): Promise<string>
  answerSdp(offer: string): Promise<string>
  close(): Promise<void>
}

/** A session, and everything that it told. */
export class Watched {
  readonly told: ProviderEvent[] = []
  readonly session: ProviderSession
  readonly #isSettling: boolean

  constructor(t: ExecutionContext, driver: ProviderDriver, spec: SessionSpec, isSettling = true) {
    this.#isSettling = isSettling
    this.session = driver.openSession(spec, (event) => this.#take(event))
    t.teardown(() => this.session.close())
  }

  all<T extends ProviderEvent['type']>(type: T): Extract<ProviderEvent, { type: T }>[] {
    return this.told.filter((event): event is Extract<ProviderEvent, { type: T }> => event.type === type)
  }

  async first<T extends ProviderEvent['type']>(type: T): Promise<Extract<ProviderEvent, { type: T }>> {
    return until(`${type} is told`, () => this.all(type)[0])
  }

  async state(state: 'OPEN' | 'CLOSE'): Promise<Extract<ProviderEvent, { type: 'state' }>> {
    return until(`the session is ${state}`, () => this.all('state').find((event) => event.state === state))
  }

  #take(event: ProviderEvent): void {
    this.told.push(event)
    // Later, as a store does.
    if (this.#isSettling && 'seq' in event) queueMicrotask(() => this.session.settle(event.seq))
  }
}

/** Pairs a fresh number and answers its open session, with the spec it would be opened by next time. */
export async function paired(
  t: ExecutionContext,
  world: ProviderWorld,
): Promise<{ spec: SessionSpec; watched: Watched }> {
  const fresh = world.freshSpec()
  const watched = new Watched(t, world.driver, fresh)
  await watched.first('qr')
  await world.scan(fresh)
  const { credentials, seq } = await watched.first('credentials')
  await watched.state('OPEN')
  return { spec: { ...fresh, credentials, ackedSeq: seq }, watched }
}

/** Declares one test over a world of its own. */
export type Story = (name: string, run: (t: ExecutionContext, world: ProviderWorld) => Promise<void>) => void
