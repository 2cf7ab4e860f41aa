/** `npm run clients`: makes the clients in `clients/` of the OpenAPI and the AsyncAPI document. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTitles } from '../../src/http/routes/guides/library.ts'
import { readDocuments } from './documents.ts'
import { installGenerators } from './install.ts'
import { headOf, MADE_FROM, madeFromText } from './made-from.ts'
import { eventsN8n, operationsN8n } from './n8n.ts'
import { resourcesPython } from './python.ts'
import { llmsText, serverText } from './texts.ts'
import { resourcesText, typedDocument } from './typescript.ts'
import { writeCollections } from './write-collections.ts'

const CLIENTS = new URL('../../clients/', import.meta.url)
/** Its types are not there before it is installed. */
const GENERATOR: string = '@hey-api/openapi-ts'

/** Makes the types of a document by the generator. Returns their text. */
async function typesText(document: object): Promise<string> {
  const { createClient } = await import(GENERATOR)
  const folder = mkdtempSync(join(tmpdir(), 'clients-'))
  try {
    await createClient({
      input: document,
      output: { path: folder, entryFile: false },
      logs: { level: 'error' },
      plugins: ['@hey-api/typescript'],
    })
    return readFileSync(join(folder, 'types.gen.ts'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function write(path: string, text: string): void {
  writeFileSync(new URL(path, CLIENTS), text)
}

installGenerators()
const { openapi, asyncapi, hash } = readDocuments()
const typed = typedDocument(openapi, asyncapi)
write('typescript/src/types.gen.ts', await typesText(typed))
write('typescript/src/resources.gen.ts', resourcesText(openapi, headOf('//')))
write('python/channel_client/resources.py', resourcesPython(openapi, headOf('#')))
write('n8n/nodes/Channel/operations.gen.ts', operationsN8n(openapi, headOf('//')))
write('n8n/nodes/ChannelTrigger/events.gen.ts', eventsN8n(openapi, headOf('//')))
await writeCollections(typed, openapi.info.title, CLIENTS)
write('llms.txt', llmsText(openapi, await readTitles()))
write('server.json', serverText(openapi))
write(MADE_FROM, madeFromText(hash))
