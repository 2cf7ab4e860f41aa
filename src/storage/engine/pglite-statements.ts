import { parse, type PGlite, protocol } from '@electric-sql/pglite'
import type { PgliteRequest, PgliteRows } from './pglite-protocol.ts'

/** The types of a statement's parameters, which say how values are written. */
type ParameterTypes = readonly number[]

/** Our choice: texts whose parameters are known at a time. A gateway asks some hundreds of different ones. */
const MOST_TEXTS = 2_000

const { serialize } = protocol
const SYNC = serialize.sync()
const BEGIN = [serialize.parse({ text: 'begin' }), serialize.bind(), serialize.execute({})]

/**
 * What the embedded database is asked, by the extended protocol of PostgreSQL ("Extended Query" of its documentation).
 * All messages of a statement go to it at once: the library's own `query` makes six turns of each, of which an answer
 * of one row costs twice as much (measured: 0.28 ms, at once 0.15 ms). A statement with a name is parsed and planned
 * once, which of a long one costs more than running it (measured: accepting 16 sends 4.4 ms, prepared 1.9 ms). For a
 * caller that asks one thing at a time.
 */
export class Statements {
  readonly #database: PGlite
  readonly #named = new Map<string, ParameterTypes>()
  readonly #known = new Map<string, ParameterTypes>()

  constructor(database: PGlite) {
    this.#database = database
  }

  /** Throws the database's error, of parsing too: then nothing is kept. */
  async query({ sql, params, name, opens = false }: Omit<PgliteRequest, 'id' | 'op'>): Promise<PgliteRows> {
    const begin = opens ? BEGIN : []
    const known = name === undefined ? this.#typesOf(sql, params) : this.#named.get(name)
    const types = known ?? (await this.#describe(begin, sql, name))
    const isParsed = name !== undefined || known === undefined
    const answered = await this.#send([
      ...(known === undefined ? [] : begin),
      ...(isParsed ? [] : [serialize.parse({ text: sql })]),
      serialize.bind({ statement: name ?? '', values: params.map((value, at) => this.#text(value, types[at])) }),
      serialize.describe({ type: 'P' }),
      serialize.execute({}),
    ])
    const result = parse.parseResults(answered, this.#database.parsers).at(-1)
    return { rows: (result?.rows ?? []) as Record<string, unknown>[], affectedRows: result?.affectedRows ?? 0 }
  }

  /** Several statements in one text, which may change what the types of others are. */
  forget(): void {
    this.#known.clear()
  }

  /** Undefined: not known yet. */
  #typesOf(sql: string, params: readonly unknown[]): ParameterTypes | undefined {
    return params.length === 0 ? [] : this.#known.get(sql)
  }

  async #describe(begin: readonly Uint8Array[], sql: string, name: string | undefined): Promise<ParameterTypes> {
    const answered = await this.#send([
      ...begin,
      serialize.parse({ name: name ?? '', text: sql }),
      serialize.describe({ type: 'S', name: name ?? '' }),
    ])
    const types = parse.parseDescribeStatementResults(answered)
    if (name !== undefined) this.#named.set(name, types)
    else {
      if (this.#known.size >= MOST_TEXTS) this.#known.clear()
      this.#known.set(sql, types)
    }
    return types
  }

  /** The sync ends a statement's own transaction: by commit, or by what follows an error. */
  async #send(messages: readonly Uint8Array[]): Promise<Awaited<ReturnType<PGlite['execProtocol']>>['messages']> {
    const { messages: answered } = await this.#database.execProtocol(Buffer.concat([...messages, SYNC]))
    return answered
  }

  #text(value: unknown, type = 0): string | null {
    if (value === null || value === undefined) return null
    const write = this.#database.serializers[type]
    return write ? write(value) : String(value)
  }
}
