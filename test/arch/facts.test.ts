import test from 'ava'
import { EVENT_NAMES } from '../../src/domain/events.ts'
import { UPSTREAM_FIELDS } from '../../src/domain/upstream-fields.ts'
import { readSourceFiles } from './source-files.ts'
import { tokensOf, type Token } from './tokens.ts'

/*
 * Each upstream field has one row in src/domain/upstream-fields.ts, and each of our events one row in
 * src/domain/events.ts. No other code decides by one of these names, or lists them.
 *
 * Fields. A name with an underscore is no common word and is written nowhere else, as a text, a key or inside SQL.
 * Names that are common words (`calls`, `messages`, ...) also name tables, lists and capabilities, so they are
 * forbidden only as a case, compared with anything called `field`, as a value of a key `field`, inside SQL, and in a
 * list with another field.
 *
 * Events. A single event may be named to emit it, or to look it up in the table. It is not compared with, is no case,
 * no key, no member of a list or a union of types, and not part of SQL; and no code tests how an event's name begins.
 *
 * A record keyed by all rows of a table (`Record<AccountField, ...>`) is allowed when it is listed here, because the
 * compiler reports a missing row.
 */
const FIELDS_SPELLED: Readonly<Record<string, string>> = {
  'src/domain/upstream-fields.ts': 'the table',
  'src/providers/official/inbound/account-events.ts': 'a record of what each field that accounts read says',
  'src/providers/official/inbound/call-events.ts': 'a record of what each field that numbers read says of calls',
  'src/providers/official/inbound/message-events.ts':
    'a record of what each field that numbers read says of messages; lists in values have such names, too',
  'src/providers/official/inbound/change-key.ts': 'lists in values have such names, too',
  'src/http/openapi/native-events.ts': 'a record of how each field that is passed on is described',
  'src/http/routes/webhooks/examples.ts': 'examples in the document',
  'src/domain/engine.ts': 'engines have names of their own for what they can do, some of them the same',
  'src/http/routes/numbers/examples.ts': 'lists what an engine can do, too',
  'src/http/routes/guides/library.ts': 'lists guides, of which some are about what a field tells',
  'tools/demo/official-act.ts': 'plays a tenant, who subscribes by name',
}
const EVENTS_SPELLED: Readonly<Record<string, string>> = {
  'src/domain/events.ts': 'the table',
  'src/http/openapi/event-schema.ts': 'a record of how each event is described',
  'src/http/openapi/message-event-schema.ts': 'a record of how each event of messages is described',
  'tools/listen/pretty.ts': 'a record of how each event is shown',
  'actors/call/event-data.ts': 'makes the data of the events of calls, of which one has a field more',
  'src/http/routes/webhooks/examples.ts': 'examples in the document',
  'tools/demo/device-act.ts': 'plays a tenant, who subscribes by name',
  'tools/demo/engine-demo.ts': 'plays a tenant, who subscribes by name',
  'tools/demo/engine-story.ts': 'plays a tenant, who hears of posts by name',
  'tools/demo/lead-story.ts': 'plays a tenant, who hears of leads by name',
  'tools/demo/official-act.ts': 'plays a tenant, who subscribes by name',
  'src/domain/device-bridge.ts': 'the bridge has names of its own, some of them the same',
  'tools/engine-check/event-shapes.ts': 'reads the names of the bridge',
  'tools/engine-check/checks/calling.ts': 'reads the names of the bridge',
  'tools/engine-check/checks/sending.ts': 'reads the names of the bridge',
  'src/providers/unofficial/events.ts': 'reads the names of the bridge',
  'src/providers/unofficial/engine-requests.ts': 'reads the names of the bridge',
}

const FILES = readSourceFiles(['src', 'tools', 'actors', 'media-host']).map((file) => ({
  ...file,
  tokens: tokensOf(file.text),
}))
const FIELDS: ReadonlySet<string> = new Set(Object.keys(UPSTREAM_FIELDS))
const EVENTS: ReadonlySet<string> = new Set(EVENT_NAMES)
const BEGINNINGS: ReadonlySet<string> = new Set(EVENT_NAMES.map((name) => name.slice(0, name.indexOf('.') + 1)))
const COMPARING: ReadonlySet<string> = new Set(['===', '!==', 'case'])

/** The members of the list that each token is in; empty when brackets read a property. */
function listsOf(tokens: readonly Token[]): Map<Token, readonly Token[]> {
  const lists = new Map<Token, readonly Token[]>()
  const open: { readonly mark: string; readonly isList: boolean; readonly members: Token[] }[] = []
  tokens.forEach((token, index) => {
    const before = tokens[index - 1]
    if (token.kind === 'mark' && '([{'.includes(token.text)) {
      const isRead =
        before !== undefined
        && (before.kind === 'name' || before.text === ')' || before.text === ']')
        && !['return', 'of', 'in', 'as', 'readonly'].includes(before.text)
      open.push({ mark: token.text, isList: token.text === '[' && !isRead, members: [] })
    } else if (token.kind === 'mark' && ')]}'.includes(token.text)) open.pop()
    const around = open.at(-1)
    if (!around?.isList) return
    around.members.push(token)
    lists.set(token, around.members)
  })
  return lists
}

interface Spelling {
  readonly name: string
  readonly token: Token
  readonly index: number
  readonly before: string
  readonly after: string
  readonly isKey: boolean
}

/** Tokens that spell a name, and templates that contain one as SQL would. */
function* spelling(tokens: readonly Token[], names: ReadonlySet<string>): Generator<Spelling> {
  for (const [index, token] of tokens.entries()) {
    const [before, after] = [tokens[index - 1]?.text ?? '', tokens[index + 1]?.text ?? '']
    const isKey = after === ':' && before !== '?' && before !== 'case'
    if (token.kind === 'template') {
      for (const [, name = ''] of token.text.matchAll(/'([^']+)'/g))
        if (names.has(name)) yield { name, token, before, after, isKey: false, index }
    } else if (
      names.has(token.text)
      && (token.kind === 'string' || (token.kind === 'name' && (isKey || token.text.includes('_'))))
    ) {
      yield { name: token.text, token, before, after, isKey, index }
    }
  }
}

function* fieldsIn(path: string, tokens: readonly Token[]): Generator<string> {
  const lists = listsOf(tokens)
  for (const { name, token, before, after, index } of spelling(tokens, FIELDS)) {
    const isCompared =
      before === 'case'
      || (COMPARING.has(before) && tokens[index - 2]?.text === 'field')
      || (COMPARING.has(after) && tokens[index + 2]?.text === 'field')
    const isValue = before === ':' && tokens[index - 2]?.text === 'field'
    const isListed = (lists.get(token) ?? []).some(
      (other) => other.kind === 'string' && other.text !== name && FIELDS.has(other.text),
    )
    if (name.includes('_') || token.kind === 'template' || isCompared || isValue || isListed)
      yield `${path}:${token.line} ${name}`
  }
}

function* eventsIn(path: string, tokens: readonly Token[]): Generator<string> {
  const lists = listsOf(tokens)
  for (const { name, token, before, after, isKey } of spelling(tokens, EVENTS)) {
    const isCompared = COMPARING.has(before) || COMPARING.has(after)
    const isUnion = before === '|' || after === '|'
    if (token.kind === 'template' || isKey || isCompared || isUnion || lists.has(token))
      yield `${path}:${token.line} ${name}`
  }
  for (const { kind, text, line } of tokens)
    if (kind === 'string' && BEGINNINGS.has(text)) yield `${path}:${line} ${text}`
}

for (const [what, allowed, found] of [
  ['upstream field', FIELDS_SPELLED, fieldsIn],
  ['event', EVENTS_SPELLED, eventsIn],
] as const) {
  const byFile = new Map(FILES.map(({ path, tokens }) => [path, [...found(path, tokens)]]))

  test(`the table is the only place that lists an ${what} or decides by its name`, (t) => {
    t.deepEqual(
      [...byFile].flatMap(([path, places]) => (path in allowed ? [] : places)),
      [],
    )
  })

  test(`every exempt file spells an ${what}`, (t) => {
    t.deepEqual(
      Object.keys(allowed).filter((path) => !byFile.get(path)?.length),
      [],
    )
  })
}

test('what the tables forbid is found, however it is written', (t) => {
  const fields = (text: string) => [...fieldsIn('x', tokensOf(text))].length
  const events = (text: string) => [...eventsIn('x', tokensOf(text))].length
  t.deepEqual(
    [
      `const A = ['calls', 'messages']`,
      `if (field === 'messages') go()`,
      `switch (field) { case 'calls': }`,
      "sql(`e.event in ('messages')`)",
      `const A = { account_update: 1 }`,
      `interface A {\n readonly account_update: 1 }`,
      `read('smb_message_echoes')`,
      `put({ field: 'flows' })`,
      `new Set(["history", x, 'flows'])`,
    ].map(fields),
    [2, 1, 1, 1, 1, 1, 1, 1, 2],
  )
  t.deepEqual(
    [
      `path: [phoneId, 'calls']`,
      `body['messages']`,
      `// account_update and 'calls'`,
      `type P = Pick<Deps, 'calls' | 'messages'>`,
      `const t = 'messages'`,
    ].map(fields),
    [0, 0, 0, 0, 0],
  )
  t.deepEqual(
    [
      `const A = ['call.ended']`,
      `new Set([x, 'call.ended', y])`,
      `event === 'call.ended'`,
      `case 'call.ended':`,
      `const A = { 'call.ended': 1 }`,
      `type A = 'call.ended' | 'call.missed'`,
      `interface A {\n 'call.ended': 1 }`,
      "sql(`event in ('call.ended')`)",
      `name.startsWith('call.')`,
    ].map(events),
    [1, 1, 1, 1, 1, 2, 1, 1, 1],
  )
  t.deepEqual(
    [
      `make('call.ended', x)`,
      `{ event: 'call.ended', data }`,
      `a ? 'call.ended' : null`,
      `canEmit(kind, 'call.ended')`,
      `EVENTS['call.ended']`,
      `/* 'call.ended' */`,
    ].map(events),
    [0, 0, 0, 0, 0, 0],
  )
})
