import fc from 'fast-check'
import type { Account, AccountStage } from './account-stage.ts'
import { ENDS } from './held-requests.ts'
import type { End } from './held-requests.ts'
import type { Gateway } from './mortal-gateway.ts'

/** Some time passes with each thing that happens: an answer is waited for longer than that. */
const MOMENT_MS = 300

/** A world that is played on a stage. */
interface Played extends Pick<Account, 'settle' | 'list'> {
  readonly stage: AccountStage
}

export type Command<World extends Played> = fc.AsyncCommand<object, World>

/** Something that happens in a world. */
export interface Happening<World extends Played> {
  readonly text: string
  readonly run: (world: World) => unknown
}

/** Something happens, and a moment passes. */
export function command<World extends Played>({ text, run }: Happening<World>): Command<World> {
  return {
    check: () => true,
    async run(_, world) {
      await run(world)
      await world.stage.pass(MOMENT_MS)
      assertUnbroken(world)
    },
    toString: () => text,
  }
}

/** Throws what broke a promise. */
export function assertUnbroken({ stage: { broken } }: Played): void {
  if (broken.length > 0) throw new Error(broken.join('; '))
}

function nth<T>(list: readonly T[], at: number): T | undefined {
  return list[at % Math.max(1, list.length)]
}

const at = fc.nat(1)
/** One gateway, or both at once. */
const gateways = fc.constantFrom([0], [0], [1], [1], [0, 1])
/** The first one or the newest most often. */
const which = fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, { arbitrary: fc.nat(5), weight: 2 })
const end: fc.Arbitrary<End> = fc.oneof(
  { arbitrary: fc.constant<End>('answered'), weight: 3 },
  { arbitrary: fc.constantFrom(...ENDS), weight: 4 },
)
/** Ends of requests that follow each other. */
const ends = fc.array(end, { minLength: 2, maxLength: 4 })

async function endAll(stage: AccountStage, isNewest: boolean, hows: readonly End[]): Promise<void> {
  for (const how of hows) {
    stage.requests.end(stage.requests.open.at(isNewest ? -1 : 0), how)
    await stage.pass(MOMENT_MS)
  }
}

/** Something happens upstream while the answer to a request is under way, and is told before it comes. */
function overtaking<World extends Played>(happening: fc.Arbitrary<Happening<World>>): fc.Arbitrary<Happening<World>> {
  return fc.tuple(at, which, happening).map(([gateway, one, { text, run }]) => ({
    text: `${text}, told to gateway ${gateway} before request ${one} is answered`,
    async run(world) {
      const { stage } = world
      nth(stage.requests.open, one)?.take()
      await stage.pass(MOMENT_MS)
      const before = stage.news.length
      await run(world)
      if (stage.news.length > before) stage.tell(gateway, stage.news.at(-1))
    },
  }))
}

function times<T>(weight: number, one: T): T[] {
  return Array.from({ length: weight }, () => one)
}

/** Something that is done to one of the requests or news. */
function onOne<World extends Played>(
  what: string,
  run: (stage: AccountStage, one: number) => unknown,
): fc.Arbitrary<Happening<World>> {
  return which.map((one) => ({ text: `${one}: ${what}`, run: ({ stage }) => run(stage, one) }))
}

/** What becomes of requests that are out. */
function ofRequests<World extends Played>(): fc.Arbitrary<Happening<World>>[] {
  const one = fc.tuple(which, end).map(([request, how]) => ({
    text: `request ${request} ends: ${how}`,
    run: ({ stage: { requests } }: World) => requests.end(nth(requests.open, request), how),
  }))
  const several = fc.tuple(fc.boolean(), ends).map(([isNewest, hows]) => ({
    text: `requests end, the ${isNewest ? 'newest' : 'oldest'} first: ${hows.join(', ')}`,
    run: ({ stage }: World) => endAll(stage, isNewest, hows),
  }))
  const all = fc.constant({ text: 'all requests are answered', run: ({ stage }: World) => stage.answerAll() })
  return [
    ...times(3, one),
    ...times(3, several),
    ...times(2, all),
    onOne('the request is done', ({ requests }, at) => nth(requests.open, at)?.take()),
    onOne('the late request is done', ({ requests }, at) => requests.doLate(nth(requests.late, at))),
    onOne('the late request is lost', ({ requests }, at) => requests.lose(nth(requests.late, at))),
  ]
}

/** What becomes of news, gateways and time. */
function ofTheRest<World extends Played>(): fc.Arbitrary<Happening<World>>[] {
  const told = fc.tuple(at, which).map(([gateway, one]) => ({
    text: `gateway ${gateway} is told the news ${one} from the end`,
    run: ({ stage }: World) => stage.tell(gateway, stage.news[stage.news.length - 1 - one]),
  }))
  const crash = fc.tuple(at, fc.nat(3)).map(([gateway, calls]) => ({
    text: `gateway ${gateway} ends after ${calls} calls`,
    run: ({ stage }: World) => stage.gateway(gateway).endAfter(calls),
  }))
  const pause = fc.constantFrom(1_000, 12_000, 50_000, 100_000).map((ms) => ({
    text: `${ms} ms pass`,
    run: ({ stage }: World) => stage.pass(ms),
  }))
  const rest = fc.constant({ text: 'everything rests', run: ({ stage }: World) => stage.rest() })
  const lost = onOne<World>('the news from the end never come', (stage, one) =>
    stage.loseNews(stage.news[stage.news.length - 1 - one]),
  )
  return [...times(2, told), lost, crash, pause, rest]
}

/** What gateways do by themselves. */
function chores<World extends Played>(): fc.Arbitrary<Happening<World>>[] {
  const one = (what: string, run: (world: World, gateway: Gateway) => Promise<unknown>) =>
    gateways.map((all) => ({
      text: `gateway ${all.join(' and ')}: ${what}`,
      run(world: World) {
        for (const gateway of all) world.stage.run(what, () => run(world, world.stage.gateway(gateway)))
      },
    }))
  return [
    one('a listing', (world, gateway) => world.list(gateway)),
    one('a chore', (world, gateway) => world.settle(gateway)),
  ]
}

/** What happens whatever requests and news are about; `happening` is what upstream does by itself. */
export function surroundings<World extends Played>(
  happening: fc.Arbitrary<Happening<World>>,
): fc.Arbitrary<Command<World>>[] {
  return [
    ...ofRequests<World>(),
    ...times(2, happening),
    ...times(2, overtaking(happening)),
    ...ofTheRest<World>(),
    ...chores<World>(),
  ].map((one) => one.map((what) => command(what)))
}

/** Makes what clients or gateways do to one of several, so often among all that may happen. */
export function doing<World extends Played>(which: fc.Arbitrary<number>) {
  return <Word extends string>(
    weight: number,
    what: string,
    words: fc.Arbitrary<Word>,
    run: (world: World, gateway: number, which: number, word: Word) => unknown,
  ): fc.Arbitrary<Command<World>>[] =>
    times(
      weight,
      fc.tuple(gateways, which, words).map(([all, one, word]) =>
        command<World>({
          text: `gateway ${all.join(' and ')}: ${what} ${one} ${word}`,
          run: (world) => Promise.all(all.map((gateway) => run(world, gateway, one, word))),
        }),
      ),
    )
}

/** Makes what becomes of one of several upstream without the service. */
export function becoming<World extends Played>(which: fc.Arbitrary<number>) {
  return <Word extends string>(
    what: string,
    words: fc.Arbitrary<Word>,
    run: (world: World, which: number, word: Word) => unknown,
  ): fc.Arbitrary<Happening<World>> =>
    fc
      .tuple(which, words)
      .map(([one, word]) => ({ text: `${what} ${one}: ${word}`, run: (world) => run(world, one, word) }))
}
