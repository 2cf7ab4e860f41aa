import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { readDocument } from '../../../../sandbox/official/flows/document/read-document.ts'

const FOLDER = join(import.meta.dirname, '../../../fixtures/flows')

for (const name of readdirSync(FOLDER)) {
  // [sandbox.templates-and-flows.5]
  test(`the document ${name} has no faults, however its lines end`, (t) => {
    const text = readFileSync(join(FOLDER, name), 'utf8')
    const version = name.replace(/-.*/, '')
    for (const written of [text, JSON.stringify(JSON.parse(text)), text.replaceAll('\n', '\r\n'), `\uFEFF${text}`]) {
      t.like(readDocument(Buffer.from(written)), {
        version,
        errors: [],
        hasEndpoint: text.includes('data_api_version'),
      })
    }
  })
}
