import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { z } from 'zod'
import { kindOf } from '../../src/domain/kinds/kinds.ts'
import { MODE_FIELDS, MODE_NEEDS } from '../../src/domain/send-modes.ts'
import { sendInput } from '../../src/http/routes/messages/send-schema.ts'
import { ROOT } from '../arch/source-files.ts'

/** Names of fields, each with those inside it; null where the document does not say. */
interface Named {
  readonly [name: string]: Named | null
}

/** Reads `a {b, c [{d}]}, e` as names; stops at the end of the braces. */
function namesIn(text: string): Named {
  let at = 0
  const read = (): Named => {
    const names: Record<string, Named | null> = {}
    for (;;) {
      const [all = '', name = '', opens] = /^[\s,]*(\w+):?\s*(\[?\{)?/.exec(text.slice(at)) ?? []
      if (name === '') return names
      at += all.length
      names[name] = opens ? read() : null
      if (opens) at += /^\}\]?/.exec(text.slice(at))?.[0].length ?? 0
      if (/^\s*\}/.test(text.slice(at))) return names
    }
  }
  return read()
}

const [, TABLE = ''] = /### Modes\n\n([^]*?)\n\n/.exec(readFileSync(join(ROOT, 'docs/messages.md'), 'utf8')) ?? []
const ROWS = TABLE.split('\n')
  .slice(2)
  .map((line) => {
    const [, mode = '', fields = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    const named = Object.assign(
      {},
      ...[...fields.matchAll(/`([^`]+)`/g)].map(([, code = '']) => namesIn(code)),
    ) as Named
    return { field: mode === 'template' ? 'templateId' : mode, fields, named }
  })

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly $ref?: string
}
const DOCUMENT = z.toJSONSchema(sendInput, { io: 'input', unrepresentable: 'any' }) as Schema & {
  readonly $defs?: Readonly<Record<string, Schema>>
}

function inside(schema: Schema | undefined): Readonly<Record<string, Schema>> {
  if (!schema) return {}
  const named = schema.$ref ? DOCUMENT.$defs?.[schema.$ref.replace('#/$defs/', '')] : undefined
  const parts = [named, schema.items, ...(schema.anyOf ?? [])].filter((part) => part !== undefined)
  return schema.properties ?? (Object.assign({}, ...parts.map(inside)) as Readonly<Record<string, Schema>>)
}

/** What of the code's fields and the document's differs, as dotted paths. */
function differences(named: Named, schema: Readonly<Record<string, Schema>>, path: string): string[] {
  const missing = Object.keys(schema).filter((name) => !Object.hasOwn(named, name))
  return [
    ...missing.map((name) => `not documented: ${path}${name}`),
    ...Object.entries(named).flatMap(([name, within]) => {
      if (!Object.hasOwn(schema, name)) return [`not in the code: ${path}${name}`]
      return within === null ? [] : differences(within, inside(schema[name]), `${path}${name}.`)
    }),
  ]
}

test('the documented table of modes has a row for each mode of the code, with its fields and its kind of number', (t) => {
  t.deepEqual(ROWS.map(({ field }) => field).toSorted(), MODE_FIELDS.toSorted())
  const all = Object.assign({}, ...ROWS.toReversed().map(({ named }) => named)) as Named
  const {
    destinationNumber: _to,
    groupId: _group,
    newsletterId: _newsletter,
    quotedMessageId: _quoted,
    deliverAt: _at,
    deliverUntil: _until,
    correlationId: _correlation,
    ...fields
  } = inside(DOCUMENT)
  // Fields of several modes are written out in one row of them.
  const whole = {
    ...all,
    ...Object.fromEntries(ROWS.flatMap(({ named }) => Object.entries(named).filter(([, of]) => of))),
  }
  t.deepEqual(differences(whole, fields, ''), [])
  for (const { field, fields: words } of ROWS) {
    const needed = MODE_NEEDS[field as keyof typeof MODE_NEEDS]
    const kinds = (['OFFICIAL', 'UNOFFICIAL'] as const).filter(
      (provider) => !needed || kindOf({ provider }).can[needed],
    )
    t.is(/; (\w+) numbers$/.exec(words)?.[1] ?? null, kinds.length === 2 ? null : (kinds[0] ?? ''), field)
  }
})
