import { parse, type PGlite, protocol } from '@electric-sql/pglite'
import type { PgliteRequest, PgliteRows } from './pglite-protocol.ts'

/** The types of a statement's parameters, which say how values are written. */
type ParameterTypes = readonly number[]

/** Our choice: most texts whose parameter types are kept. A gateway has some hundreds. */
const MOST_TEXTS = 2_000

const { serialize } = protocol
const SYNC = serialize.sync()
const BEGIN = [serialize.parse({ text: 'begin' }), serialize.bind(), serialize.execute({})]

/**
 * Runs statements on the embedded database by the extended protocol of PostgreSQL ("Extended Query" of its
 * documentation). All messages of a statement are sent at once: the library's own `query` takes six turns for each,
 * which makes an answer of one row cost twice as much (measured: 0.28 ms, at once 0.15 ms). A statement with a name is
 * parsed and planned once, which for a long one costs more than running it (measured: accepting 16 sends 4.4 ms,
 * prepared 1.9 ms). The caller must ask one thing at a time.
 */
export class Statements {
  readonly #database: PGlite
  readonly #named = new Map<string, ParameterTypes>()
  readonly #known = new Map<string, ParameterTypes>()

  constructor(database: PGlite) {
    this.#database = database
  }

  /** Throws the database's error; after an error of parsing nothing is kept. */
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

  /** Forgets the types of parameters. Called after a script, which may have changed them. */
  forget(): void {
    this.#known.clear()
  }

  /** Types of a text's parameters; undefined when they are not known yet. */
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

  /**
   * Sends messages and a sync, which ends a statement's own transaction: by a commit, or by a rollback after an error.
   */
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
