import type { ExecutionContext } from 'ava'
import type { ProviderDriver, ProviderEvent, ProviderSession, SessionSpec } from '../../src/ports/provider.ts'
import { until } from '../helpers/until.ts'

/** What the suite needs of an upstream besides the driver: ways to act on its far side. */
export interface ProviderWorld {
  readonly driver: ProviderDriver
  /** What opens a session of an unused number, without credentials. */
  freshSpec(): SessionSpec
  /** Has the phone scan the current code. */
  scan(opening: SessionSpec): Promise<void>
  /** Cuts the link to the engine. */
  dropLink(opening: SessionSpec): Promise<void>
  /** Has the phone unlink the device. */
  unlink(opening: SessionSpec): Promise<void>
  /** Digits of a peer that rings, of one that declines and of one that cannot be reached. */
  readonly ringingPeer: string
  readonly decliningPeer: string
  readonly unreachablePeer: string
  /** Digits of a peer that reads messages, and of one that writes them back. */
  readonly readingPeer: string
  readonly echoingPeer: string
  /** Has a peer write to the number. */
  writeIn(
    opening: SessionSpec,
    from: string,
    message: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly externalMessageId: string }>
  /** Has the number's owner write to somebody on the phone. */
  writeElsewhere(
    opening: SessionSpec,
    to: string,
    message: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly externalMessageId: string }>
  /** Has a peer vote in a poll that reached it, by the poll's upstream id. */
  vote(peer: string, externalMessageId: string, options: readonly string[]): Promise<void>
  /** Has the network tell the health of the number. */
  tellHealth(opening: SessionSpec, health: Readonly<Record<string, unknown>>): Promise<void>
  /** The contents that reached a peer, oldest first, as the engine received them. */
  inbox(peer: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** An address at which the engine can fetch an image. */
  readonly imageUrl: string
  /** Has a peer call the number. */
  callIn(opening: SessionSpec): Promise<{ readonly externalCallId: string; readonly from: string }>
  /** Has the peer of a call hang up. */
  hangUp(externalCallId: string): Promise<void>
  /** An offer, and an answer to an offer, that the upstream can read. */
  offerSdp(): Promise<string>
  answerSdp(offer: string): Promise<string>
  close(): Promise<void>
}

/** A session and all events that it told. */
export class Watched {
  readonly told: ProviderEvent[] = []
  readonly session: ProviderSession
  readonly #isSettling: boolean

  constructor(t: ExecutionContext, driver: ProviderDriver, opening: SessionSpec, isSettling = true) {
    this.#isSettling = isSettling
    this.session = driver.openSession(opening, (event) => this.#take(event))
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
    // The event is settled in a later turn, as a store does.
    if (this.#isSettling && 'seq' in event) queueMicrotask(() => this.session.settle(event.seq))
  }
}

/** Pairs a fresh number; resolves to its open session, and to what would open it next time. */
export async function paired(
  t: ExecutionContext,
  world: ProviderWorld,
): Promise<{ opening: SessionSpec; watched: Watched }> {
  const fresh = world.freshSpec()
  const watched = new Watched(t, world.driver, fresh)
  await watched.first('qr')
  await world.scan(fresh)
  const { credentials, seq } = await watched.first('credentials')
  await watched.state('OPEN')
  return { opening: { ...fresh, credentials, ackedSeq: seq }, watched }
}

/** Declares one test over a world of its own. */
export type Story = (name: string, run: (t: ExecutionContext, world: ProviderWorld) => Promise<void>) => void
