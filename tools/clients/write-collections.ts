import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { BRUNO_COLLECTION, BRUNO_ENVIRONMENT, bruFiles, steadyPostman } from './collections.ts'
import type { BruFile, BrunoItem, PostmanCollection } from './collections.ts'

/** Their types are not there before they are installed. */
const POSTMAN: string = 'openapi-to-postmanv2'
const BRUNO: string = '@usebruno/converters'
const BRU: string = '@usebruno/lang'

const POSTMAN_OPTIONS = { folderStrategy: 'Tags', parametersResolution: 'Example', includeAuthInfoInExample: false }

type Converted = {
  readonly result: boolean
  readonly reason?: string
  readonly output: readonly { readonly data: PostmanCollection }[]
}

/** Writes the collections of a document into `postman/` and `bruno/` below a folder. */
export async function writeCollections(document: object, name: string, folder: URL): Promise<void> {
  write(new URL('postman/collection.json', folder), `${JSON.stringify(await postman(document), null, 2)}\n`)
  const bruno = new URL('bruno/', folder)
  // What a removed route left goes with it.
  rmSync(bruno, { recursive: true, force: true })
  for (const [path, text] of await brunoTexts(document, name))
    write(new URL(encodeURI(path), bruno), `${text.trimEnd()}\n`)
}

function write(file: URL, text: string): void {
  mkdirSync(dirname(decodeURI(file.pathname)), { recursive: true })
  writeFileSync(file, text)
}

async function postman(document: object): Promise<unknown> {
  const { default: converter } = await import(POSTMAN)
  const source = { type: 'json', data: structuredClone(document) }
  const converted = await new Promise<Converted>((resolve, reject) => {
    converter.convertV2(source, POSTMAN_OPTIONS, (error: Error | null, made: Converted) =>
      error ? reject(error) : resolve(made),
    )
  })
  const [made] = converted.output
  if (!converted.result || !made) throw new Error(`no collection could be made: ${converted.reason}`)
  return steadyPostman(made.data)
}

async function brunoTexts(document: object, name: string): Promise<Map<string, string>> {
  const { openApiToBruno } = await import(BRUNO)
  const { jsonToBruV2, jsonToCollectionBru, envJsonToBruV2 } = (await import(BRU)).default as Record<
    string,
    (file: BruFile) => string
  >
  const { items } = (await openApiToBruno(structuredClone(document))) as { readonly items: readonly BrunoItem[] }
  const requests = [...bruFiles(items)].map(([path, file]) => [path, jsonToBruV2?.(file) ?? ''] as const)
  return new Map([
    ['bruno.json', `${JSON.stringify({ version: '1', name, type: 'collection' }, null, 2)}\n`],
    ['collection.bru', jsonToCollectionBru?.(BRUNO_COLLECTION) ?? ''],
    ['environments/local.bru', envJsonToBruV2?.(BRUNO_ENVIRONMENT) ?? ''],
    ...requests,
  ])
}
