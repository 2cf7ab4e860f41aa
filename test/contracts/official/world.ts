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

/** What the suite needs of an upstream beside our client: the hands that act on its far side. */
export interface OfficialWorld {
  readonly officialOf: OfficialOf
  readonly driver: ProviderDriver
  /** A number of an account of its own, calling not enabled. */
  freshNumber(fields?: { readonly tier?: 'TIER_250' | 'TIER_2K' }): Promise<FreshNumber>
  /** Whether the app of the number gets the `calls` field. */
  offerCallsField(number: FreshNumber, isOffered: boolean): Promise<void>
  expireToken(number: FreshNumber): Promise<void>
  /** Requests of the number whose path begins so fail once. */
  failOnce(number: FreshNumber, edge: string, status: number, body: unknown): Promise<void>
  /** A callback that answers the challenge and takes signed posts, and what came to it, each change once. */
  callback(
    number: FreshNumber,
  ): Promise<{ readonly url: string; readonly verifyToken: string; readonly changes: readonly OfficialChange[] }>
  events(changes: readonly OfficialChange[]): OfficialCallEvent[]
  accountEvents(changes: readonly OfficialChange[]): OfficialAccountEvent[]
  /**
   * What upstream makes of a template, by its id: an `event` about its status, a `quality`, ... Nothing is reviewed by
   * itself.
   */
  turnTemplate(externalId: string, turn: Readonly<Record<string, unknown>>): Promise<void>
  /** Gives the account so many approved templates, called `seeded_000001` and on. */
  seedTemplates(number: FreshNumber, count: number): Promise<void>
  /** Upstream puts a Flow into another status, and tells. */
  turnFlow(externalId: string, status: string): Promise<void>
  /** The next request of the account so, or of an object of it, is done, and its answer lost. */
  loseAnswerOnce(number: FreshNumber, method: string, edge: string, of?: string): Promise<void>
  /** Digits of a user who answers after ringing, and of one who declines. */
  readonly answeringUser: string
  readonly decliningUser: string
  /** A user writes: `Hello`, or what is given. */
  writeIn(
    number: FreshNumber,
    user: string,
    message?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly externalMessageId: string }>
  /** The business writes to a user on its own phone. */
  echo(number: FreshNumber, user: string, text: string): Promise<void>
  messages(changes: readonly OfficialChange[]): OfficialMessageEvent[]
  /**
   * Digits of users not written to by any other story: one who reads what comes, and one whose number has no account.
   */
  readonly readingUser: string
  readonly unknownUser: string
  /** What reached a user, oldest first. */
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

/** The value of an outcome that is to be good. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.error)}`)
  return outcome.value
}

/** The refusal of an outcome, null when it is none. */
export function refusalOf(outcome: Outcome<unknown>) {
  return outcome.ok ? null : outcome.error
}

/** What a write that is to be done made. */
export function doneBy<T>(write: UpstreamWrite<T>): T {
  if (write.kind !== 'done') throw new Error(`not done: ${JSON.stringify(write)}`)
  return write.value
}

/** What upstream said no with; the write itself where it did not. */
export function noOf(write: UpstreamWrite<unknown>) {
  return write.kind === 'refused' ? write.no : write
}

/** A number with a session over it, and what is told of it. */
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

/** Messages told as received. */
export function received(line: Line) {
  return line.messages().filter((event) => event.type === 'messageReceived')
}

/** Statuses told of a message. */
export function statuses(line: Line, externalMessageId: string) {
  return line
    .messages()
    .filter((event) => event.type === 'messageStatus')
    .filter((event) => event.externalMessageId === externalMessageId)
}

/** A number that is subscribed and may call, with a session over it. */
export async function connected(t: ExecutionContext, world: OfficialWorld): Promise<Line> {
  const number = await world.freshNumber()
  const { url, verifyToken, changes } = await world.callback(number)
  valueOf(await world.officialOf(number.credentials).subscription.subscribe(url, verifyToken))
  t.is(valueOf(await world.officialOf(number.credentials).calling.enable()), 'ENABLED')
  const line = new Line(world, number, changes)
  t.teardown(() => line.session.close())
  return line
}

/** One story of a suite, in a world of its own. */
export type Story = (name: string, run: (t: ExecutionContext, world: OfficialWorld) => Promise<void>) => void

/**
 * Tells the stories of the suites beside this file about our client of the official platform. `title` names the
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
