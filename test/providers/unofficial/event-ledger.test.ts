import test from 'ava'
import * as fc from 'fast-check'
import { EventLedger } from '../../../src/providers/unofficial/event-ledger.ts'
import type { EngineEvent } from '../../../src/providers/unofficial/events.ts'

interface Emitted {
  readonly id: number
  readonly seq: number
  readonly event: EngineEvent
}

/** An engine, a ledger and a listener in one thread, whose acknowledgements may get lost. */
class Model {
  readonly ledger = new EventLedger()
  readonly tellings = new Map<number, number>()
  readonly settled = new Set<number>()
  readonly open: { ticket: number; id: number }[] = []
  kept: Emitted[] = []
  faults: string[] = []
  #seq = 0
  #lastId = 0
  #lastTicket = 0
  #acksUnderWay: number[] = []

  emit(kind: 'call' | 'open' | 'connecting'): void {
    const id = ++this.#lastId
    const event: EngineEvent =
      kind === 'call'
        ? { type: 'callRinging', externalCallId: `c${id}` }
        : { type: 'state', state: kind === 'open' ? 'OPEN' : 'CONNECTING', reason: null }
    const emitted = { id, seq: ++this.#seq, event }
    this.kept.push(emitted)
    this.#arrive(emitted)
  }

  settle(pick: number): void {
    const [done] = this.open.splice(pick % Math.max(1, this.open.length), 1)
    if (!done) return
    this.settled.add(done.id)
    this.ledger.settle(done.ticket)
    this.#takeAck()
  }

  deliverAcks(): void {
    for (const ack of this.#acksUnderWay) {
      const forgotten = this.kept.filter(({ seq }) => seq <= ack)
      if (ack > this.#seq) this.faults.push(`acknowledged ${ack} of ${this.#seq}`)
      if (forgotten.some(({ id }) => !this.settled.has(id)))
        this.faults.push('an event was forgotten before it was settled')
      this.kept = this.kept.filter(({ seq }) => seq > ack)
    }
    this.#acksUnderWay = []
  }

  drop(): void {
    this.#acksUnderWay = []
    this.ledger.connected()
    for (const emitted of this.kept) this.#arrive(emitted)
  }

  restart(): void {
    this.#seq = 0
    this.kept = []
    this.drop()
  }

  #arrive({ id, seq, event }: Emitted): void {
    const ticket = this.ledger.arrive(seq, event, JSON.stringify(event))
    if (ticket !== null) {
      if (ticket <= this.#lastTicket) this.faults.push('tickets do not rise')
      this.#lastTicket = ticket
      this.tellings.set(id, (this.tellings.get(id) ?? 0) + 1)
      this.open.push({ ticket, id })
      if (event.type !== 'state' && this.tellings.get(id) !== 1) this.faults.push('a call event was told twice')
    } else if (!this.tellings.has(id)) {
      this.faults.push('an event was never told')
    }
    this.#takeAck()
  }

  #takeAck(): void {
    const ack = this.ledger.takeAck()
    if (ack !== null) this.#acksUnderWay.push(ack)
  }
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .constantFrom('call', 'open', 'connecting')
      .map((kind) => (model: Model) => model.emit(kind as 'call' | 'open' | 'connecting')),
  },
  { weight: 5, arbitrary: fc.nat(20).map((pick) => (model: Model) => model.settle(pick)) },
  { weight: 3, arbitrary: fc.constant((model: Model) => model.deliverAcks()) },
  { weight: 2, arbitrary: fc.constant((model: Model) => model.drop()) },
  { weight: 1, arbitrary: fc.constant((model: Model) => model.restart()) },
)

test('whatever breaks, every event is told, none is forgotten before it is settled, and all are acknowledged in the end', (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const model = new Model()
      for (const run of steps) run(model)
      // Nothing is lost any more: the engine sends what was lost again, the listener settles it, and the engine forgets
      // it.
      for (let round = 0; round < 2; round++) {
        model.drop()
        while (model.open.length > 0) model.settle(0)
        model.deliverAcks()
      }
      return model.faults.length === 0 && model.kept.length === 0
    }),
    { numRuns: 500 },
  )
  t.pass()
})

test('memory of what was told stays bounded, and of idle numbers more so', (t) => {
  const ledger = new EventLedger()
  const event: EngineEvent = { type: 'callRinging', externalCallId: 'c' }
  const tell = (seq: number): number | null => {
    const ticket = ledger.arrive(seq, event, `f${seq}`)
    if (ticket !== null) ledger.settle(ticket)
    return ticket
  }
  for (let seq = 1; seq <= 2_000; seq++) tell(seq)
  ledger.connected()
  t.is(tell(2_000), null)
  t.is(tell(1_900), null)
  t.not(tell(1_000), null, 'forgotten, so told again')
  ledger.idle()
  ledger.connected()
  t.not(tell(1_901), null)
})

test('an event that is not settled is never forgotten', (t) => {
  const ledger = new EventLedger()
  const event: EngineEvent = { type: 'callRinging', externalCallId: 'c' }
  t.is(ledger.arrive(1, event, 'first'), 1)
  for (let seq = 2; seq <= 2_000; seq++) {
    const ticket = ledger.arrive(seq, event, `f${seq}`)
    if (ticket !== null) ledger.settle(ticket)
  }
  ledger.connected()
  t.is(ledger.arrive(1, event, 'first'), null)
  t.is(ledger.takeAck(), null)
  ledger.settle(1)
  t.is(ledger.takeAck(), 1)
})

test('a settled CLOSE is withheld only where it leads a connection', (t) => {
  const ledger = new EventLedger()
  const connecting: EngineEvent = { type: 'state', state: 'CONNECTING', reason: null }
  const close: EngineEvent = { type: 'state', state: 'CLOSE', reason: 'qr_expired' }
  const tell = (seq: number, event: EngineEvent): number | null => {
    const ticket = ledger.arrive(seq, event, JSON.stringify(event))
    if (ticket !== null) ledger.settle(ticket)
    return ticket
  }
  t.is(tell(1, connecting), 1)
  t.is(tell(2, close), 2)
  ledger.connected()
  t.is(tell(2, close), null, 'its acknowledgement got lost')
  t.is(ledger.takeAck(), 2)
  ledger.connected()
  t.is(tell(1, connecting), 3, 'the engine restarted')
  t.is(tell(2, close), 4, 'and this is its own end')
})
