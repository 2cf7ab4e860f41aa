import type { ExecutionContext, TestFn } from 'ava'
import type { Outcome } from '../../../src/domain/errors.ts'
import { newId } from '../../../src/domain/ids.ts'
import { DEFAULT_SETTINGS } from '../../../src/domain/number.ts'
import type { OfficialCallEvent } from '../../../src/ports/official/call-events.ts'
import type { OfficialAccountEvent, OfficialChange, OfficialMessageEvent } from '../../../src/ports/official/changes.ts'
import type { OfficialCredentials } from '../../../src/ports/official/credentials.ts'
import type { OfficialOf } from '../../../src/ports/official/number.ts'
import type { UpstreamWrite } from '../../../src/ports/official/write.ts'
import type { ProviderDriver, ProviderEvent, ProviderSession } from '../../../src/ports/provider.ts'
import { until } from '../../helpers/until.ts'

/** What the suite needs of an upstream besides our client: ways to act on its far side. */
export interface OfficialWorld {
  readonly officialOf: OfficialOf
  readonly driver: ProviderDriver
  /** Makes a number in an account of its own, without calling. */
  freshNumber(fields?: { readonly tier?: 'TIER_250' | 'TIER_2K' | 'TIER_10K' }): Promise<FreshNumber>
  /** Sets whether the number's app gets the `calls` field. */
  offerCallsField(number: FreshNumber, isOffered: boolean): Promise<void>
  expireToken(number: FreshNumber): Promise<void>
  /** The next request of the number with a path of this beginning fails. */
  failOnce(number: FreshNumber, edge: string, status: number, body: unknown): Promise<void>
  /**
   * Makes a callback that answers the challenge and accepts signed posts, and the changes that came to it, each once.
   */
  callback(
    number: FreshNumber,
  ): Promise<{ readonly url: string; readonly verifyToken: string; readonly changes: readonly OfficialChange[] }>
  events(changes: readonly OfficialChange[]): OfficialCallEvent[]
  accountEvents(changes: readonly OfficialChange[]): OfficialAccountEvent[]
  /**
   * Changes a template upstream, by its id: an `event` about its status, a `quality` and so on. Nothing is reviewed
   * without this.
   */
  turnTemplate(externalId: string, turn: Readonly<Record<string, unknown>>): Promise<void>
  /** Sets how far upstream lets the account's marketing messages in; null: it does not know the field. */
  onboard(number: FreshNumber, status: string | null): Promise<void>
  /** Gives the account an approved template without variables. */
  approve(number: FreshNumber, name: string, category: string): Promise<void>
  /** Gives the account this many approved templates, named `seeded_000001` and on. */
  seedTemplates(number: FreshNumber, count: number): Promise<void>
  /** Changes the status of a Flow upstream, which is told. */
  turnFlow(externalId: string, status: string): Promise<void>
  /** The next request for this part of the account, or for an object of it, takes effect and its answer is lost. */
  loseAnswerOnce(number: FreshNumber, method: string, edge: string, of?: string): Promise<void>
  /** Digits of a user who answers after ringing, and of one who declines. */
  readonly answeringUser: string
  readonly decliningUser: string
  /** Has a user write, by default `Hello`. */
  writeIn(
    number: FreshNumber,
    user: string,
    message?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly externalMessageId: string }>
  /** Has the business write to a user on its own phone. */
  echo(number: FreshNumber, user: string, text: string): Promise<void>
  messages(changes: readonly OfficialChange[]): OfficialMessageEvent[]
  /** Digits of users that no other story writes to: one who reads messages, and one without an account. */
  readonly readingUser: string
  readonly unknownUser: string
  /** The messages that reached a user, oldest first. */
  inbox(user: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  permit(
    number: FreshNumber,
    user: string,
    response: 'accept' | 'reject' | 'revoke',
    isPermanent?: boolean,
  ): Promise<void>
  callIn(number: FreshNumber, user: string): Promise<{ readonly externalCallId: string }>
  hangUp(externalCallId: string): Promise<void>
  offerSdp(): Promise<string>
  answerSdp(offer: string): Promise<string>
  close(): Promise<void>
}

export interface FreshNumber {
  readonly number: string
  readonly credentials: OfficialCredentials
}

/** The value of an outcome; throws when it is a refusal. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.error)}`)
  return outcome.value
}

/** The refusal of an outcome; null when there is none. */
export function refusalOf(outcome: Outcome<unknown>) {
  return outcome.ok ? null : outcome.error
}

/** The result of a write; throws unless it was done. */
export function doneBy<T>(write: UpstreamWrite<T>): T {
  if (write.kind !== 'done') throw new Error(`not done: ${JSON.stringify(write)}`)
  return write.value
}

/** The refusal of a write by the upstream; the write itself when it was not refused. */
export function noOf(write: UpstreamWrite<unknown>) {
  return write.kind === 'refused' ? write.no : write
}

/** A number with a session, and the events of it. */
export class Line {
  readonly number: FreshNumber
  readonly session: ProviderSession
  readonly states: ProviderEvent[] = []
  readonly told: () => OfficialCallEvent[]
  readonly messages: () => OfficialMessageEvent[]

  constructor(world: OfficialWorld, number: FreshNumber, changes: readonly OfficialChange[]) {
    this.number = number
    this.told = () => world.events(changes)
    this.messages = () => world.messages(changes)
    this.session = world.driver.openSession(
      {
        numberId: newId('num'),
        number: number.number,
        credentials: JSON.stringify(number.credentials),
        settings: DEFAULT_SETTINGS,
        historyImport: false,
        wantsStories: false,
        ackedSeq: 0,
      },
      (event) => void this.states.push(event),
    )
  }

  all<T extends OfficialCallEvent['type']>(type: T): Extract<OfficialCallEvent, { type: T }>[] {
    return this.told().filter((event): event is Extract<OfficialCallEvent, { type: T }> => event.type === type)
  }

  async first<T extends OfficialCallEvent['type']>(type: T): Promise<Extract<OfficialCallEvent, { type: T }>> {
    return until(`${type} is told`, () => this.all(type)[0])
  }
}

/** Events of received messages. */
export function received(line: Line) {
  return line.messages().filter((event) => event.type === 'messageReceived')
}

/** Statuses that were told of a message. */
export function statuses(line: Line, externalMessageId: string) {
  return line
    .messages()
    .filter((event) => event.type === 'messageStatus')
    .filter((event) => event.externalMessageId === externalMessageId)
}

/** A number that is subscribed and may call, with a session. */
export async function connected(t: ExecutionContext, world: OfficialWorld): Promise<Line> {
  const number = await world.freshNumber()
  const { url, verifyToken, changes } = await world.callback(number)
  valueOf(await world.officialOf(number.credentials).subscription.subscribe(url, verifyToken))
  t.is(valueOf(await world.officialOf(number.credentials).calling.enable()), 'ENABLED')
  const line = new Line(world, number, changes)
  t.teardown(() => line.session.close())
  return line
}

/** Declares one story of a suite, in a world of its own. */
export type Story = (name: string, run: (t: ExecutionContext, world: OfficialWorld) => Promise<void>) => void

/**
 * Makes `Story` for the suites beside this file, which test our client of the official platform. `title` names the
 * upstream.
 */
export function storiesOf(test: TestFn, title: string, start: () => Promise<OfficialWorld>): Story {
  return (name, run) => {
    test(`${title}: ${name}`, async (t) => {
      const world = await start()
      t.teardown(() => world.close())
      await run(t, world)
    })
  }
}
