import { z } from 'zod'
import { REVALIDATED } from '../openapi/routes.ts'
import { madeOnce } from '../request/ready-bytes.ts'
import { route } from '../request/route.ts'
import type { Route } from '../request/route.ts'
import { describeEvents } from './document.ts'

/** The route of the document, which describes what the service tells by itself. */
export function eventDocumentRoutes(baseUrl: string): Route[] {
  const made = madeOnce(() => JSON.stringify(describeEvents(baseUrl)))
  return [
    route({
      method: 'get',
      path: '/asyncapi.json',
      name: 'getAsyncApi',
      group: 'Operations',
      access: { by: ['nobody'], of: 'service' },
      bucket: 'static',
      summary: 'Read events, realtime audio and streams as an AsyncAPI 3.0 document',
      answer: {
        status: 200,
        description: 'The document',
        schema: z.looseObject({ asyncapi: z.string() }),
        example: { asyncapi: '3.0.0', info: { title: 'Channel Messaging Service', version: '1.0.0' }, channels: {} },
      },
      handle: async () => ({
        status: 200,
        body: null,
        ready: await made(),
        type: 'application/json; charset=utf-8',
        headers: REVALIDATED,
      }),
    }),
  ]
}
