import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { Clock } from '../../ports/clock.ts'

/**
 * Our choice: a request about a template or a Flow may take so long, uploads and look-ups included; then others may
 * find out what became of it.
 */
export const ASK_MS = 90_000

/** The refusal while an earlier request without an answer may still take effect. */
export const NO_ANSWER: Refusal = refuse('OFFICIAL_ERROR', 'The official platform did not answer.', {
  upstreamCode: null,
  upstreamMessage: 'no answer',
})

/** The patch of a row that upstream is no longer asked about. */
export const SETTLED = { ask: null, askedUntil: null, askTries: 0 } as const

interface AskPatch<Ask> {
  readonly ask?: Ask | null
  readonly askedUntil?: Date | null
  readonly askTries?: number
}

type AskFate<Ask> = { readonly kind: 'KEEP' } | { readonly kind: 'CHANGE'; readonly patch: AskPatch<Ask> }

/**
 * Rows that upstream is asked about. The ask is stored before the request leaves, and stays in doubt until it is
 * settled.
 */
export interface AskedRows<Row, Id, Ask, Fate> {
  /** Decides and writes while the row is locked; answers null when the row is gone. */
  change(
    id: Id,
    decide: (row: Row) => Fate | AskFate<Ask>,
  ): Promise<{ readonly row: Row; readonly isRemoved: boolean } | null>
  readonly clock: Pick<Clock, 'now'>
}

/** Makes the steps of asking upstream about rows of one kind. `gone`: the refusal for a row that no longer exists. */
export function askingOf<Ports, Row extends { readonly id: Id }, Id, Ask, Fate>(
  rowsOf: (ports: Ports) => AskedRows<Row, Id, Ask, Fate>,
  gone: Refusal,
) {
  const write = (ports: Ports, { id }: Row, patchOf: (nowMs: number) => AskPatch<Ask>) => {
    const rows = rowsOf(ports)
    return rows.change(id, () => ({ kind: 'CHANGE', patch: patchOf(rows.clock.now()) }))
  }
  return {
    /** Stores what upstream is about to be asked. Refusals: what `refusalOf` says of the row as it is now; `gone`. */
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

    /** Gives the caller more time, so that nobody else asks about the row. */
    async holdOn(ports: Ports, row: Row): Promise<void> {
      await write(ports, row, (nowMs) => ({ askedUntil: new Date(nowMs + ASK_MS) }))
    },

    /**
     * Stores what came of it. Refusal: `gone` when an event of its deletion, or the removal of the account, was faster.
     */
    async settleWith(ports: Ports, { id }: Row, decide: (row: Row) => Fate): Promise<Outcome<Row>> {
      const settled = await rowsOf(ports).change(id, decide)
      return settled && !settled.isRemoved ? succeed(settled.row) : fail(gone)
    },

    /** Settles the row as it was, because nothing came of the request. */
    async letBe(ports: Ports, row: Row, refusal: Refusal): Promise<Outcome<never>> {
      await write(ports, row, () => SETTLED)
      return fail(refusal)
    },

    /** Leaves the row in doubt: from now on anybody may find out what became of the request. */
    async inDoubt(ports: Ports, row: Row, refusal: Refusal): Promise<Outcome<never>> {
      await write(ports, row, (nowMs) => ({ askedUntil: new Date(nowMs) }))
      return fail(refusal)
    },
  }
}
