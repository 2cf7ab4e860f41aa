import type { NumberCommands } from '../../../commands/numbers/numbers.ts'
import type { Caller } from '../../../domain/caller.ts'
import type { NumberId } from '../../../domain/ids.ts'
import type { ChannelNumber } from '../../../domain/number.ts'
import { route } from '../../request/route.ts'
import type { Answer, Route } from '../../request/route.ts'
import { PAGE_CODES, pageOf } from '../paging.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

/** our choice: numbers read at a time for a list without pages, some 500 KB. */
const PIECE = 500

/**
 * `GET /v1/numbers`: a bare array ([numbers.routes.2]) of all numbers, or of a page. A page says in `x-total-count` how
 * many numbers there are; our choice.
 */
export function list(numbers: NumberCommands): Route {
  return route({
    method: 'get',
    path: '/v1/numbers',
    name: 'listNumbers',
    group: 'Numbers',
    access: { by: ['key', 'grant', 'session'], of: 'numbers' },
    permission: 'numbers:read',
    summary: 'List the numbers of the tenant, oldest first',
    description:
      'All of them, or with `page` or `pageSize` those of that page, and in `x-total-count` how many there are.',
    query: schema.listQuery,
    queryCodes: PAGE_CODES,
    queryExample: 'page=1&pageSize=100',
    answer: {
      status: 200,
      description: 'The numbers, of a grant those that it is for; with `x-channel-number-id` that one alone',
      schema: schema.number.array(),
      example: example.LIST,
    },
    async handle({ caller, narrowedTo, query }) {
      const { tenantId } = caller
      const among = idsOf(caller, narrowedTo)
      if (query.page !== undefined || query.pageSize !== undefined) {
        const { page, pageSize } = pageOf(query)
        const [some, total] = await Promise.all([
          numbers.listSome(tenantId, among, { limit: pageSize, offset: (page - 1) * pageSize }),
          numbers.count(tenantId, among),
        ])
        return { status: 200, body: some.map(present.presentNumber), headers: { 'x-total-count': String(total) } }
      }
      return await answerAll(
        (after) => numbers.listSome(tenantId, among, { limit: PIECE, after }),
        () => numbers.count(tenantId, among),
      )
    },
  })
}

/** The numbers that a caller may see and asks for; null when that is all of the tenant. */
function idsOf({ reach }: Caller, narrowedTo: NumberId | null): readonly NumberId[] | null {
  if (reach.at === 'tenant') return narrowedTo === null ? null : [narrowedTo]
  const ids = reach.at === 'numbers' ? reach.numberIds : reach.at === 'number' ? [reach.number.id] : []
  return narrowedTo === null ? ids : ids.filter((id) => id === narrowedTo)
}

type ReadOn = (after: ChannelNumber | null) => Promise<readonly ChannelNumber[]>

/**
 * Answers a list without pages. The first piece is read before the answer begins, so that a failure is answered as
 * usual, and the size of all pieces is known.
 */
async function answerAll(readOn: ReadOn, countAll: () => Promise<number>): Promise<Answer> {
  const first = await readOn(null)
  if (first.length < PIECE) return { status: 200, body: first.map(present.presentNumber) }
  const text = textOf(first)
  return {
    status: 200,
    body: null,
    pieces: { texts: piecesFrom(text, first, readOn), bytes: (Buffer.byteLength(text) / PIECE) * (await countAll()) },
  }
}

async function* piecesFrom(firstText: string, first: readonly ChannelNumber[], readOn: ReadOn): AsyncGenerator<string> {
  yield `[${firstText}`
  for (let piece = await readOn(first.at(-1) ?? null); piece.length > 0; piece = await readOn(piece.at(-1) ?? null))
    yield `,${textOf(piece)}`
  yield ']'
}

function textOf(numbers: readonly ChannelNumber[]): string {
  return numbers.map((number) => JSON.stringify(present.presentNumber(number))).join(',')
}
