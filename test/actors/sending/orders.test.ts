import test from 'ava'
import fc from 'fast-check'
import type { ProviderKind } from '../../../src/domain/number.ts'
import type { SendResult } from '../../../src/ports/provider.ts'
import type { QueuedMessage } from '../../../src/ports/stores/send-queue.ts'
import { ordersOf } from '../../helpers/orders.ts'
import { counted } from '../../helpers/size.ts'
import { FAULT, head, SendingTable, SENT, throttledBy, UNKNOWN, UNSENT } from './table.ts'

const PEOPLE = ['1', '2', '3'] as const
const MINUTE_MS = 60_000

/** A message as its row has it, and whether upstream took it. */
interface Row {
  readonly message: QueuedMessage
  status: 'QUEUED' | 'SENT' | 'FAILED'
  attempts: number
  /** Upstream was asked without a stored outcome. */
  isInDoubt: boolean
  isTaken: boolean
}

/** How what is under way ends: by upstream, and by the store. */
interface Outcome {
  readonly result: SendResult
  readonly isTaken: boolean
  readonly isDone: boolean
}

/** The rows of a number and upstream, beside the one who sends; it may be another one after a crash. */
class World {
  readonly rows: Row[] = []
  readonly #kind: ProviderKind
  table: SendingTable

  constructor(kind: ProviderKind) {
    this.#kind = kind
    this.table = new SendingTable(kind)
  }

  crash(): void {
    const { nowMs } = this.table
    this.table = new SendingTable(this.#kind)
    this.table.nowMs = nowMs
    this.table.wake()
  }

  /** The first message of a person that is not sent. */
  first(address: string): Row | undefined {
    return this.rows.find(({ message, status }) => message.to.address === address && status === 'QUEUED')
  }

  /** The row of what is in hand for a person, in this phase. */
  inHand(address: string, at: string): Row | null {
    const hand = this.table.state.hands.get(`conv_${address}`)
    if (hand?.phase.at !== at || (hand.phase.at === 'SETTLING' && hand.phase.retryMs !== null)) return null
    return this.rows.find(({ message }) => message.id === hand.message.id) ?? null
  }

  look(): void {
    const { reading } = this.table.state.look
    if (!reading) return
    const heads = PEOPLE.flatMap((address) => {
      const row = this.first(address)
      if (!row || this.table.holds(address)) return []
      const { message, attempts, isInDoubt } = row
      return [{ ...message, attempts, attemptedAt: isInDoubt ? new Date(0) : null }]
    })
    this.table.say({ type: 'HeadsRead', attempt: reading.attempt, heads })
  }

  begin(address: string, isDone: boolean): void {
    const row = this.inHand(address, 'BEGINNING')
    if (!row) return
    if (isDone && row.status === 'QUEUED') Object.assign(row, { attempts: row.attempts + 1, isInDoubt: true })
    this.table.begun(address, isDone ? (row.status === 'QUEUED' ? 'applied' : 'moved') : 'failed')
  }

  answer(address: string, result: SendResult, isTaken: boolean): void {
    const row = this.inHand(address, 'SENDING')
    if (!row) return
    row.isTaken ||= isTaken
    this.table.answer(address, result)
  }

  settle(address: string, isDone: boolean): void {
    const row = this.inHand(address, 'SETTLING')
    const phase = this.table.hand(address).phase
    if (!row || phase.at !== 'SETTLING') return
    const { kind } = phase.settlement
    if (isDone && row.status === 'QUEUED') {
      if (kind === 'again' || kind === 'held') row.isInDoubt = false
      else row.status = kind === 'sent' ? 'SENT' : 'FAILED'
    }
    this.table.settled(address, isDone ? 'applied' : 'failed')
  }

  /** What is under way for a person comes to its next outcome. */
  goOn(address: string, { result, isTaken, isDone }: Outcome): void {
    this.look()
    const at = this.table.state.hands.get(`conv_${address}`)?.phase.at
    if (at === 'BEGINNING') this.begin(address, isDone)
    if (at === 'SENDING') this.answer(address, result, isTaken)
    if (at === 'SETTLING') this.settle(address, isDone)
  }

  /** A status tells what became of a message that upstream took. */
  name(address: string): void {
    const row = this.first(address)
    if (!row?.isTaken) return
    row.status = 'SENT'
    this.table.say({ type: 'Named', messageId: row.message.id })
  }

  /** Everything answers, until nothing is left to do. */
  finish(): void {
    this.table.wake()
    for (let turns = 0; turns < 200 && this.rows.some(({ status }) => status === 'QUEUED'); turns++) {
      for (const address of PEOPLE) this.goOn(address, { result: SENT, isTaken: true, isDone: true })
      this.table.pass(MINUTE_MS)
      this.table.wake()
    }
  }
}

const command = ordersOf<World>(assertHolds)

function assertHolds({ rows, table }: World): void {
  const out = [...table.state.hands.values()].filter(({ phase }) => phase.at === 'BEGINNING' || phase.at === 'SENDING')
  if (out.length > table.state.rules.inFlight) throw new Error(`${out.length} messages are with upstream`)
  for (const { message, status, isTaken, isInDoubt } of rows)
    if (status === 'QUEUED' && isTaken && !isInDoubt)
      throw new Error(`${message.to.address} has a message that upstream took, and its row does not say so`)
  for (const { message } of table.state.hands.values()) {
    const before = rows.find(({ message: { to }, status }) => to.address === message.to.address && status === 'QUEUED')
    const own = rows.find((row) => row.message.id === message.id)
    if (own?.status === 'QUEUED' && before !== own) throw new Error('a message goes before an earlier one')
  }
}

const RESULTS: readonly (readonly [SendResult, boolean])[] = [
  [SENT, true],
  [UNKNOWN, true],
  [UNKNOWN, false],
  [UNSENT, false],
  [throttledBy('pair', 2_000), false],
  [throttledBy('number', 2_000), false],
  [{ kind: 'refused', failure: FAULT }, false],
]
const person = fc.constantFrom(...PEOPLE)
const goingOn = fc
  .tuple(person, fc.constantFrom(...RESULTS), fc.integer({ min: 0, max: 9 }))
  .map(([address, [result, isTaken], luck]) =>
    command(`${address} goes on, ${result.kind}, ${isTaken ? '' : 'not '}taken, ${luck}`, (world) =>
      world.goOn(address, { result, isTaken, isDone: luck > 0 }),
    ),
  )
/** So many of the commands let what is under way go on, for one of each other kind. */
const GOING_ON = 8
const commands = fc.commands(
  [
    person.map((address) =>
      command(`a message to ${address}`, ({ rows, table }) => {
        rows.push({ message: head(address), status: 'QUEUED', attempts: 0, isInDoubt: false, isTaken: false })
        table.wake()
      }),
    ),
    ...Array.from({ length: GOING_ON }, () => goingOn),
    person.map((address) => command(`a status for ${address}`, (world) => world.name(address))),
    fc.constantFrom(100, 5_000, MINUTE_MS).map((ms) => command(`${ms} ms pass`, ({ table }) => table.pass(ms))),
    fc.constant(command('the session ends', ({ table }) => table.say({ type: 'Shut' }))),
    fc.constant(command('the session opens', ({ table }) => table.wake())),
    fc.constant(command('another one sends', (world) => world.crash())),
  ],
  { maxCommands: 80, size: 'max' },
)

for (const kind of ['UNOFFICIAL', 'OFFICIAL'] as const)
  test(`${kind}: in whatever order things happen, what upstream may have is in doubt in its row, a conversation keeps its order, and all ends`, (t) => {
    fc.assert(
      fc.property(commands, (all) => {
        const world = new World(kind)
        world.table.wake()
        fc.modelRun(() => ({ model: world, real: world }), all)
        world.finish()
        return world.rows.every(({ status }) => status !== 'QUEUED')
      }),
      { numRuns: counted(2_000, 200) },
    )
    t.pass()
  })
