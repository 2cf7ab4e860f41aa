import { readFileSync } from 'node:fs'
import test from 'ava'
import { assert, constantFrom, property } from 'fast-check'
import { readDocuments } from '../../tools/clients/documents.ts'
import { asyncApiFaults, openApiFaults } from '../../tools/compatibility/documents.ts'
import { keptText } from '../../tools/compatibility/kept.ts'
import { ALLOWED } from './allowed.ts'

const released = (name: string): any =>
  JSON.parse(readFileSync(new URL(`../../clients/released/${name}.json`, import.meta.url), 'utf8'))
const before = { openapi: released('openapi'), asyncapi: released('asyncapi') }
const now = readDocuments()
const after: { openapi: any; asyncapi: any } = {
  openapi: JSON.parse(keptText(now.openapi)),
  asyncapi: JSON.parse(keptText(now.asyncapi)),
}

/** Fields that are taken away, one at a time; `TEST_FULL` takes more. */
const RUNS = process.env['TEST_FULL'] === '1' ? 400 : 20

// [clients.compatible.1]
test('a client that was made of the released documents works with the service as it is', (t) => {
  const faults = [
    ...openApiFaults(before.openapi, after.openapi),
    ...asyncApiFaults(before.asyncapi, after.asyncapi),
  ].map(({ at, what }) => `${at} ${what}`)
  t.deepEqual(
    faults.filter((fault) => !Object.hasOwn(ALLOWED, fault)),
    [],
    'these break clients: take them back, or list them in test/compatibility/allowed.ts with the reason',
  )
  t.deepEqual(
    Object.keys(ALLOWED).filter((fault) => !faults.includes(fault)),
    [],
    'these are listed and do not happen any more',
  )
})

test('what is kept of a release is compared with itself without a fault', (t) => {
  t.deepEqual(openApiFaults(after.openapi, after.openapi), [])
  t.deepEqual(asyncApiFaults(after.asyncapi, after.asyncapi), [])
})

/** Ways to every field of the schemas in a part of a document. */
function fieldsIn(node: any, path: readonly string[] = []): (readonly string[])[] {
  if (typeof node !== 'object' || node === null) return []
  const own = Object.keys(node.properties ?? {}).map((name) => [...path, 'properties', name])
  return [...own, ...Object.entries(node).flatMap(([name, part]) => fieldsIn(part, [...path, name]))]
}

/** The names of the schemas that a part of a document refers to, by way of others too. */
function referredBy(node: unknown, schemas: any, found: Set<string> = new Set()): Set<string> {
  for (const [, name = ''] of JSON.stringify(node).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    if (found.has(name)) continue
    found.add(name)
    referredBy(schemas[name], schemas, found)
  }
  return found
}

/** Ways to every field of these parts and of what they refer to. */
function fieldsOf(document: any, parts: readonly (readonly string[])[]): (readonly string[])[] {
  const partOf = (path: readonly string[]): any => path.reduce((node, name) => node[name], document)
  const named = referredBy(parts.map(partOf), document.components.schemas)
  const all = [...parts, ...[...named].map((name) => ['components', 'schemas', name])]
  return all.flatMap((path) => fieldsIn(partOf(path), path))
}

function without(document: any, path: readonly string[]): any {
  const copy = structuredClone(document)
  const parent = path.slice(0, -1).reduce((node, name) => node[name], copy)
  delete parent[path.at(-1) ?? '']
  return copy
}

// [clients.compatible.2]
test('the loss of any field of an answer or an event is a fault', (t) => {
  const answers = Object.entries<any>(after.openapi.paths).flatMap(([path, item]) =>
    Object.keys(item).map((verb) => ['paths', path, verb, 'responses']),
  )
  const told = Object.keys(after.asyncapi.components.messages)
    .filter((name) => !name.startsWith('client.'))
    .map((name) => ['components', 'messages', name, 'payload'])
  for (const [document, parts, faultsOf] of [
    [after.openapi, answers, openApiFaults],
    [after.asyncapi, told, asyncApiFaults],
  ] as const) {
    const fields = fieldsOf(document, parts)
    t.true(fields.length > 300)
    assert(
      property(constantFrom(...fields), (path) => {
        t.not(faultsOf(document, without(document, path)).length, 0, path.join('/'))
      }),
      { numRuns: RUNS },
    )
  }
})
