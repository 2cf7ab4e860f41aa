import { readFileSync } from 'node:fs'
import test from 'ava'
import { readTitles } from '../../src/http/routes/guides/library.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { readDocuments } from '../../tools/clients/documents.ts'
import { llmsText, serverText } from '../../tools/clients/texts.ts'

const read = (path: string): string => readFileSync(new URL(`../../clients/${path}`, import.meta.url), 'utf8')
const { openapi } = readDocuments()

// [clients.made.6]
test('llms.txt leads to pages that are there, and names each route that a key opens', async (t) => {
  const text = read('llms.txt')
  t.is(text, llmsText(openapi, await readTitles()))
  t.regex(text, /^# .+\n\n> .+\n/)
  const client = await serve(t, new World())
  const paths = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path]) => path ?? '')
  t.true(paths.length > 20)
  for (const path of paths) t.is((await client.send('GET', path)).status, 200, path)
  t.true(text.includes('- `POST /v1/messages/send`: Send a message'))
})

// [clients.made.7]
test('server.json leads to the tools, with the key in the header that it names', async (t) => {
  t.is(read('server.json'), serverText(openapi))
  const { name, description, remotes } = JSON.parse(read('server.json'))
  t.regex(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  t.true(description.length <= 100)
  const [{ url, headers }] = remotes
  const world = new World()
  const client = await serve(t, world)
  const address = url.replace('https://{host}', client.url)
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  }
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      [headers[0].name]: world.numberKey.raw,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(initialize),
  })
  t.is(answer.status, 200)
  t.regex(await answer.text(), /"serverInfo"/)
})
