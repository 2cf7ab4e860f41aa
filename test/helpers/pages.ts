import { execFile } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ExecutionContext } from 'ava'
import { BUILDS } from '../../src/domain/web-build.ts'
import { startHttp } from '../../src/http/listen.ts'
import { readBuiltAssets } from '../../src/http/pages/built-assets.ts'
import type { BuiltAssets } from '../../src/http/pages/built-assets.ts'
import { pageDocument } from '../../src/http/pages/page-document.ts'
import { createHttpApp } from '../../src/http/server.ts'
import type { RestDeps } from '../../src/http/server.ts'
import { LANGUAGES } from '../../web/words/language.ts'
import { clientOf, PATIENCE, type Client, type Served } from './http-app.ts'
import { PATIENCE_MS } from './until.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
let built: Promise<BuiltAssets> | null = null

/** Pages and SDK of the current sources: `npm test` builds them beforehand, a run of single files builds them here. */
export function builtPages(): Promise<BuiltAssets> {
  return (built ??= readPages())
}

async function readPages(): Promise<BuiltAssets> {
  await promisify(execFile)(process.execPath, ['web/build.ts'], { cwd: ROOT, timeout: PATIENCE_MS })
  const assets = await readBuiltAssets(`${ROOT}${BUILDS}`)
  if (!assets) throw new Error('the pages were built, and are not there')
  return assets
}

/**
 * Serves the world with the built pages. Base URL and embed URLs are the address of this server, unless `changes`
 * replaces them.
 */
export async function servePages(
  t: Pick<ExecutionContext<any>, 'teardown'>,
  world: Served,
  changes: Partial<RestDeps> = {},
): Promise<Client> {
  let answer: (request: IncomingMessage, response: ServerResponse) => unknown = (_, response) => response.destroy()
  const listener = await startHttp(
    { callback: () => (request, response) => answer(request, response) },
    { host: '127.0.0.1', port: 0, patience: PATIENCE },
  )
  t.teardown(() => listener.close(0))
  const url = `http://127.0.0.1:${listener.port}`
  const own = { builtAssets: await builtPages(), baseUrl: url, chatEmbedUrl: url, connectEmbedUrl: url }
  answer = createHttpApp(world.deps({ ...own, ...changes })).callback()
  return clientOf(url)
}

/**
 * The size of the first load of a page besides its document, in the largest language: gzipped scripts and styles, in
 * bytes. `runs` are the sources that its document names beside its words.
 */
export function firstLoadBytes(assets: BuiltAssets, page: string, runs: readonly string[] = []): number {
  return Math.max(
    ...LANGUAGES.map((lang) => {
      const html = pageDocument(assets, page, { title: '', lang, runs, data: {} })
      const loaded = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(
        ([, path = '']) => assets.files.get(path)?.facts,
      )
      return loaded.reduce((sum, facts) => sum + (facts?.gzipBytes ?? facts?.bytes ?? 0), 0)
    }),
  )
}
