import test from 'ava'
import { PROVIDER_KINDS } from '../../src/domain/number.ts'
import { readSourceFiles } from './source-files.ts'
import { tokensOf } from './tokens.ts'

/*
 * Everything that differs between kinds of numbers is in their profiles, `src/domain/kinds/`, one file for each kind.
 * All other code asks `kindOf(number)` for the fact it needs. So no code spells the name of a kind, as a text, a key, a
 * case, a type or a value inside SQL, and no code takes a single profile, except the kind's driver and the code that
 * creates its numbers. Texts for people may name kinds.
 */
const SPELLED: Readonly<Record<string, string>> = {
  'src/domain/number.ts': 'the names, as rows, requests and answers have them',
  'src/domain/kinds/kinds.ts': 'a record of the profile of each name',
  'src/config.ts': 'variables of the environment are of one kind',
  'src/domain/template.ts': 'templates have sources of their own, of which one has the same name',
}
const TAKEN: Readonly<Record<string, string>> = {
  'src/domain/kinds/kinds.ts': 'has them all',
  'src/storage/official-numbers/store.ts': 'makes numbers of that kind',
  'src/commands/numbers/create.ts': 'makes numbers of that kind',
  'src/commands/pairing/issue-link.ts': 'makes numbers of that kind',
  'src/http/routes/samples.ts': 'examples in the document',
}

const FILES = readSourceFiles(['src', 'actors', 'media-host', 'sandbox', 'tools', 'web'])
/** The profiles, which spell their own name. */
const PROFILE = /^src\/domain\/kinds\/(?!kinds?\.ts)/
/** The drivers, which take the profile of their kind. */
const DRIVER = /^src\/providers\/\w+\/driver\.ts$/
const ANY_NAME = PROVIDER_KINDS.join('|')
const NAME = new RegExp(`^(?:${ANY_NAME})$`)
/** A quoted name, as in SQL. */
const QUOTED = new RegExp(`'(?:${ANY_NAME})'`, 'g')

function* namesIn(path: string, text: string): Generator<string> {
  for (const { kind, text: token, line } of tokensOf(text)) {
    if (kind === 'mark') continue
    const found = NAME.test(token) ? [token] : kind === 'name' ? [] : (token.match(QUOTED) ?? [])
    for (const name of found) yield `${path}:${line} ${name}`
  }
}

const SPELLINGS = new Map(FILES.map(({ path, text }) => [path, [...namesIn(path, text)]]))
const TAKINGS = new Map(
  FILES.map(({ path, imports }) => [
    path,
    imports.flatMap(({ target }) => (PROFILE.test(target) ? [`${path} ${target}`] : [])),
  ]),
)

for (const [what, allowed, always, found] of [
  ['spells the name of a kind of number', SPELLED, PROFILE, SPELLINGS],
  ['takes the profile of one kind', TAKEN, DRIVER, TAKINGS],
] as const) {
  test(`no file ${what} unless it is exempt`, (t) => {
    t.deepEqual(
      [...found].flatMap(([path, places]) => (path in allowed || always.test(path) ? [] : places)),
      [],
    )
  })

  test(`every exempted file ${what}`, (t) => {
    t.deepEqual(
      Object.keys(allowed).filter((path) => !found.get(path)?.length),
      [],
    )
  })
}

test('a name is found, however it is written', (t) => {
  const names = (text: string) => [...namesIn('x', text)].length
  t.deepEqual(
    [
      `if (number.provider === 'OFFICIAL') go()`,
      `if ("UNOFFICIAL" !== provider) go()`,
      `switch (provider) { case 'OFFICIAL': }`,
      `const A = { OFFICIAL: 1, UNOFFICIAL: 2 }`,
      `type A = 'OFFICIAL' | 'UNOFFICIAL'`,
      `z.enum(['OFFICIAL', 'UNOFFICIAL'])`,
      "sql(`n.provider = 'OFFICIAL' and x in ('UNOFFICIAL', ${y})`)",
      `sql("n.provider <> 'OFFICIAL'")`,
      'is(`OFFICIAL`)',
      `Kinds.OFFICIAL`,
    ].map(names),
    [1, 1, 1, 2, 2, 2, 2, 1, 1, 1],
  )
  t.deepEqual(
    [
      `refuse('OFFICIAL_ERROR', 'OFFICIAL numbers do not send to groups')`,
      'refuse(`an OFFICIAL number ${why}`)',
      `// 'OFFICIAL'`,
      `kindOf(number).can.calls`,
      `const official = createOfficial()`,
    ].map(names),
    [0, 0, 0, 0, 0],
  )
})
