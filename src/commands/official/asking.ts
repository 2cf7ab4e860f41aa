import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { Clock } from '../../ports/clock.ts'

/**
 * Our choice: so long a request of a template or a Flow may take, uploads and look-ups included; then others may ask
 * what became of it.
 */
export const ASK_MS = 90_000

/** Upstream is asked about the row no more. */
export const SETTLED = { ask: null, askedUntil: null, askTries: 0 } as const

interface AskPatch<Ask> {
  readonly ask?: Ask | null
  readonly askedUntil?: Date | null
  readonly askTries?: number
}

type AskFate<Ask> = { readonly kind: 'KEEP' } | { readonly kind: 'CHANGE'; readonly patch: AskPatch<Ask> }

/**
 * Rows that upstream is asked about: the ask is stored before the request leaves, and stays in doubt until it is
 * settled.
 */
export interface AskedRows<Row, Id, Ask, Fate> {
  /** Decides and writes while the row is locked; null: it is gone. */
  change(
    id: Id,
    decide: (row: Row) => Fate | AskFate<Ask>,
  ): Promise<{ readonly row: Row; readonly isRemoved: boolean } | null>
  readonly clock: Pick<Clock, 'now'>
}

/** The steps of asking upstream about rows of one kind. `gone`: the refusal of a row that is no more. */
export function askingOf<Ports, Row extends { readonly id: Id }, Id, Ask, Fate>(
  rowsOf: (ports: Ports) => AskedRows<Row, Id, Ask, Fate>,
  gone: Refusal,
) {
  const write = (ports: Ports, { id }: Row, patchOf: (nowMs: number) => AskPatch<Ask>) => {
    const rows = rowsOf(ports)
    return rows.change(id, () => ({ kind: 'CHANGE', patch: patchOf(rows.clock.now()) }))
  }
  return {
    /**
     * Stores what upstream is about to be asked. Refusal: what `refusalOf` says of the row as it is now, or it is gone.
     */
    async beginAsk(
      ports: Ports,
      { id }: Row,
      ask: Ask,
      refusalOf: (row: Row) => Refusal | null,
    ): Promise<Outcome<Row>> {
      let refusal: Refusal | null = null
      const { change, clock } = rowsOf(ports)
      const begun = await change(id, (row) => {
        refusal = refusalOf(row)
        return refusal
          ? { kind: 'KEEP' }
          : { kind: 'CHANGE', patch: { ask, askedUntil: new Date(clock.now() + ASK_MS), askTries: 0 } }
      })
      return begun && !refusal ? succeed(begun.row) : fail(refusal ?? gone)
    },

    /** Whoever asked goes on asking alone. */
    async holdOn(ports: Ports, row: Row): Promise<void> {
      await write(ports, row, (nowMs) => ({ askedUntil: new Date(nowMs + ASK_MS) }))
    },

    /** Stores what came of it. Refusal: an event of its deletion, or the removal of the account, was faster. */
    async settleWith(ports: Ports, { id }: Row, decide: (row: Row) => Fate): Promise<Outcome<Row>> {
      const settled = await rowsOf(ports).change(id, decide)
      return settled && !settled.isRemoved ? succeed(settled.row) : fail(gone)
    },

    /** Nothing came of it: the row is as it was. */
    async letBe(ports: Ports, row: Row, refusal: Refusal): Promise<Outcome<never>> {
      await write(ports, row, () => SETTLED)
      return fail(refusal)
    },

    /** Nobody knows what came of it: from now on anybody may find out. */
    async inDoubt(ports: Ports, row: Row, refusal: Refusal): Promise<Outcome<never>> {
      await write(ports, row, (nowMs) => ({ askedUntil: new Date(nowMs) }))
      return fail(refusal)
    },
  }
}
