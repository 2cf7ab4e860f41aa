import { z } from 'zod'
import { madeOnce } from '../request/ready-bytes.ts'
import { route } from '../request/route.ts'
import type { Route } from '../request/route.ts'
import type { OpenApiDocument } from './document.ts'
import { REFERENCE_POLICY, referencePage } from './reference-page.ts'
import { readBundle } from './scalar-bundle.ts'
import { MENDING } from './scalar-mending.ts'

const GROUP = 'Operations'

/** Routes of the document, which describes these too. `document` is asked for once all routes are known. */
export function documentRoutes(document: () => OpenApiDocument, baseUrl: string): Route[] {
  return [openApi(document), docs(document, baseUrl), docsScript()]
}

function openApi(document: () => OpenApiDocument): Route {
  const made = madeOnce(() => JSON.stringify(document()))
  return route({
    method: 'get',
    path: '/openapi.json',
    name: 'getOpenApi',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'static',
    summary: 'Read this interface as an OpenAPI 3.1 document',
    answer: {
      status: 200,
      description: 'The document',
      schema: z.looseObject({ openapi: z.string() }),
      example: { openapi: '3.1.0', info: { title: 'Channel Messaging Service', version: '1.0.0' }, paths: {} },
    },
    handle: async () => ({
      status: 200,
      body: null,
      ready: await made(),
      type: 'application/json; charset=utf-8',
      headers: REVALIDATED,
    }),
  })
}

function docs(document: () => OpenApiDocument, baseUrl: string): Route {
  const made = madeOnce(() => referencePage(document(), baseUrl, SCRIPT))
  return route({
    method: 'get',
    path: '/docs',
    name: 'getDocs',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'static',
    summary: 'Read this interface as a page, and try it',
    answer: { status: 200, description: 'The page', type: 'text/html' },
    handle: async () => ({
      status: 200,
      body: null,
      ready: await made(),
      type: 'text/html; charset=utf-8',
      headers: { ...REVALIDATED, 'content-security-policy': REFERENCE_POLICY },
    }),
  })
}

/**
 * Browsers keep the answer and revalidate it each time, so a change by an upgrade shows at once, and an unchanged
 * document costs no bytes.
 */
export const REVALIDATED = { 'cache-control': 'no-cache' }

/** Path of the script, relative to /docs. */
const SCRIPT = 'docs/reference.js'
/**
 * our choice: a day. After an upgrade of the service the script is read again within that time, and either version can
 * show the document.
 */
const SCRIPT_CACHE = 'public, max-age=86400'

function docsScript(): Route {
  const made = madeOnce(async () => (await readBundle()) + MENDING)
  return route({
    method: 'get',
    path: `/${SCRIPT}`,
    name: 'getDocsScript',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'static',
    summary: 'Read the script of the page',
    answer: { status: 200, description: 'The script', type: 'text/javascript' },
    handle: async () => ({
      status: 200,
      body: null,
      ready: await made(),
      type: 'text/javascript; charset=utf-8',
      headers: { 'cache-control': SCRIPT_CACHE },
    }),
  })
}
